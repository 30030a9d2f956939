/* See motion.h. */
#include "analysis/clip/motion.h"

#include <math.h>

void motion_make_continuous(Motion *m)
{
    size_t joints = (size_t)m->joint_count;
    for (size_t j = 0; j < joints && m->frame_count > 0; j++)
        m->rotation[j] = quat_nearest(m->rotation[j], QUAT_IDENTITY);
    for (size_t i = joints; i < (size_t)m->frame_count * joints; i++)
        m->rotation[i] = quat_nearest(m->rotation[i], m->rotation[i - joints]);
}

double rotations_length_error(const Quat *rotation, size_t count, size_t *at)
{
    double largest = 0;
    for (size_t i = 0; i < count; i++) {
        double error = fabs(sqrt(quat_dot(rotation[i], rotation[i])) - 1);
        if (error <= largest)
            continue;
        largest = isnan(error) ? INFINITY : error;
        if (at)
            *at = i;
    }
    return largest;
}
