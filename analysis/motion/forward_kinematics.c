#include "analysis/motion/forward_kinematics.h"

#include "analysis/base/memory.h"
#include "analysis/motion/forward_kinematics_kernel.h"

Status forward_kinematics_check(const Skeleton *skeleton, const Motion *motion, const Body *body, Error *err)
{
    int joints = skeleton->joint_count;
    if (motion->joint_count != joints || (body && body->joint_count != joints))
        return error_set(err, STATUS_USAGE, "skeleton has %d joints, motion %d, body %d", joints, motion->joint_count,
                         body ? body->joint_count : joints);
    for (int j = 1; j < joints; j++)
        if (skeleton->parent[j] < 0 || skeleton->parent[j] >= j)
            return error_set(err, STATUS_USAGE, "joint %d has parent %d: the tree is not in order", j,
                             skeleton->parent[j]);
    return STATUS_OK;
}

void forward_kinematics_shares(const Body *body, double *share)
{
    double total = 0;
    for (int j = 0; j < body->joint_count; j++)
        total += body->mass[j];
    for (int j = 0; j < body->joint_count; j++)
        share[j] = total > 0 ? body->mass[j] / total : j == 0;
}

Status forward_kinematics(const Skeleton *skeleton, const Motion *motion, const Body *body, LaneWidth lanes,
                          Vec3 *position, Quat *orientation, Vec3 *com, Error *err)
{
    Status status = forward_kinematics_check(skeleton, motion, body, err);
    if (status || motion->frame_count <= 0 || motion->joint_count <= 0)
        return status;
    size_t joints = (size_t)motion->joint_count;
    LaneWidth width = lane_width_for_frames(lanes, motion->frame_count);
    double *scratch = array_new_aligned(joints * FORWARD_KINEMATICS_SCRATCH, (size_t)width, sizeof *scratch);
    double *share = array_new(joints, 1, sizeof *share);
    if (!scratch || !share) {
        status = error_no_memory(err);
        goto done;
    }
    if (body)
        forward_kinematics_shares(body, share);
    ForwardKinematicsView view = {
        .frame_count = (size_t)motion->frame_count, .joint_count = joints, .parent = skeleton->parent,
        .offset = skeleton->offset, .rotation = motion->rotation, .translation = motion->translation,
        .root_position = motion->root_position, .share = body ? share : NULL,
        .mass_centre = body ? body->com : NULL, .position = position, .orientation = orientation, .com = com,
        .scratch = scratch};
    LANE_TWIN(forward_kinematics_frames, width)(&view, 0, view.frame_count);
done:
    free(scratch);
    free(share);
    return status;
}
