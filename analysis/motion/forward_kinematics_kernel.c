/* Forward kinematics of a block of frames, one frame per lane (forward_kinematics.h). */
#include "analysis/math/lanes.h"
#include "analysis/motion/forward_kinematics.h"

typedef struct LanePose {
    LaneQuat orientation;
    LaneVec3 position;
} LanePose;

_Static_assert(sizeof(LanePose) == FORWARD_KINEMATICS_SCRATCH * sizeof(Lane), "the caller allocates the scratch");

/* com += mass_fraction (p + Q c Q*), c in joint axes */
LANE_INLINE LaneVec3 add_mass(LaneVec3 com, double mass_fraction, LanePose pose, Vec3 centre)
{
    LaneVec3 at = lane_vec3_add(pose.position, lane_quat_rotate(pose.orientation, lane_vec3_set(centre)));
    return lane_vec3_add(com, lane_vec3_scale(at, lane_set(mass_fraction)));
}

LANE_INLINE LanePose pose_joint(const ForwardKinematicsView *v, const LanePose *pose, size_t j, size_t at)
{
    size_t joints = v->joint_count;
    LaneQuat q = lane_load4(v->rotation + at, joints);
    LanePose parent = pose[v->parent[j]];
    LaneVec3 l = v->translation ? lane_load3(v->translation + at, joints) : lane_vec3_set(v->offset[j]);
    return (LanePose){lane_quat_mul(parent.orientation, q),
                      lane_vec3_add(parent.position, lane_quat_rotate(parent.orientation, l))};
}

static void pose_block(const ForwardKinematicsView *v, size_t first)
{
    LanePose *pose = (LanePose *)v->scratch;
    LaneVec3 com = lane_vec3_set((Vec3){0, 0, 0});
    for (size_t j = 0; j < v->joint_count; j++) {
        size_t at = first * v->joint_count + j;
        if (j == 0)
            pose[0] = (LanePose){lane_load4(v->rotation + at, v->joint_count), lane_load3(v->root_position + first, 1)};
        else
            pose[j] = pose_joint(v, pose, j, at);
        lane_store4(v->orientation + at, v->joint_count, pose[j].orientation);
        lane_store3(v->position + at, v->joint_count, pose[j].position);
        if (v->mass_fraction && v->mass_fraction[j] != 0)
            com = add_mass(com, v->mass_fraction[j], pose[j], v->mass_centre[j]);
    }
    if (v->mass_fraction)
        lane_store3(v->com + first, 1, com);
}

void LANE_NAME(forward_kinematics_frames)(const ForwardKinematicsView *view, size_t first, size_t end)
{
    for (size_t f = first; f < end; f += LANES)
        pose_block(view, lane_block(f, view->frame_count));
}

/* One joint of a block of frames, from the joint up to the root. */
static void path_block(const JointPathView *v, size_t first)
{
    size_t stride = v->joint_count, row = first * stride;
    LaneQuat rotation = lane_load4(v->rotation + row + v->joint, stride);
    LaneVec3 position = lane_vec3_set((Vec3){0, 0, 0});
    for (int j = v->joint; v->parent[j] >= 0; j = v->parent[j]) {
        LaneQuat above = lane_load4(v->rotation + row + v->parent[j], stride);
        LaneVec3 arm = v->translation ? lane_load3(v->translation + row + j, stride) : lane_vec3_set(v->offset[j]);
        position = lane_quat_rotate(above, lane_vec3_add(position, arm));
        rotation = lane_quat_mul(above, rotation);
    }
    lane_store3(v->position + first, 1, lane_vec3_add(position, lane_load3(v->root_position + first, 1)));
    lane_store4(v->orientation + first, 1, rotation);
}

void LANE_NAME(joint_path_frames)(const JointPathView *view)
{
    for (size_t f = 0; f < view->frame_count; f += LANES)
        path_block(view, lane_block(f, view->frame_count));
}
