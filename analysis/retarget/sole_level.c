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

/* Rotates the ankle by the tilt in every frame; the toe joint follows. */
static void rotate_ankle(const FootPair *pair, const Sole *sole, Quat tilt, Vec3 *position, Quat *orientation)
{
    for (int f = 0; f < pair->contact->frame_count; f++) {
        Vec3 *x = position + (size_t)f * (size_t)pair->target.joint_count;
        Quat *q = orientation + (size_t)f * (size_t)pair->target.joint_count;
        Quat turned = quat_mul(q[sole->ankle], tilt), moved = quat_mul(turned, quat_conjugate(q[sole->ankle]));
        if (sole->toe != sole->ankle) {
            x[sole->toe] = vec3_add(x[sole->ankle], quat_rotate(moved, vec3_sub(x[sole->toe], x[sole->ankle])));
            q[sole->toe] = quat_mul(moved, q[sole->toe]);
        }
        q[sole->ankle] = turned;
    }
}

void sole_level(const FootPair *pair, int foot, Vec3 *position, Quat *orientation)
{
    const Sole *sole = &pair->target.sole[foot], *source = &pair->source.sole[foot];
    SolePart flat = {SOLE_HEEL, SOLE_BALL, sole->ankle}, toes = {SOLE_BALL, SOLE_TIP, sole->toe};
    rotate_ankle(pair, sole, sole_tilt(pair, foot, &flat), position, orientation);
    if (sole->toe == sole->ankle || source->toe == source->ankle)
        return;
    Quat tilt = sole_tilt(pair, foot, &toes);
    for (int f = 0; f < pair->contact->frame_count; f++) {
        Quat *q = orientation + (size_t)f * (size_t)pair->target.joint_count + (size_t)sole->toe;
        *q = quat_mul(*q, tilt);
    }
}
