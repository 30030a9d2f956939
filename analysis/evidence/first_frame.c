#include "analysis/evidence/first_frame.h"

#include <math.h>

enum { STEPS_COMPARED = 24 };

/* What changes from one frame to the next. */
typedef struct Step {
    double joints; /* rad, mean over the joints */
    double turn;   /* rad, of the root */
    double travel; /* of the root, in lengths of the body */
} Step;

/* Steps below these are taken as still: a body that holds its pose after the start. */
static const Step still = {0.01, 0.05, 0.01};

/* Angle between two rotations: twice the angle between the quaternions as four-vectors, whose chord is
 * 2 sin(angle / 4). */
static double angle_between(Quat a, Quat b) { return 2 * sqrt(2 * fmax(0, 1 - fabs(quat_dot(a, b)))); }

static Step step_at(const Motion *m, int frame, double body_length)
{
    const Quat *a = m->rotation + motion_index(m, frame, 0), *b = a + m->joint_count;
    Step step = {0, angle_between(a[0], b[0]),
                 vec3_distance(m->root_position[frame], m->root_position[frame + 1]) / body_length};
    for (int j = 0; j < m->joint_count; j++)
        step.joints += angle_between(a[j], b[j]) / m->joint_count;
    return step;
}

/* Longest chain of bones from the root. */
static double longest_chain(const Skeleton *s)
{
    double longest = 0;
    for (int j = 1; j < s->joint_count; j++) {
        double length = 0;
        for (int i = j; s->parent[i] >= 0; i = s->parent[i])
            length += vec3_norm(s->offset[i]);
        longest = fmax(longest, length);
    }
    return longest;
}

/* Mean angle of the joints of a frame from the rest pose, rad. */
static double angle_from_rest(const Motion *m, int frame)
{
    double sum = 0;
    for (int j = 0; j < m->joint_count; j++)
        sum += angle_between(m->rotation[motion_index(m, frame, j)], QUAT_IDENTITY);
    return sum / m->joint_count;
}

/* A real movement rarely doubles its step from one frame to the next, and does not begin in the rest pose. */
int first_frame_is_fake(const Skeleton *skeleton, const Motion *motion, double *confidence)
{
    *confidence = 0.5;
    if (motion->frame_count < 5 || motion->joint_count < 1)
        return 0;
    double length = longest_chain(skeleton);
    length = length > 0 ? length : 1;
    Step first = step_at(motion, 0, length), largest = still;
    for (int f = 1; f < motion->frame_count - 1 && f <= STEPS_COMPARED; f++) {
        Step step = step_at(motion, f, length);
        largest.joints = fmax(largest.joints, step.joints);
        largest.turn = fmax(largest.turn, step.turn);
        largest.travel = fmax(largest.travel, step.travel);
    }
    double ratio = fmax(fmax(first.joints / largest.joints, first.turn / largest.turn), first.travel / largest.travel);
    int from_rest = angle_from_rest(motion, 0) < 0.3 * angle_from_rest(motion, 1);
    double even = from_rest ? 2 : 4, odds = (ratio / even) * (ratio / even) * (ratio / even);
    *confidence = fmax(odds, 1) / (1 + odds);
    return odds > 1;
}
