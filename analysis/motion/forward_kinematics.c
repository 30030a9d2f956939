/* See forward_kinematics.h. */
#include "analysis/motion/forward_kinematics.h"

#include "analysis/base/arena.h"

Status forward_kinematics_check(const ClipView *clip, Error *err)
{
    const Skeleton *skeleton = clip->skeleton;
    const Motion *motion = clip->motion;
    const Body *body = clip->body;
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

void forward_kinematics_mass_fractions(const Body *body, double *mass_fraction)
{
    double total = 0;
    for (int j = 0; j < body->joint_count; j++)
        total += body->mass[j];
    for (int j = 0; j < body->joint_count; j++)
        mass_fraction[j] = total > 0 ? body->mass[j] / total : j == 0;
}

Status forward_kinematics(const ClipView *clip, LaneWidth lanes, const WorldPoses *out, Error *err)
{
    const Motion *motion = clip->motion;
    const Body *body = out->com ? clip->body : NULL;
    Status status = forward_kinematics_check(clip, err);
    if (status || motion->frame_count <= 0 || motion->joint_count <= 0)
        return status;
    size_t joints = (size_t)motion->joint_count;
    LaneWidth width = lane_width_for_frames(lanes, motion->frame_count);
    Arena arena = {0};
    double *scratch = arena_array(&arena, joints * FORWARD_KINEMATICS_SCRATCH, (size_t)width, sizeof *scratch);
    double *mass_fraction = arena_array(&arena, joints, 1, sizeof *mass_fraction);
    if (arena.failed) {
        status = error_no_memory(err);
        goto done;
    }
    if (body)
        forward_kinematics_mass_fractions(body, mass_fraction);
    ForwardKinematicsView view = {
        .frame_count = (size_t)motion->frame_count, .joint_count = joints, .parent = clip->skeleton->parent,
        .offset = clip->skeleton->offset, .rotation = motion->rotation, .translation = motion->translation,
        .root_position = motion->root_position, .mass_fraction = body ? mass_fraction : NULL,
        .mass_centre = body ? body->com : NULL, .position = out->position, .orientation = out->orientation,
        .com = out->com, .scratch = scratch};
    LANE_TWIN(forward_kinematics_frames, width)(&view, 0, view.frame_count);
done:
    arena_free(&arena);
    return status;
}

void joint_path(const ClipView *clip, int joint, int first, int count, LaneWidth lanes, const WorldPoses *out)
{
    const Motion *m = clip->motion;
    size_t row = motion_index(m, first, 0);
    JointPathView view = {
        .frame_count = (size_t)count, .joint_count = (size_t)m->joint_count, .joint = joint,
        .parent = clip->skeleton->parent, .offset = clip->skeleton->offset, .rotation = m->rotation + row,
        .translation = m->translation ? m->translation + row : NULL, .root_position = m->root_position + first,
        .position = out->position, .orientation = out->orientation};
    LANE_TWIN(joint_path_frames, lane_width_for_frames(lanes, count))(&view);
}
