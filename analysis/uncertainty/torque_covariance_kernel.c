/* Covariances of torques, LANES frames or joints at a time. */
#include "analysis/uncertainty/torque_covariance.h"

#include "analysis/math/lanes.h"

typedef struct LaneSym3 {
    LaneVec3 diagonal, rest; /* xx, yy, zz; xy, xz, yz */
} LaneSym3;

_Static_assert(sizeof(Sym3) == 2 * sizeof(Vec3) && offsetof(Sym3, xy) == sizeof(Vec3), "two vectors are loaded");

LANE_INLINE LaneSym3 lane_sym3_load(const Sym3 *p, size_t stride)
{
    const Vec3 *half = (const Vec3 *)p;
    return (LaneSym3){lane_load3(half, 2 * stride), lane_load3(half + 1, 2 * stride)};
}

LANE_INLINE void lane_sym3_store(Sym3 *p, size_t stride, LaneSym3 a)
{
    Vec3 *half = (Vec3 *)p;
    lane_store3(half, 2 * stride, a.diagonal);
    lane_store3(half + 1, 2 * stride, a.rest);
}

LANE_INLINE LaneSym3 lane_sym3_add(LaneSym3 a, LaneSym3 b)
{
    return (LaneSym3){lane_vec3_add(a.diagonal, b.diagonal), lane_vec3_add(a.rest, b.rest)};
}

/* e e' */
LANE_INLINE LaneSym3 lane_square(LaneVec3 e)
{
    return (LaneSym3){{e.x * e.x, e.y * e.y, e.z * e.z}, {e.x * e.y, e.x * e.z, e.y * e.z}};
}

/* Covariance of d x f for an error d in the position of a force f, with this variance per component: v (f.f 1 - f f'),
 * as sym3_point_inertia. */
LANE_INLINE LaneSym3 lane_position_error(Lane v, LaneVec3 f)
{
    return (LaneSym3){{v * (f.y * f.y + f.z * f.z), v * (f.x * f.x + f.z * f.z), v * (f.x * f.x + f.y * f.y)},
                      {-v * f.x * f.y, -v * f.x * f.z, -v * f.y * f.z}};
}

size_t LANE_NAME(covariance_differences)(double scale, double most, const Vec3 *a, const Vec3 *b, size_t count,
                                         Sym3 *covariance)
{
    Lane one = lane_set(1), bound = lane_set(3 * most * most);
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        LaneVec3 change = lane_vec3_sub(lane_load3(a + i, 1), lane_load3(b + i, 1));
        LaneVec3 effect = lane_vec3_scale(change, lane_set(scale));
        Lane over = most > 0 ? lane_vec3_dot(effect, effect) / bound : lane_set(0);
        effect = lane_vec3_scale(effect, one / lane_sqrt(one + over));
        lane_sym3_store(covariance + i, 1, lane_sym3_add(lane_sym3_load(covariance + i, 1), lane_square(effect)));
    }
    return i;
}

/* 0 for negative values, which are rounding errors, and NaN. */
LANE_INLINE Lane lane_root(Lane variance)
{
    return lane_sqrt(lane_select(lane_less(lane_set(0), variance), variance, lane_set(0)));
}

/* 0 if one of them does not vary. */
LANE_INLINE Lane lane_correlation(Lane covariance, Lane a, Lane b)
{
    Lane zero = lane_set(0), one = lane_set(1), ratio = covariance / (a * b);
    ratio = lane_select(lane_less(ratio, one), ratio, one);
    ratio = lane_select(lane_less(-one, ratio), ratio, -one);
    return lane_select(lane_less(zero, a) & lane_less(zero, b), ratio, zero);
}

void LANE_NAME(covariance_spreads)(const Sym3 *covariance, double scale, size_t count, Vec3 *sd, Vec3 *correlation)
{
    for (size_t i = 0; i < count; i += LANES) {
        size_t at = lane_block(i, count);
        LaneSym3 c = lane_sym3_load(covariance + at, 1);
        LaneVec3 root = {lane_root(c.diagonal.x), lane_root(c.diagonal.y), lane_root(c.diagonal.z)};
        lane_store3(sd + at, 1, lane_vec3_scale(root, lane_set(scale)));
        lane_store3(correlation + at, 1, (LaneVec3){lane_correlation(c.rest.x, root.x, root.y),
                                                    lane_correlation(c.rest.y, root.x, root.z),
                                                    lane_correlation(c.rest.z, root.y, root.z)});
    }
}

/* Errors of the body. */

/* Scratch of a joint in a block of frames. */
typedef struct LaneJoint {
    LaneVec3 force;  /* N, that its segment requires of it, m (a - g) */
    LaneVec3 moment; /* Nm, about the joint: of that force at the segment's COM, and rate of the spin */
    LaneSym3 sum;    /* covariance of the torque */
    union {
        LaneSym3 beyond; /* covariance of the centres of mass at and beyond it */
        struct {
            LaneVec3 force, moment; /* additional ones of the segments at and beyond it */
        } added;
    };
} LaneJoint;

_Static_assert(sizeof(LaneJoint) == BODY_SPREAD_VALUES * sizeof(Lane), "the caller allocates the scratch");

/* Force that a joint transmits to its segment, minus the forces it transmits further and the loads on it. */
static void find_demands(const BodySpreadView *v, size_t frame, LaneJoint *joint)
{
    size_t stride = v->joint_count, row = frame * stride, loads = (size_t)v->loads->load_count;
    const Vec3 *position = v->position + row;
    for (size_t j = 0; j < v->joint_count; j++) {
        joint[j].force = lane_load3(v->force + row + j, stride);
        joint[j].moment = lane_load3(v->torque + row + j, stride);
    }
    for (size_t j = 1; j < v->joint_count; j++) {
        LaneJoint *parent = &joint[v->parent[j]];
        LaneVec3 force = lane_load3(v->force + row + j, stride), torque = lane_load3(v->torque + row + j, stride);
        LaneVec3 arm = lane_vec3_sub(lane_load3(position + j, stride), lane_load3(position + v->parent[j], stride));
        parent->force = lane_vec3_sub(parent->force, force);
        parent->moment = lane_vec3_sub(parent->moment, lane_vec3_add(torque, lane_vec3_cross(arm, force)));
    }
    for (size_t l = 0; l < loads; l++) {
        size_t at = frame * loads + l, j = (size_t)v->loads->joint[l];
        LaneVec3 force = lane_load3(v->loads->force + at, loads), moment = lane_load3(v->loads->moment + at, loads);
        LaneVec3 about = lane_vec3_sub(moment, lane_vec3_cross(lane_load3(position + j, stride), force));
        joint[j].force = lane_vec3_add(joint[j].force, force);
        joint[j].moment = lane_vec3_add(joint[j].moment, about);
    }
}

/* An error d of a joint centre changes the joint's torque by -d x F. An error d of a segment's centre of mass changes
 * its own torque and those above by d x m (a - g); these covariances accumulate from the tips inward. */
static void add_positions(const BodySpreadView *v, size_t frame, LaneJoint *joint)
{
    size_t stride = v->joint_count, row = frame * stride;
    for (size_t j = 0; j < v->joint_count; j++)
        joint[j].beyond = lane_position_error(lane_set(v->segment_variance[j]), joint[j].force);
    for (size_t j = v->joint_count - 1; j > 0; j--) {
        LaneJoint *above = &joint[v->parent[j]];
        LaneSym3 centre = lane_position_error(lane_set(v->joint_variance), lane_load3(v->force + row + j, stride));
        joint[j].sum = lane_sym3_add(lane_sym3_load(v->covariance + row + j, stride), centre);
        joint[j].sum = lane_sym3_add(joint[j].sum, joint[j].beyond);
        above->beyond = lane_sym3_add(above->beyond, joint[j].beyond);
    }
}

/* A segment that is heavier by a fraction requires as much more force. */
static void add_masses(const BodySpreadView *v, size_t frame, const MassGroup *group, LaneJoint *joint)
{
    const Vec3 *position = v->position + frame * v->joint_count;
    size_t stride = v->joint_count;
    for (size_t j = 0; j < v->joint_count; j++) {
        Lane part = lane_set(group->part[j]);
        joint[j].added.force = lane_vec3_scale(joint[j].force, part);
        joint[j].added.moment = lane_vec3_scale(joint[j].moment, part);
    }
    for (size_t j = v->joint_count - 1; j > 0; j--) {
        if (!group->carries[j])
            continue;
        LaneJoint *at = &joint[j], *parent = &joint[v->parent[j]];
        LaneVec3 arm = lane_vec3_sub(lane_load3(position + j, stride), lane_load3(position + v->parent[j], stride));
        LaneVec3 lifted = lane_vec3_cross(arm, at->added.force);
        at->sum = lane_sym3_add(at->sum, lane_square(at->added.moment));
        parent->added.force = lane_vec3_add(parent->added.force, at->added.force);
        parent->added.moment = lane_vec3_add(parent->added.moment, lane_vec3_add(at->added.moment, lifted));
    }
}

size_t LANE_NAME(body_spread_frames)(const BodySpreadView *v, size_t first)
{
    LaneJoint *joint = (LaneJoint *)v->scratch;
    for (; first + LANES <= v->frame_count; first += LANES) {
        find_demands(v, first, joint);
        add_positions(v, first, joint);
        for (int i = 0; i < v->group_count; i++)
            add_masses(v, first, &v->group[i], joint);
        for (size_t j = 1; j < v->joint_count; j++)
            lane_sym3_store(v->covariance + first * v->joint_count + j, v->joint_count, joint[j].sum);
    }
    return first;
}
