/* Effects of errors of the body, LANES frames at a time. */
#include "analysis/math/lanes.h"
#include "analysis/uncertainty/body_terms_internal.h"
#include "analysis/uncertainty/lane_sym3.h"

/* Scratch of a joint in a block of frames. */
typedef struct LaneJoint {
    LaneVec3 force;  /* N, that its segment requires of it, m (a - g) */
    LaneVec3 moment; /* N m, about the joint: of that force at the segment's COM, and rate of the spin */
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
