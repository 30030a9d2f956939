/* See two_bone.h. */
#include "analysis/retarget/two_bone.h"

#include "analysis/math/vec.h"

#define STRAIGHT_SINE 0.15 /* below this sine of the bend the given hinge contributes to the axis */
#define OVERSTRETCHED_SINE                                                                                           \
    0.5                  /* a backward bend below this sine is noise or hyperextension: its axis is reversed */
#define MIN_REACH 0.02 /* fraction of the length: closer to the root there is no direction */

double two_bone_soft_ratio(double ratio, double straight, double room)
{
    double beyond = ratio - straight;
    if (!(beyond > 0))
        return ratio;
    /* slope 1 at straight, tends to straight + room */
    return room > 0 ? straight + room * beyond / (room + beyond) : straight;
}

Vec3 two_bone_axis(Vec3 upper, Vec3 lower, Vec3 hinge)
{
    upper = vec3_normalize(upper);
    lower = vec3_normalize(lower);
    Vec3 normal = vec3_cross(upper, lower), about = vec3_normalize(hinge);
    double along = vec3_dot(normal, about), sine = vec3_norm(normal), lack = fmax(STRAIGHT_SINE - sine, 0);
    if (along < 0 && sine < OVERSTRETCHED_SINE)
        normal = vec3_mad(normal, -2 * along, about);
    Vec3 axis = vec3_mad(normal, lack * lack / STRAIGHT_SINE, about);
    return vec3_normalize(vec3_mad(axis, -vec3_dot(axis, upper), upper));
}

TwoBoneRotation two_bone_solve(const TwoBone *limb, Vec3 target, double reach)
{
    Vec3 a = vec3_sub(limb->middle, limb->root), b = vec3_sub(limb->end, limb->middle),
         to = vec3_sub(target, limb->root);
    double upper = vec3_norm(a), lower = vec3_norm(b), length = upper + lower;
    TwoBoneRotation rotation = {QUAT_IDENTITY, QUAT_IDENTITY};
    if (!(upper > 0) || !(lower > 0) || !(vec3_norm(to) > MIN_REACH * length))
        return rotation;
    reach = fmax(fmin(reach, length), fabs(upper - lower) + MIN_REACH * length);
    Vec3 u = vec3_scale(a, 1 / upper), axis = two_bone_axis(a, b, limb->hinge);
    /* law of cosines: reach^2 = upper^2 + lower^2 + 2 upper lower cos(bend) */
    double cosine = (reach * reach - upper * upper - lower * lower) / (2 * upper * lower);
    cosine = fmax(-1, fmin(1, cosine));
    Vec3 bent = vec3_mad(vec3_scale(u, cosine), sqrt(1 - cosine * cosine), vec3_cross(axis, u));
    rotation.middle = quat_between(b, bent);
    Vec3 end = vec3_mad(a, lower, bent);
    rotation.root = quat_between(end, to);
    rotation.middle = quat_mul(rotation.root, rotation.middle);
    return rotation;
}
