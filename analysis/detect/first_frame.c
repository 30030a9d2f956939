/* Detection of a first frame that is not part of the take (first_frame.h). */
#include "analysis/detect/first_frame.h"

#include <math.h>

#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

enum { STEPS_COMPARED = 24 };

/* Change from one frame to the next. */
typedef struct GuessStep {
    double joints; /* rad, mean over the joints */
    double angle;  /* rad, rotation of the root */
    double travel; /* translation of the root, body lengths */
} GuessStep;

/* Lower bounds of the comparison, for a body that holds its pose after the start. */
static const GuessStep still = {0.01, 0.05, 0.01};

/* Angle between two rotations from the chord of the quaternions, 2 sin(angle / 4), for small angles. */
static double angle_between(Quat a, Quat b) { return 2 * sqrt(2 * fmax(0, 1 - fabs(quat_dot(a, b)))); }

static GuessStep step_at(const Motion *m, int frame, double body_length)
{
    const Quat *a = m->rotation + motion_index(m, frame, 0), *b = a + m->joint_count;
    GuessStep step = {0, angle_between(a[0], b[0]),
                      vec3_distance(m->root_position[frame], m->root_position[frame + 1]) / body_length};
    for (int j = 0; j < m->joint_count; j++)
        step.joints += angle_between(a[j], b[j]) / m->joint_count;
    return step;
}

/* Mean rotation of the joints in a frame from the rest pose, rad. */
static double angle_from_rest(const Motion *m, int frame)
{
    double sum = 0;
    for (int j = 0; j < m->joint_count; j++)
        sum += angle_between(m->rotation[motion_index(m, frame, j)], QUAT_IDENTITY);
    return sum / m->joint_count;
}

/* Compares the first step with the following ones: a real movement rarely doubles its step from one frame to the next,
 * and does not begin in the rest pose. */
int first_frame_is_fake(const Skeleton *skeleton, const Motion *motion, double *confidence)
{
    *confidence = 0.5;
    if (motion->frame_count < 5 || motion->joint_count < 1)
        return 0;
    double length = skeleton_longest_chain(skeleton);
    length = length > 0 ? length : 1;
    GuessStep first = step_at(motion, 0, length), largest = still;
    for (int f = 1; f < motion->frame_count - 1 && f <= STEPS_COMPARED; f++) {
        GuessStep step = step_at(motion, f, length);
        largest.joints = fmax(largest.joints, step.joints);
        largest.angle = fmax(largest.angle, step.angle);
        largest.travel = fmax(largest.travel, step.travel);
    }
    double ratio = fmax(fmax(first.joints / largest.joints, first.angle / largest.angle),
                        first.travel / largest.travel);
    int from_rest = angle_from_rest(motion, 0) < 0.3 * angle_from_rest(motion, 1);
    double even = from_rest ? 2 : 4, odds = (ratio / even) * (ratio / even) * (ratio / even);
    *confidence = fmax(odds, 1) / (1 + odds);
    return odds > 1;
}
