/* The two-pass recursion over the tree, LANES frames at a time (thesis 3.8, figure 3.2).
 *
 * Outward from the root: pose, acceleration, and the force and moment that each body's motion requires. Inward from the
 * tips: forces and moments are passed from child to parent. World axes. A joint passes its children their lever arm and
 * acceleration while its rotation matrix is in registers, so that only 16 lanes per joint are stored between the passes
 * (3 more with loads). About 260 operations per joint; in measurements arithmetic is the bottleneck. */
#include "analysis/dynamics/inverse_dynamics.h"

#include "analysis/math/lanes.h"

typedef struct LaneJoint {
    LaneQuat orientation;  /* joint to world */
    LaneVec3 arm;          /* parent's joint centre to this one */
    LaneVec3 angular_velocity;
    LaneVec3 force;        /* outward: acceleration of the joint centre minus gravity; inward: TLF of (3.41), negated */
    LaneVec3 torque;
} LaneJoint;

_Static_assert(sizeof(LaneJoint) + sizeof(LaneVec3) == INVERSE_DYNAMICS_SCRATCH * sizeof(Lane),
               "the caller allocates the scratch");

/* Joint centres, after the joints in the scratch; used with loads. */
LANE_INLINE LaneVec3 *positions(const InverseDynamicsView *v)
{
    return (LaneVec3 *)((LaneJoint *)v->scratch + v->joint_count);
}

LANE_INLINE LaneVec3 lane_mat3_mul_vec3(const LaneMat3 *m, Vec3 v) { return lane_mat3_mul(*m, lane_vec3_set(v)); }

LANE_INLINE LaneVec3 lane_mat3_mul_transposed(const LaneMat3 *m, LaneVec3 v)
{
    return lane_vec3_add(lane_vec3_add(lane_vec3_scale(m->r[0], v.x), lane_vec3_scale(m->r[1], v.y)),
                         lane_vec3_scale(m->r[2], v.z));
}

LANE_INLINE LaneVec3 lane_sym3_mul(const Sym3 *s, LaneVec3 v)
{
    Lane xy = lane_set(s->xy), xz = lane_set(s->xz), yz = lane_set(s->yz);
    return (LaneVec3){lane_set(s->xx) * v.x + xy * v.y + xz * v.z, xy * v.x + lane_set(s->yy) * v.y + yz * v.z,
                      xz * v.x + yz * v.y + lane_set(s->zz) * v.z};
}

/* The matrix S with S r = alpha x r + omega x (omega x r): acceleration along a rigid segment (3.7). */
LANE_INLINE LaneMat3 lane_segment_acceleration(LaneVec3 omega, LaneVec3 alpha)
{
    Lane xx = omega.x * omega.x, yy = omega.y * omega.y, zz = omega.z * omega.z;
    Lane xy = omega.x * omega.y, xz = omega.x * omega.z, yz = omega.y * omega.z;
    return (LaneMat3){{{-(yy + zz), xy - alpha.z, xz + alpha.y},
                       {xy + alpha.z, -(xx + zz), yz - alpha.x},
                       {xz - alpha.y, yz + alpha.x, -(xx + yy)}}};
}

/* I alpha + omega x (I omega) in world axes: (3.19) with the gyroscopic moment, computed in joint axes. */
LANE_INLINE LaneVec3 lane_inertia_moment(const LaneMat3 *rotation, const Sym3 *inertia, LaneVec3 omega, LaneVec3 alpha)
{
    LaneVec3 w = lane_mat3_mul_transposed(rotation, omega), a = lane_mat3_mul_transposed(rotation, alpha);
    LaneVec3 moment = lane_vec3_add(lane_sym3_mul(inertia, a), lane_vec3_cross(w, lane_sym3_mul(inertia, w)));
    return lane_mat3_mul(*rotation, moment);
}

/* Passes lever arm and acceleration (3.7), and with loads the position, to the children. */
LANE_INLINE void hand_outward(const InverseDynamicsView *v, size_t row, size_t j, const LaneMat3 *rotation,
                              const LaneMat3 *segment, LaneVec3 acceleration)
{
    LaneJoint *joints = (LaneJoint *)v->scratch;
    for (int c = v->joint[j].first_child; c >= 0; c = v->joint[c].next_sibling) {
        LaneJoint *child = &joints[c];
        size_t at = row + (size_t)c;
        if (v->translation) {
            child->arm = lane_mat3_mul(*rotation, lane_load3(v->translation + at, v->joint_count));
            child->force = lane_vec3_sub(lane_load3(v->acceleration + at, v->joint_count), lane_vec3_set(v->gravity));
        } else {
            child->arm = lane_mat3_mul_vec3(rotation, v->joint[c].offset);
            child->force = lane_vec3_add(acceleration, lane_mat3_mul(*segment, child->arm));
        }
        if (v->load_count)
            positions(v)[c] = lane_vec3_add(positions(v)[j], child->arm);
    }
}

/* Subtracts F_ext from the force, and (J - origin) x F_ext and tau_ext from the moment about the joint centre J. */
LANE_INLINE void subtract_load(const InverseDynamicsView *v, size_t first, size_t load, LaneVec3 position,
                               LaneJoint *joint)
{
    size_t at = first * v->load_count + load;
    LaneVec3 force = lane_load3(v->load_force + at, v->load_count);
    LaneVec3 moment = lane_load3(v->load_moment + at, v->load_count);
    joint->force = lane_vec3_sub(joint->force, force);
    joint->torque = lane_vec3_sub(joint->torque, lane_vec3_sub(moment, lane_vec3_cross(position, force)));
}

/* Force and moment that the motion of body j requires about its joint centre: the terms of (3.41), (3.46) without its
 * children, with B* - J written as `com`. */
LANE_INLINE void visit_outward(const InverseDynamicsView *v, size_t first, size_t j, LaneJoint *joints)
{
    const TreeJoint *tree = &v->joint[j];
    LaneJoint *joint = &joints[j];
    size_t row = first * v->joint_count, at = row + j;
    LaneQuat local = lane_load4(v->rotation + at, v->joint_count);
    joint->orientation = tree->parent < 0 ? local : lane_quat_mul(joints[tree->parent].orientation, local);
    LaneVec3 omega = lane_load3(v->angular_velocity + at, v->joint_count);
    LaneVec3 alpha = lane_load3(v->angular_acceleration + at, v->joint_count);
    LaneMat3 rotation = lane_quat_to_mat3(joint->orientation);
    LaneMat3 segment = lane_segment_acceleration(omega, alpha);
    LaneVec3 acceleration = joint->force;
    joint->angular_velocity = omega;
    hand_outward(v, row, j, &rotation, &segment, acceleration);
    joint->force = joint->torque = lane_vec3_set((Vec3){0, 0, 0});
    if (tree->has_inertia) {
        LaneVec3 com = lane_mat3_mul_vec3(&rotation, tree->com);
        LaneVec3 demand = lane_vec3_add(acceleration, lane_mat3_mul(segment, com));
        joint->force = lane_vec3_scale(demand, lane_set(tree->mass));
        joint->torque = lane_vec3_add(lane_inertia_moment(&rotation, &tree->inertia, omega, alpha),
                                      lane_vec3_cross(com, joint->force));
    }
    if (v->load_count && tree->load >= 0)
        subtract_load(v, first, (size_t)tree->load, positions(v)[j], joint);
}

/* Velocity of a translating joint centre relative to the parent body: v_j - (v_p + omega_p x arm). */
LANE_INLINE LaneVec3 slide_velocity(const InverseDynamicsView *v, size_t row, size_t j, const LaneJoint *joints)
{
    int parent = v->joint[j].parent;
    LaneVec3 own = lane_load3(v->velocity + row + j, v->joint_count);
    if (parent < 0)
        return own;
    LaneVec3 carried = lane_vec3_add(lane_load3(v->velocity + row + (size_t)parent, v->joint_count),
                                     lane_vec3_cross(joints[parent].angular_velocity, joints[j].arm));
    return lane_vec3_sub(own, carried);
}

/* Stores joint j and adds its force and moment to the parent: tau_c + p_c x F_c in (3.46). */
LANE_INLINE void visit_inward(const InverseDynamicsView *v, size_t first, size_t j, LaneJoint *joints)
{
    int parent = v->joint[j].parent;
    LaneJoint *joint = &joints[j];
    size_t row = first * v->joint_count, at = row + j;
    LaneVec3 relative = joint->angular_velocity;
    if (parent >= 0)
        relative = lane_vec3_sub(relative, joints[parent].angular_velocity);
    Lane power = lane_vec3_dot(joint->torque, relative);
    if (parent < 0 || v->translation)
        power = power + lane_vec3_dot(joint->force, slide_velocity(v, row, j, joints));
    lane_store3(v->torque + at, v->joint_count, joint->torque);
    lane_store3(v->force + at, v->joint_count, joint->force);
    lane_store(v->power + at, v->joint_count, power);
    if (parent < 0)
        return;
    LaneJoint *up = &joints[parent];
    up->force = lane_vec3_add(up->force, joint->force);
    up->torque = lane_vec3_add(up->torque, lane_vec3_add(joint->torque, lane_vec3_cross(joint->arm, joint->force)));
}

LANE_INLINE void visit_frames(const InverseDynamicsView *v)
{
    LaneJoint *joints = (LaneJoint *)v->scratch;
    for (size_t f = 0; f < v->frame_count; f += LANES) {
        size_t first = lane_block(f, v->frame_count), row = first * v->joint_count;
        if (v->load_count)
            positions(v)[0] = lane_load3(v->root_position + first, 1);
        joints[0].force = lane_vec3_sub(lane_load3(v->acceleration + row, v->joint_count), lane_vec3_set(v->gravity));
        for (size_t j = 0; j < v->joint_count; j++)
            visit_outward(v, first, j, joints);
        for (size_t j = v->joint_count; j-- > 0;)
            visit_inward(v, first, j, joints);
    }
}

/* Specializes the common case without translations and loads, so that the compiler removes their branches. */
void LANE_NAME(inverse_dynamics_frames)(const InverseDynamicsView *view)
{
    InverseDynamicsView v = *view;
    if (v.translation || v.load_count) {
        visit_frames(&v);
        return;
    }
    v.translation = NULL;
    v.load_count = 0;
    visit_frames(&v);
}
