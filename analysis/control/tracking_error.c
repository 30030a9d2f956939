#include "analysis/control/tracking_error.h"

#include "analysis/base/memory.h"
#include "analysis/stats/peaks.h"

static Vec3 com_of(const LumpedBody *lumped, const Kinematics *k, size_t row, int joint)
{
    size_t at = row + (size_t)joint;
    return vec3_add(k->position[at], quat_rotate(k->orientation[at], lumped->body.com[joint]));
}

void tracking_error_of_frame(const LumpedBody *lumped, const Kinematics *reference, const Kinematics *state, int frame,
                             TrackingRun *run)
{
    size_t row = (size_t)frame * (size_t)lumped->source_count;
    size_t wanted = (size_t)frame * (size_t)lumped->body.joint_count;
    for (int j = 0; j < lumped->source_count; j++) {
        int i = lumped->body_of[j];
        run->orientation[row + (size_t)j] = quat_mul(state->orientation[i], lumped->rotation[j]);
        if (lumped->carrier[j] != j)
            continue;
        Quat turn = quat_mul(reference->orientation[wanted + (size_t)i], quat_conjugate(state->orientation[i]));
        run->orientation_error[row + (size_t)j] = 2 * vec3_norm(quat_log(turn));
        run->position_error[row + (size_t)j] = vec3_distance(com_of(lumped, reference, wanted, i),
                                                             com_of(lumped, state, 0, i));
    }
}

void tracking_effort_of_frame(const LumpedBody *lumped, const Vec3 *torque, int frame, TrackingRun *run)
{
    Vec3 *row = run->torque + (size_t)frame * (size_t)lumped->source_count;
    for (int i = 0; i < lumped->body.joint_count; i++)
        row[lumped->source[i]] = torque[i];
}

Status tracking_error_sum(const LumpedBody *lumped, Tracking *tracking, ControllerKind kind, Error *err)
{
    TrackingRun *run = &tracking->run[kind];
    size_t bodies = (size_t)lumped->body.joint_count, frames = (size_t)tracking->frame_count;
    double *all = array_new(frames, bodies, sizeof *all), turn = 0, distance = 0, effort = 0, last = 0;
    if (!all)
        return error_no_memory(err);
    for (size_t f = 0; f < frames; f++) {
        last = 0;
        for (size_t i = 0; i < bodies; i++) {
            size_t at = f * (size_t)tracking->joint_count + (size_t)lumped->source[i];
            all[f * bodies + i] = run->orientation_error[at];
            last += run->orientation_error[at];
            distance += run->position_error[at];
            effort += vec3_norm(run->torque[at]);
        }
        turn += last;
    }
    run->mean_error = turn / (double)(frames * bodies);
    run->mean_distance = distance / (double)(frames * bodies);
    run->final_error = last / (double)bodies;
    run->effort = effort / (double)frames;
    run->p95_error = percentile(all, (int)(frames * bodies), 0.95);
    free(all);
    return STATUS_OK;
}
