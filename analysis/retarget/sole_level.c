#include "analysis/retarget/sole_level.h"

#include "analysis/math/elementary.h"

#define MOST_TILT 0.6 /* rad: soles that lie farther apart are no soles */

/* A stretch of the sole, which a joint carries. */
typedef struct Stretch {
    SolePoint from, to;
    int joint; /* of the target */
} Stretch;

static Vec3 stretch_line(const SoledPose *p, int foot, const Stretch *s, int frame)
{
    size_t row = (size_t)frame * (size_t)p->joint_count;
    const Vec3 *x = p->position + row;
    const Quat *q = p->orientation + row;
    return vec3_normalize(vec3_sub(sole_point(&p->sole[foot], s->to, x, q), sole_point(&p->sole[foot], s->from, x, q)));
}

static double slope(Vec3 line, Vec3 normal) { return elementary_asin(fmax(-1, fmin(1, vec3_dot(line, normal)))); }

/* The turn in the joint's own axes that makes both slopes equal on average. */
static Quat tilt_of(const FootPair *pair, int foot, const Stretch *s)
{
    const FootContact *c = pair->contact;
    Vec3 axis = {0, 0, 0};
    double sum = 0;
    int count = 0;
    for (int f = 0; f < c->frame_count; f++) {
        if (!c->down[0][foot_index(f, foot)] || !c->down[1][foot_index(f, foot)])
            continue;
        Vec3 line = stretch_line(&pair->target, foot, s, f), other = stretch_line(&pair->source, foot, s, f);
        Quat q = pair->target.orientation[(size_t)f * (size_t)pair->target.joint_count + (size_t)s->joint];
        sum += slope(other, c->normal) - slope(line, c->normal);
        axis = vec3_add(axis, quat_rotate_inverse(q, vec3_normalize(vec3_cross(line, c->normal))));
        count++;
    }
    if (count == 0 || !(vec3_norm(axis) > 0))
        return QUAT_IDENTITY;
    return quat_from_axis_angle(vec3_normalize(axis), fmax(-MOST_TILT, fmin(MOST_TILT, sum / count)));
}

/* Turns the ankle by the tilt in every frame; the toe joint goes with it. */
static void turn_ankle(const FootPair *pair, const Sole *sole, Quat tilt, Vec3 *position, Quat *orientation)
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
    Stretch flat = {SOLE_HEEL, SOLE_BALL, sole->ankle}, toes = {SOLE_BALL, SOLE_TIP, sole->toe};
    turn_ankle(pair, sole, tilt_of(pair, foot, &flat), position, orientation);
    if (sole->toe == sole->ankle || source->toe == source->ankle)
        return;
    Quat tilt = tilt_of(pair, foot, &toes);
    for (int f = 0; f < pair->contact->frame_count; f++) {
        Quat *q = orientation + (size_t)f * (size_t)pair->target.joint_count + (size_t)sole->toe;
        *q = quat_mul(*q, tilt);
    }
}
