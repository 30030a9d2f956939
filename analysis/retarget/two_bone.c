#include "analysis/retarget/two_bone.h"

#include "analysis/math/elementary.h"

#define HINGE_SHARE 0.2 /* sine of the bend up to which the known hinge helps to tell the axis */
#define LEAST_REACH 0.02 /* of the length: nearer the root there is no direction */

double two_bone_soft_ratio(double ratio, double straight, double room)
{
    double beyond = ratio - straight;
    if (!(beyond > 0))
        return ratio;
    /* slope 1 at straight, tends to straight + room */
    return room > 0 ? straight + room * beyond / (room + beyond) : straight;
}

/* Axis about which the lower bone bends: normal to both bones, helped by the known hinge where they are nearly in line;
 * normal to the upper bone. */
static Vec3 bend_axis(Vec3 upper, Vec3 lower, Vec3 hinge)
{
    Vec3 axis = vec3_mad(vec3_cross(upper, lower), HINGE_SHARE, vec3_normalize(hinge));
    return vec3_normalize(vec3_mad(axis, -vec3_dot(axis, upper), upper));
}

TwoBoneTurn two_bone_solve(const TwoBone *limb, Vec3 target, double reach)
{
    Vec3 a = vec3_sub(limb->middle, limb->root), b = vec3_sub(limb->end, limb->middle), to = vec3_sub(target, limb->root);
    double upper = vec3_norm(a), lower = vec3_norm(b), length = upper + lower;
    TwoBoneTurn turn = {QUAT_IDENTITY, QUAT_IDENTITY};
    if (!(upper > 0) || !(lower > 0) || !(vec3_norm(to) > LEAST_REACH * length))
        return turn;
    reach = fmax(fmin(reach, length), fabs(upper - lower) + LEAST_REACH * length);
    Vec3 u = vec3_scale(a, 1 / upper), axis = bend_axis(u, vec3_scale(b, 1 / lower), limb->hinge);
    /* |a + R b|^2 = reach^2 with R a turn by theta about the axis, which is normal to a:
     *     u . R b = p cos theta + q sin theta,  p = u . b,  q = u . (axis x b)
     * theta = atan2(q, p) makes the limb straight, further on it bends. */
    double p = vec3_dot(u, b), q = vec3_dot(u, vec3_cross(axis, b)), radius = sqrt(p * p + q * q);
    double along = (reach * reach - upper * upper - lower * lower) / (2 * upper);
    double bend = radius > 0 ? elementary_acos(fmax(-1, fmin(1, along / radius))) : 0;
    turn.middle = quat_from_axis_angle(axis, elementary_atan2(q, p) + bend);
    Vec3 end = vec3_add(a, quat_rotate(turn.middle, b));
    turn.root = quat_between(end, to);
    turn.middle = quat_mul(turn.root, turn.middle);
    return turn;
}
