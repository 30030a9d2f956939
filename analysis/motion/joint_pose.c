/* See joint_pose.h. */
#include "analysis/motion/joint_pose.h"

#include "analysis/base/arena.h"
#include "analysis/math/vec.h"

JointPose joint_pose_in(JointPose frame, JointPose pose)
{
    return (JointPose){quat_rotate_inverse(frame.orientation, vec3_sub(pose.position, frame.position)),
                       quat_normalize(quat_mul(quat_conjugate(frame.orientation), pose.orientation))};
}

JointPose joint_pose_from(JointPose frame, JointPose local)
{
    return (JointPose){vec3_add(frame.position, quat_rotate(frame.orientation, local.position)),
                       quat_mul(frame.orientation, local.orientation)};
}

JointPose joint_pose(const Skeleton *s, const Motion *m, int frame, int joint)
{
    size_t at = motion_index(m, frame, joint);
    if (joint == 0)
        return (JointPose){m->root_position[frame], m->rotation[at]};
    JointPose local = {m->translation ? m->translation[at] : s->offset[joint], m->rotation[at]};
    return joint_pose_from(joint_pose(s, m, frame, s->parent[joint]), local);
}

Status joint_pose_add_translations(const Skeleton *s, Motion *m, Error *err)
{
    if (m->translation)
        return STATUS_OK;
    m->translation = array_new((size_t)m->frame_count, (size_t)m->joint_count, sizeof *m->translation);
    if (!m->translation)
        return error_no_memory(err);
    for (int f = 0; f < m->frame_count; f++)
        for (int j = 1; j < m->joint_count; j++)
            m->translation[motion_index(m, f, j)] = s->offset[j];
    return STATUS_OK;
}

void joint_pose_set(const Skeleton *s, Motion *m, int frame, int joint, JointPose world)
{
    size_t at = motion_index(m, frame, joint);
    if (joint == 0) {
        m->root_position[frame] = world.position;
        m->rotation[at] = world.orientation;
        return;
    }
    JointPose local = joint_pose_in(joint_pose(s, m, frame, s->parent[joint]), world);
    m->translation[at] = local.position;
    m->rotation[at] = local.orientation;
}
