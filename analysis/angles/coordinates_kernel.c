/* Anatomical coordinates, LANES frames at a time: about 200 operations and three arc tangents per joint.
 *
 * With the segments' axes P and D in world axes, R = P'D is decomposed as Rz(a) Rx(b) Ry(c), the Cardan angles of Grood
 * and Suntay, J. Biomech. Eng. 105 (1983); the shoulder's as Ry(a) Rx(-b) Ry(c) (Wu et al., J. Biomech. 38 (2005)).
 * Left joints are mirrored first, so that one formula serves both sides. */
#include <math.h>

#include "analysis/angles/coordinates_internal.h"
#include "analysis/math/lanes.h"

/* The columns of a rotation matrix: axes of a segment in world axes. */
typedef struct LaneAxes {
    LaneVec3 x, y, z;
} LaneAxes;

/* Three angles, their axes, and the sine of the angle between the outer axes. */
typedef struct LaneRotation {
    Lane angle[3];
    LaneVec3 axis[3];
    Lane sine;
} LaneRotation;

LANE_INLINE LaneQuat lane_quat_set(Quat q)
{
    return (LaneQuat){lane_set(q.w), lane_set(q.x), lane_set(q.y), lane_set(q.z)};
}

LANE_INLINE LaneAxes lane_segment_axes(const Quat *orientation, size_t stride, Quat axes)
{
    LaneMat3 m = lane_quat_to_mat3(lane_quat_mul(lane_load4(orientation, stride), lane_quat_set(axes)));
    return (LaneAxes){{m.r[0].x, m.r[1].x, m.r[2].x}, {m.r[0].y, m.r[1].y, m.r[2].y}, {m.r[0].z, m.r[1].z, m.r[2].z}};
}

/* The second axis, normal to both others; `sine` is the length of their cross product. Near zero, `otherwise` replaces
 * it. */
LANE_INLINE LaneVec3 lane_normal(LaneVec3 cross, Lane sine, LaneVec3 otherwise)
{
    LaneMask regular = lane_less(lane_set(1e-9), sine);
    Lane scale = lane_set(1) / lane_select(regular, sine, lane_set(1));
    return (LaneVec3){lane_select(regular, cross.x * scale, otherwise.x),
                      lane_select(regular, cross.y * scale, otherwise.y),
                      lane_select(regular, cross.z * scale, otherwise.z)};
}

LANE_INLINE LaneRotation lane_rotation_zxy(const LaneAxes *p, const LaneAxes *d, Lane mirror)
{
    LaneVec3 cross = lane_vec3_cross(d->y, p->z);
    Lane sine = lane_sqrt(lane_vec3_dot(cross, cross));
    return (LaneRotation){{lane_atan2(-lane_vec3_dot(p->x, d->y), lane_vec3_dot(p->y, d->y)),
                           lane_atan2(mirror * lane_vec3_dot(p->z, d->y), sine),
                           lane_atan2(-mirror * lane_vec3_dot(p->z, d->x), lane_vec3_dot(p->z, d->z))},
                      {p->z, lane_normal(cross, sine, p->x), d->y}, sine};
}

LANE_INLINE LaneRotation lane_rotation_yxy(const LaneAxes *p, const LaneAxes *d, Lane mirror)
{
    LaneVec3 cross = lane_vec3_cross(p->y, d->y);
    Lane sine = lane_sqrt(lane_vec3_dot(cross, cross));
    return (LaneRotation){{lane_atan2(-lane_vec3_dot(p->x, d->y), -mirror * lane_vec3_dot(p->z, d->y)),
                           lane_atan2(sine, lane_vec3_dot(p->y, d->y)),
                           lane_atan2(-lane_vec3_dot(p->y, d->x), mirror * lane_vec3_dot(p->y, d->z))},
                      {p->y, lane_normal(cross, sine, p->x), d->y}, sine};
}

/* Rates of the angles by the dual basis in closed form: the axes are unit vectors and the middle one is normal to the
 * others. */
LANE_INLINE void lane_rates(const LaneRotation *rotation, LaneVec3 omega, Lane rate[3])
{
    Lane cosine = lane_vec3_dot(rotation->axis[0], rotation->axis[2]),
         min = lane_set(1) / (rotation->sine * rotation->sine);
    Lane first = lane_vec3_dot(omega, rotation->axis[0]), last = lane_vec3_dot(omega, rotation->axis[2]);
    rate[0] = (first - cosine * last) * min;
    rate[1] = lane_vec3_dot(omega, rotation->axis[1]);
    rate[2] = (last - cosine * first) * min;
}

LANE_INLINE void visit_joint(const CoordinatesView *v, size_t first, size_t index)
{
    const CoordinateJoint *joint = &v->axes[index];
    size_t row = first * v->joint_count, stride = v->joint_count;
    size_t columns = 3 * v->axes_count, at = first * columns + 3 * index;
    LaneAxes p = lane_segment_axes(v->orientation + row + joint->proximal, stride, joint->proximal_axes);
    LaneAxes d = lane_segment_axes(v->orientation + row + joint->distal, stride, joint->distal_axes);
    Lane mirror = lane_set(joint->mirror), gap = lane_set(NAN), rate[3];
    LaneRotation rotation = joint->is_shoulder ? lane_rotation_yxy(&p, &d, mirror) : lane_rotation_zxy(&p, &d, mirror);
    LaneVec3 omega = lane_vec3_sub(lane_load3(v->angular_velocity + row + joint->distal, stride),
                                   lane_load3(v->angular_velocity + row + joint->proximal, stride));
    LaneVec3 torque = v->torque ? lane_load3(v->torque + row + joint->joint, stride) : lane_vec3_set((Vec3){0, 0, 0});
    LaneMask singular = lane_less(rotation.sine, lane_set(v->min_sine));
    for (int k = 0; k < 3; k++)
        rotation.axis[k] = lane_vec3_scale(rotation.axis[k], lane_set(joint->axis_sign[k]));
    lane_rates(&rotation, omega, rate);
    for (size_t k = 0; k < 3; k++) {
        Lane angle = rotation.angle[k] * lane_set(joint->angle_sign[k]),
             moment = lane_vec3_dot(torque, rotation.axis[k]);
        lane_store(v->angle + at + k, columns, lane_select(singular, gap, angle));
        lane_store(v->velocity + at + k, columns, lane_select(singular, gap, rate[k]));
        lane_store(v->moment + at + k, columns, moment);
        lane_store(v->power + at + k, columns, lane_select(singular, gap, moment * rate[k]));
        if (v->axis)
            lane_store3(v->axis + at + k, columns, rotation.axis[k]);
        for (int l = 0; l < LANES; l++)
            v->singular[at + k + (size_t)l * columns] = lane_mask_get(singular, l) != 0;
    }
}

void LANE_NAME(coordinates_frames)(const CoordinatesView *view)
{
    for (size_t f = 0; f < view->frame_count; f += LANES) {
        size_t first = lane_block(f, view->frame_count);
        for (size_t index = 0; index < view->axes_count; index++)
            visit_joint(view, first, index);
    }
}
