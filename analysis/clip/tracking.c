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
    free(run->root_position);
    free(run->hand_force);
    free(run->hand_torque);
    free(run->ball);
    *run = (TrackingRun){0};
}

Status tracking_add_run(Tracking *t, ControllerKind kind, int has_ball, Error *err)
{
    size_t frames = (size_t)t->frame_count, joints = (size_t)t->joint_count;
    TrackingRun *run = &t->run[kind];
    free_run(run);
    int failed = 0;
    run->orientation_error = array_need(&failed, frames, joints, sizeof *run->orientation_error);
    run->position_error = array_need(&failed, frames, joints, sizeof *run->position_error);
    run->orientation = array_need(&failed, frames, joints, sizeof *run->orientation);
    run->torque = array_need(&failed, frames, joints, sizeof *run->torque);
    run->root_position = array_need(&failed, frames, 1, sizeof *run->root_position);
    run->hand_force = array_need(&failed, frames, 1, sizeof *run->hand_force);
    run->hand_torque = array_need(&failed, frames, 1, sizeof *run->hand_torque);
    if (has_ball)
        run->ball = array_need(&failed, frames, 1, sizeof *run->ball);
    if (failed) {
        free_run(run);
        return error_no_memory(err);
    }
    run->present = 1;
    return STATUS_OK;
}

Status tracking_motion(const Tracking *t, ControllerKind kind, const Skeleton *s, Motion *out, Error *err)
{
    const TrackingRun *run = &t->run[kind];
    size_t joints = (size_t)t->joint_count;
    *out = (Motion){0};
    if (!run->present || !run->root_position || t->frame_count < 2)
        return error_set(err, STATUS_BAD_INPUT, "holds no motion of the controller %s: kane track makes it",
                         controller_name(kind));
    double step = (t->time[t->frame_count - 1] - t->time[0]) / (t->frame_count - 1);
    Status status = motion_init(out, t->frame_count, t->joint_count, step, 0, err);
    for (int f = 0; !status && f < t->frame_count; f++) {
        const Quat *world = run->orientation + (size_t)f * joints;
        out->time[f] = t->time[f];
        out->root_position[f] = run->root_position[f];
        for (int j = 0; j < t->joint_count; j++)
            out->rotation[motion_index(out, f, j)] =
                s->parent[j] < 0 ? world[j] : quat_mul(quat_conjugate(world[s->parent[j]]), world[j]);
    }
    if (!status)
        motion_make_continuous(out);
    return status;
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
