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

/* The toes of a foot in a frame. */
typedef struct Toes {
    double base;        /* m, planted height of the toe joint */
    Vec3 hinge, normal; /* unit: axis about which they bend up; of the ground */
} Toes;

/* The bend, rad, that brings a point at `arm` from the toe joint up to the floor. Rotated by b about the axis a, the
 * arm u has the height (u.a)(a.n) + A cos(b) + B sin(b) = (u.a)(a.n) + R cos(b - top), largest at b = top. */
static double point_bend(const Toes *t, Vec3 arm, double floor)
{
    double level = vec3_dot(arm, t->hinge) * vec3_dot(t->hinge, t->normal), a = vec3_dot(arm, t->normal) - level;
    double b = vec3_dot(vec3_cross(t->hinge, arm), t->normal), r = sqrt(a * a + b * b), top = elementary_atan2(b, a);
    double wanted = floor - t->base - level, depth = wanted - a; /* without bend */
    top += top < -PI / 2 ? 2 * PI : 0;
    if (!(depth > 0) || !(r > 0) || !(top > 0))
        return 0;
    double bend = wanted < r ? top - elementary_acos(fmax(wanted / r, -1)) : top;
    return fmax(fmin(fmin(bend, MAX_BEND), STEEPEST * depth / r), 0);
}

/* The bend that keeps the toes above the floor: their joints and ends, and the tip of the sole. */
static double needed_bend(const FootPair *pair, int foot, int frame, double height)
{
    const SoledPose *p = &pair->target;
    const Sole *sole = &p->sole[foot];
    const Vec3 *x = soled_pose_positions(p, frame);
    const Quat *q = soled_pose_orientations(p, frame);
    Vec3 n = pair->contact->normal;
    Toes toes = {height + vec3_dot(n, vec3_sub(x[sole->toe], x[sole->ankle])),
                 quat_rotate(q[sole->toe], sole->toe_hinge), n};
    double floor = foot_goal_sole_floor(pair, foot, frame) - SUNK * pair->leg;
    double max = point_bend(&toes, quat_rotate(q[sole->toe], sole->local[SOLE_TIP]), floor);
    floor = foot_goal_floor(pair, foot, frame) - SUNK * pair->leg;
    for (int i = 0; p->outline && i < p->outline[foot].count; i++) {
        const OutlinePoint *point = &p->outline[foot].point[i];
        if (point->is_toe)
            max = fmax(max, point_bend(&toes, vec3_sub(outline_position(point, x, q), x[sole->toe]), floor));
    }
    return max;
}

void toe_bend_fill(const FootPair *pair, int foot, const double *height, double time, double *bend, double *scratch)
{
    const FootContact *c = pair->contact;
    const Sole *sole = &pair->target.sole[foot];
    for (int f = 0; f < c->frame_count; f++)
        bend[f] = sole->toe == sole->ankle ? 0 : needed_bend(pair, foot, f, height[f]);
    smooth_envelope(bend, c->frame_count, (int)(time / c->frame_time), scratch);
}

void toe_bend_apply(const FootPair *pair, int foot, const double *bend)
{
    const SoledPose *p = &pair->target;
    const Sole *sole = &p->sole[foot];
    for (int f = 0; f < pair->contact->frame_count && sole->toe != sole->ankle; f++) {
        Vec3 axis = quat_rotate(soled_pose_orientations(p, f)[sole->toe], sole->toe_hinge);
        soled_pose_rotate(p, foot, f, sole->toe, quat_from_axis_angle(axis, bend[f]));
    }
}
