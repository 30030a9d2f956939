/* See tracking_error.h. */
#include "analysis/control/tracking_error.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/base/standard_gravity.h"
#include "analysis/stats/joint_peaks.h"

static Vec3 lumped_com(const LumpedBody *lumped, const Kinematics *k, size_t row, int joint)
{
    size_t at = row + (size_t)joint;
    return vec3_add(k->position[at], quat_rotate(k->orientation[at], lumped->body.com[joint]));
}

void tracking_error_of_frame(const LumpedBody *lumped, const Kinematics *reference, const Kinematics *state, int frame,
                             int reference_frame, TrackingRun *run)
{
    size_t row = (size_t)frame * (size_t)lumped->source_count;
    size_t wanted = (size_t)reference_frame * (size_t)lumped->body.joint_count;
    int top = lumped->body_of[0];
    run->root_position[frame] =
        vec3_add(state->position[top], quat_rotate(state->orientation[top], lumped->position[0]));
    for (int j = 0; j < lumped->source_count; j++) {
        int i = lumped->body_of[j];
        run->orientation[row + (size_t)j] = quat_mul(state->orientation[i], lumped->rotation[j]);
        if (lumped->carrier[j] != j)
            continue;
        Quat rotation = quat_mul(reference->orientation[wanted + (size_t)i], quat_conjugate(state->orientation[i]));
        run->orientation_error[row + (size_t)j] = 2 * vec3_norm(quat_log(rotation));
        run->position_error[row + (size_t)j] = vec3_distance(lumped_com(lumped, reference, wanted, i),
                                                             lumped_com(lumped, state, 0, i));
    }
}

void tracking_effort_of_frame(const LumpedBody *lumped, const Vec3 *torque, int frame, TrackingRun *run)
{
    Vec3 *row = run->torque + (size_t)frame * (size_t)lumped->source_count;
    for (int i = 0; i < lumped->body.joint_count; i++)
        row[lumped->source[i]] = torque[i];
}

/* RMS of the residual wrench over the steps that count; over all steps if none does. */
static void sum_root_residual(const LumpedBody *lumped, int frames, const uint8_t *counts, TrackingRun *run)
{
    double force = 0, couple = 0;
    int count = 0, any = 0;
    for (int f = 0; counts && f < frames; f++)
        any |= counts[f];
    for (int f = 0; f < frames; f++)
        if (!any || counts[f]) {
            force += vec3_dot(run->root_residual_force[f], run->root_residual_force[f]);
            couple += vec3_dot(run->root_residual_torque[f], run->root_residual_torque[f]);
            count++;
        }
    run->root_residual_force_rms = sqrt(force / count) / (lumped->body.total_mass * GRAVITY);
    run->root_residual_torque_rms = sqrt(couple / count) / lumped->body.total_mass;
}

Status tracking_error_sum(const LumpedBody *lumped, const TrackingSpan *span, Tracking *tracking, ControllerKind kind,
                          Error *err)
{
    TrackingRun *run = &tracking->run[kind];
    size_t bodies = (size_t)lumped->body.joint_count, frames = (size_t)span->frames;
    double *all = array_new(frames, bodies, sizeof *all), angle = 0, distance = 0, sum = 0, last = 0;
    if (!all)
        return error_no_memory(err);
    for (size_t f = 0; f < frames; f++) {
        last = 0;
        for (size_t i = 0; i < bodies; i++) {
            size_t at = f * (size_t)tracking->joint_count + (size_t)lumped->source[i];
            all[f * bodies + i] = run->orientation_error[at];
            last += run->orientation_error[at];
            distance += run->position_error[at];
            sum += vec3_norm(run->torque[at]);
        }
        angle += last;
    }
    run->mean_error = angle / (double)(frames * bodies);
    run->mean_distance = distance / (double)(frames * bodies);
    run->final_error = last / (double)bodies;
    run->torque_sum_mean = sum / (double)frames;
    sum_root_residual(lumped, span->frames, span->counts, run);
    run->p95_error = percentile(all, (int)(frames * bodies), 0.95);
    free(all);
    return STATUS_OK;
}
