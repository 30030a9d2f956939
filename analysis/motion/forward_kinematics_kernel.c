/* Forward kinematics of a block of frames, one a lane. */
#include "analysis/motion/forward_kinematics_kernel.h"

#include "analysis/math/lanes.h"

typedef struct LanePose {
    LaneQuat orientation;
    LaneVec3 position;
} LanePose;

_Static_assert(sizeof(LanePose) == FORWARD_KINEMATICS_SCRATCH * sizeof(Lane), "the caller allocates the scratch");

/* com += share (p + Q c Q*), c in joint axes */
LANE_INLINE LaneVec3 add_mass(LaneVec3 com, double share, LanePose pose, Vec3 centre)
{
    LaneVec3 at = lane_vec3_add(pose.position, lane_quat_rotate(pose.orientation, lane_vec3_set(centre)));
    return lane_vec3_add(com, lane_vec3_scale(at, lane_set(share)));
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
        if (v->share && v->share[j] != 0)
            com = add_mass(com, v->share[j], pose[j], v->mass_centre[j]);
    }
    if (v->share)
        lane_store3(v->com + first, 1, com);
}

void LANE_NAME(forward_kinematics_frames)(const ForwardKinematicsView *view, size_t first, size_t end)
{
    for (size_t f = first; f < end; f += LANES)
        pose_block(view, lane_block(f, view->frame_count));
}
