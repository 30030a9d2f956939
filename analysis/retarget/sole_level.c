/* See sole_level.h. */
#include "analysis/retarget/sole_level.h"

#include <math.h>

#include "analysis/math/elementary.h"
#include "analysis/retarget/foot_contact.h"
#include "analysis/retarget/foot_goal.h"

#define MAX_TILT 0.6  /* rad: largest correction; a larger difference is not one of soles */

/* A part of the sole that is fixed to one joint. */
typedef struct SolePart {
    SolePoint from, to;
    int joint; /* of the target */
} SolePart;

static Vec3 part_line(const SoledPose *p, int foot, const SolePart *s, int frame)
{
    size_t row = (size_t)frame * (size_t)p->joint_count;
    const Vec3 *x = p->position + row;
    const Quat *q = p->orientation + row;
    return vec3_normalize(vec3_sub(sole_point(&p->sole[foot], s->to, x, q), sole_point(&p->sole[foot], s->from, x, q)));
}

static double slope(Vec3 line, Vec3 normal) { return elementary_asin(fmax(-1, fmin(1, vec3_dot(line, normal)))); }

/* The rotation in the joint's axes that makes the mean slopes of both soles equal. */
static Quat sole_tilt(const FootPair *pair, int foot, const SolePart *s)
{
    const FootContact *c = pair->contact;
    Vec3 axis = {0, 0, 0};
    double sum = 0;
    int count = 0;
    for (int f = 0; f < c->frame_count; f++) {
        if (!c->down[0][foot_index(f, foot)] || !c->down[1][foot_index(f, foot)])
            continue;
        Vec3 line = part_line(&pair->target, foot, s, f), other = part_line(&pair->source, foot, s, f);
        Quat q = pair->target.orientation[(size_t)f * (size_t)pair->target.joint_count + (size_t)s->joint];
        sum += slope(other, c->normal) - slope(line, c->normal);
        axis = vec3_add(axis, quat_rotate_inverse(q, vec3_normalize(vec3_cross(line, c->normal))));
        count++;
    }
    if (count == 0 || !(vec3_norm(axis) > 0))
        return QUAT_IDENTITY;
    return quat_from_axis_angle(vec3_normalize(axis), fmax(-MAX_TILT, fmin(MAX_TILT, sum / count)));
}

/* Rotates ankle or toe joint by the tilt in every frame. */
static void rotate_joint(const FootPair *pair, int foot, int joint, Quat tilt)
{
    const SoledPose *p = &pair->target;
    for (int f = 0; f < pair->contact->frame_count; f++) {
        Quat q = soled_pose_orientations(p, f)[joint];
        soled_pose_rotate(p, foot, f, joint, quat_mul(quat_mul(q, tilt), quat_conjugate(q)));
    }
}

void sole_level(const FootPair *pair, int foot)
{
    const Sole *sole = &pair->target.sole[foot], *source = &pair->source.sole[foot];
    SolePart flat = {SOLE_HEEL, SOLE_BALL, sole->ankle}, toes = {SOLE_BALL, SOLE_TIP, sole->toe};
    rotate_joint(pair, foot, sole->ankle, sole_tilt(pair, foot, &flat));
    if (sole->toe != sole->ankle && source->toe != source->ankle)
        rotate_joint(pair, foot, sole->toe, sole_tilt(pair, foot, &toes));
}
