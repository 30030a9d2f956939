#include "analysis/clip/dynamics.h"

#include "analysis/base/memory.h"

Status dynamics_init(Dynamics *d, int frame_count, int joint_count, Error *err)
{
    size_t frames = (size_t)frame_count, joints = (size_t)joint_count;
    *d = (Dynamics){.frame_count = frame_count, .joint_count = joint_count};
    int failed = 0;
    d->torque = array_need(&failed, frames, joints, sizeof *d->torque);
    d->force = array_need(&failed, frames, joints, sizeof *d->force);
    d->power = array_need(&failed, frames, joints, sizeof *d->power);
    d->residual_force = array_need(&failed, frames, 1, sizeof *d->residual_force);
    d->residual_torque = array_need(&failed, frames, 1, sizeof *d->residual_torque);
    if (failed) {
        dynamics_free(d);
        return error_no_memory(err);
    }
    return STATUS_OK;
}

void dynamics_free(Dynamics *d)
{
    if (!d)
        return;
    free(d->torque);
    free(d->force);
    free(d->power);
    free(d->residual_force);
    free(d->residual_torque);
    *d = (Dynamics){0};
}
