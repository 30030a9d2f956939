#include "analysis/clip/kinematics.h"

#include "analysis/base/memory.h"

Status kinematics_init(Kinematics *k, int frame_count, int joint_count, int has_com, Error *err)
{
    size_t frames = (size_t)frame_count, joints = (size_t)joint_count;
    *k = (Kinematics){.frame_count = frame_count, .joint_count = joint_count};
    int failed = 0;
    k->position = array_need(&failed, frames, joints, sizeof *k->position);
    k->orientation = array_need(&failed, frames, joints, sizeof *k->orientation);
    k->angular_velocity = array_need(&failed, frames, joints, sizeof *k->angular_velocity);
    k->angular_acceleration = array_need(&failed, frames, joints, sizeof *k->angular_acceleration);
    k->velocity = array_need(&failed, frames, joints, sizeof *k->velocity);
    k->acceleration = array_need(&failed, frames, joints, sizeof *k->acceleration);
    k->valid = array_need(&failed, frames, 1, sizeof *k->valid);
    if (has_com)
        k->com = array_need(&failed, frames, 1, sizeof *k->com);
    if (failed) {
        kinematics_free(k);
        return error_no_memory(err);
    }
    return STATUS_OK;
}

void kinematics_free(Kinematics *k)
{
    if (!k)
        return;
    free(k->position);
    free(k->orientation);
    free(k->angular_velocity);
    free(k->angular_acceleration);
    free(k->velocity);
    free(k->acceleration);
    free(k->com);
    free(k->valid);
    *k = (Kinematics){0};
}
