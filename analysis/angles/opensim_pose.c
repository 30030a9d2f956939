/* Pelvis and arms in the convention of OpenSim's Rajagopal (2016) model (opensim_pose.h). */
#include "analysis/angles/opensim_pose.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/angles/coordinates.h"
#include "analysis/angles/joint_axes.h"
#include "analysis/angles/neutral_pose.h"
#include "analysis/base/arena.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"

/* Rz(tilt) Rx(list) Ry(rotation) from axes of the pelvis to the world's, and the moment about each axis. */
static void rotate_pelvis(Quat axes, Vec3 torque, Vec3 *angle, Vec3 *moment)
{
    Vec3 x = quat_rotate(axes, vec3(1, 0, 0)), y = quat_rotate(axes, vec3(0, 1, 0));
    Vec3 z = quat_rotate(axes, vec3(0, 0, 1)), second = vec3_cross(y, vec3(0, 0, 1));
    double sine = vec3_norm(second);
    *moment = vec3(torque.z, vec3_dot(torque, vec3_normalize(second)), vec3_dot(torque, y));
    *angle = vec3(NAN, NAN, NAN);
    if (sine >= elementary_sin(SINGULAR_NEAR * (PI / 180)))
        *angle = vec3(elementary_atan2(-y.x, y.y), elementary_atan2(y.z, sine), elementary_atan2(-x.z, z.z));
}

static Status find_pelvis(OpensimPose *pose, const NeutralPose *neutral, const ClipView *clip,
                          const Dynamics *dynamics, Error *err)
{
    const Kinematics *k = clip->kinematics;
    pose->pelvis = neutral->has_body ? neutral->from.joint[ROLE_HIPS] : -1;
    if (pose->pelvis < 0)
        return STATUS_OK;
    pose->pelvis_angle = array_new((size_t)pose->frame_count, 1, sizeof *pose->pelvis_angle);
    pose->pelvis_moment = array_new((size_t)pose->frame_count, 1, sizeof *pose->pelvis_moment);
    if (!pose->pelvis_angle || !pose->pelvis_moment)
        return error_no_memory(err);
    Quat axes = neutral_pose_axes(neutral, pose->pelvis);
    for (int f = 0; f < pose->frame_count; f++) {
        size_t at = (size_t)f * (size_t)k->joint_count + (size_t)pose->pelvis;
        rotate_pelvis(quat_mul(k->orientation[at], axes), dynamics ? dynamics->torque[at] : vec3(0, 0, 0),
                      &pose->pelvis_angle[f], &pose->pelvis_moment[f]);
    }
    return STATUS_OK;
}

/* Keeps the shoulders only, with the rotation sequence of the hips. */
static void keep_arms(JointAxesSet *axes)
{
    int count = 0;
    for (int i = 0; i < axes->count; i++) {
        JointAxes arm = axes->joint[i];
        if (arm.order != AXES_YXY)
            continue;
        arm.order = AXES_ZXY;
        axes->joint[count++] = arm;
    }
    axes->count = count;
}

Status opensim_pose_init(OpensimPose *pose, const ClipView *clip, const Dynamics *dynamics, Error *err)
{
    Arena arena = {0};
    NeutralPose neutral;
    JointAxesSet axes = {0};
    *pose = (OpensimPose){.frame_count = clip->kinematics->frame_count, .pelvis = -1};
    Status status = neutral_pose_init(&neutral, clip, &arena, err);
    if (!status)
        status = find_pelvis(pose, &neutral, clip, dynamics, err);
    if (!status) {
        axes.count = joint_axes_find(&neutral, axes.joint);
        keep_arms(&axes);
        status = coordinates_compute(&axes, clip->kinematics, dynamics, &pose->arms, err);
    }
    arena_free(&arena);
    if (status)
        opensim_pose_free(pose);
    return status;
}

void opensim_pose_free(OpensimPose *pose)
{
    free(pose->pelvis_angle);
    free(pose->pelvis_moment);
    joint_angles_free(&pose->arms);
    *pose = (OpensimPose){.pelvis = -1};
}
