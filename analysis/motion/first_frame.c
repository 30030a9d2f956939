#include "analysis/motion/first_frame.h"

#include <math.h>

enum { STEPS_COMPARED = 24 };

/* Mean angle between two frames over the joints, rad: twice the angle between the quaternions as four-vectors, whose
 * chord is 2 sin(angle / 4). */
static double step_size(const Motion *m, int frame)
{
    double sum = 0;
    for (int j = 0; j < m->joint_count; j++) {
        double d = fabs(quat_dot(m->rotation[motion_index(m, frame, j)], m->rotation[motion_index(m, frame + 1, j)]));
        sum += 2 * sqrt(2 * fmax(0, 1 - d));
    }
    return sum / m->joint_count;
}

/* A real movement doubles its step from frame to frame at most; a stop or a pose held after the start gives steps near
 * zero, hence the floor under them: 0.01 rad (0.6 deg) on average over the joints. */
int first_frame_is_fake(const Motion *motion, double *confidence)
{
    *confidence = 0.5;
    if (motion->frame_count < 5 || motion->joint_count < 1)
        return 0;
    double first = step_size(motion, 0), largest = 0.01;
    for (int f = 1; f < motion->frame_count - 1 && f <= STEPS_COMPARED; f++)
        largest = fmax(largest, step_size(motion, f));
    double ratio = first / largest, odds = ratio * ratio * ratio / 64; /* even at a ratio of 4 */
    int fake = odds > 1;
    *confidence = fake ? odds / (1 + odds) : 1 / (1 + odds);
    return fake;
}
