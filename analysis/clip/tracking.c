#include "analysis/clip/tracking.h"

#include "analysis/base/memory.h"

static const char *const names[] = {"pd", "pd-feedforward", "stable-pd", "bubble-up", "kane", "kane-feedforward"};
_Static_assert(sizeof names / sizeof *names == CONTROLLER_COUNT, "a name for every ControllerKind, in its order");

const char *controller_name(ControllerKind kind) { return (unsigned)kind < CONTROLLER_COUNT ? names[kind] : ""; }

Status tracking_init(Tracking *t, int frame_count, int joint_count, Error *err)
{
    *t = (Tracking){.frame_count = frame_count, .joint_count = joint_count};
    int failed = 0;
    t->time = array_need(&failed, (size_t)frame_count, 1, sizeof *t->time);
    t->carrier = array_need(&failed, (size_t)joint_count, 1, sizeof *t->carrier);
    if (failed) {
        tracking_free(t);
        return error_no_memory(err);
    }
    return STATUS_OK;
}

static void free_run(TrackingRun *run)
{
    free(run->orientation_error);
    free(run->position_error);
    free(run->orientation);
    free(run->torque);
    *run = (TrackingRun){0};
}

Status tracking_add_run(Tracking *t, ControllerKind kind, Error *err)
{
    size_t frames = (size_t)t->frame_count, joints = (size_t)t->joint_count;
    TrackingRun *run = &t->run[kind];
    free_run(run);
    int failed = 0;
    run->orientation_error = array_need(&failed, frames, joints, sizeof *run->orientation_error);
    run->position_error = array_need(&failed, frames, joints, sizeof *run->position_error);
    run->orientation = array_need(&failed, frames, joints, sizeof *run->orientation);
    run->torque = array_need(&failed, frames, joints, sizeof *run->torque);
    if (failed) {
        free_run(run);
        return error_no_memory(err);
    }
    run->present = 1;
    return STATUS_OK;
}

void tracking_free(Tracking *t)
{
    if (!t)
        return;
    for (int i = 0; i < CONTROLLER_COUNT; i++)
        free_run(&t->run[i]);
    free(t->time);
    free(t->carrier);
    *t = (Tracking){0};
}
