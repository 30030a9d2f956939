/* See toe_bend.h. */
#include "analysis/retarget/toe_bend.h"

#include <math.h>

#include "analysis/math/elementary.h"
#include "analysis/retarget/foot_contact.h"
#include "analysis/retarget/foot_goal.h"
#include "analysis/signal/envelope.h"

#define MAX_BEND 1.8 /* rad: largest toe bend */
#define SUNK 0.004    /* leg lengths by which a tip may lie deeper than the source's */
#define STEEPEST 4.0  /* rad per depth over toe length: toes that point straight down gain no height by bending */

static size_t joint_at(const FootPair *pair, int frame, int joint)
{
    return (size_t)frame * (size_t)pair->target.joint_count + (size_t)joint;
}

/* The upward bend of the toes, rad, that keeps the tip above the floor. Rotated by b about the axis a, the tip u has
 * the height (u.a)(a.n) + A cos(b) + B sin(b) = (u.a)(a.n) + R cos(b - top), largest at b = top. */
static double needed_bend(const FootPair *pair, int foot, int frame, Vec3 ankle)
{
    const Sole *sole = &pair->target.sole[foot];
    const Vec3 *x = pair->target.position;
    Vec3 n = pair->contact->normal;
    Vec3 arm = vec3_sub(x[joint_at(pair, frame, sole->toe)], x[joint_at(pair, frame, sole->ankle)]);
    Vec3 base = vec3_add(ankle, arm);
    Quat toe = pair->target.orientation[joint_at(pair, frame, sole->toe)];
    Vec3 tip = quat_rotate(toe, sole->local[SOLE_TIP]), axis = quat_rotate(toe, sole->toe_hinge);
    double height = vec3_dot(base, n) - foot_goal_floor(pair, foot, frame) + SUNK * pair->leg;
    double level = vec3_dot(tip, axis) * vec3_dot(axis, n), a = vec3_dot(tip, n) - level;
    double b = vec3_dot(vec3_cross(axis, tip), n), r = sqrt(a * a + b * b), top = elementary_atan2(b, a);
    top += top < -PI / 2 ? 2 * PI : 0;
    double wanted = -height - level;
    if (!(fabs(wanted) < r)) /* always above the ground, or out of reach of the toes */
        return 0;
    double depth = wanted - a; /* depth below the floor without bend */
    return fmax(fmin(fmin(top - elementary_acos(wanted / r), MAX_BEND), STEEPEST * depth / r), 0);
}

void toe_bend_fill(const FootPair *pair, int foot, const Vec3 *ankle, double bend_time, double *bend, double *scratch)
{
    const FootContact *c = pair->contact;
    const Sole *sole = &pair->target.sole[foot];
    for (int f = 0; f < c->frame_count; f++)
        bend[f] = sole->toe == sole->ankle ? 0 : needed_bend(pair, foot, f, ankle[f]);
    smooth_envelope(bend, c->frame_count, (int)(bend_time / c->frame_time), scratch);
}
