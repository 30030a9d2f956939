/* See torque_colour.h. */
#include "formats/gltf/torque_colour.h"

#include <math.h>

static const Vec3 stops[TORQUE_COLOUR_STEPS + 1] = {
    {0.0578, 0.0003, 0.0887}, /* #440154 */
    {0.0437, 0.0844, 0.2582}, /* #3b528b */
    {0.0152, 0.2831, 0.2623}, /* #21918c */
    {0.1119, 0.5841, 0.1221}, /* #5ec962 */
    {0.9823, 0.7991, 0.0185}, /* #fde725 */
};

Vec3 torque_colour_first(void) { return stops[0]; }

Vec3 torque_colour_unknown(void) { return vec3(0.3, 0.3, 0.3); }

Vec3 torque_colour_step(int step) { return vec3_sub(stops[step + 1], stops[step]); }

void torque_colour_weights(double part, float weight[TORQUE_COLOUR_STEPS])
{
    double position = part * TORQUE_COLOUR_STEPS;
    for (int i = 0; i < TORQUE_COLOUR_STEPS; i++)
        weight[i] = (float)fmin(fmax(position - i, 0), 1); /* fmax ignores NaN */
}
