/* Force and moment that the motion requires of the ground (required_wrench.h). */
#include "analysis/contact/required_wrench.h"

#include <math.h>

#include "analysis/clip/skeleton.h"
#include "analysis/math/lane_width.h"
#include "analysis/signal/biquad.h"

#define MIN_SUPPORT 0.3 /* body weights: below this the centre of pressure is undefined */
#define FLIGHT_FORCE 0.2  /* body weights: below this required vertical force the body is in flight */
#define MIN_FLIGHT 0.03 /* s: shorter flights are not used to estimate noise */

static void find_required(const ClipView *clip, const Dynamics *unloaded, const Mat3 *axes, RequiredWrench *n)
{
    const Kinematics *k = clip->kinematics;
    for (int t = 0; t < n->frame_count; t++) {
        Vec3 force = unloaded->residual_force[t], moment = unloaded->residual_torque[t];
        n->force[t] = vec3_scale(mat3_mul(*axes, force), 1 / n->weight);
        n->moment[t] = vec3_scale(mat3_mul(*axes, moment), 1 / (n->weight * n->length));
        n->com[t] = vec3_scale(mat3_mul(*axes, k->com[t]), 1 / n->length);
    }
}

/* From the left to the right hip along the ground; z without hips, or if one is above the other. */
static void find_sides(const ClipView *clip, const Mat3 *axes, RequiredWrench *n)
{
    const Kinematics *k = clip->kinematics;
    int left = skeleton_find_role(clip->skeleton, ROLE_LEFT_HIP);
    int right = skeleton_find_role(clip->skeleton, ROLE_RIGHT_HIP);
    for (int t = 0; t < n->frame_count; t++) {
        const Vec3 *position = k->position + (size_t)t * (size_t)k->joint_count;
        Vec3 side = {0, 0, 1};
        if (left >= 0 && right >= 0) {
            Vec3 across = mat3_mul(*axes, vec3_sub(position[right], position[left]));
            across.y = 0;
            side = vec3_norm(across) > 1e-6 ? vec3_normalize(across) : side;
        }
        n->side[t] = side;
    }
}

/* 1 / (1 + (doubt / sigma)^4), with sigma the RMS horizontal force in flight. */
static double find_noise(const RequiredWrench *n, double frame_time, double doubt)
{
    double sum = 0;
    int frames = 0;
    for (int t = 0; t < n->frame_count; t++)
        if (n->force[t].y < FLIGHT_FORCE) {
            sum += n->force[t].x * n->force[t].x + n->force[t].z * n->force[t].z;
            frames++;
        }
    if (frames * frame_time < MIN_FLIGHT)
        return 1;
    double square = sum / frames / (doubt * doubt);
    return square * square / (1 + square * square);
}

/* Low-passes the required force along `side`, in proportion to the clip's noise. */
static Status calm_sides(RequiredWrench *n, double rate, double cutoff, Arena *arena)
{
    double *calm = arena_array(arena, (size_t)n->frame_count, 1, sizeof *calm);
    if (arena->failed)
        return STATUS_NO_MEMORY;
    for (int t = 0; t < n->frame_count; t++)
        calm[t] = vec3_dot(n->force[t], n->side[t]);
    double cut = cutoff_limit(cutoff, rate);
    Biquad section = butterworth_biquad(cut, rate);
    const Samples samples = {calm, (size_t)n->frame_count, 1};
    Status status = biquad_filter(&section, &samples, cutoff_pad(cut, rate), LANES_SCALAR, NULL);
    for (int t = 0; !status && t < n->frame_count; t++)
        n->force[t] = vec3_mad(n->force[t], n->noise * (calm[t] - vec3_dot(n->force[t], n->side[t])), n->side[t]);
    return status;
}

Status required_wrench_find(const ClipView *clip, const Dynamics *unloaded, const Mat3 *axes,
                            const ContactConstants *constants, Arena *arena, RequiredWrench *out)
{
    size_t frames = (size_t)clip->kinematics->frame_count;
    out->frame_count = clip->kinematics->frame_count;
    out->force = arena_array(arena, frames, 1, sizeof *out->force);
    out->moment = arena_array(arena, frames, 1, sizeof *out->moment);
    out->com = arena_array(arena, frames, 1, sizeof *out->com);
    out->side = arena_array(arena, frames, 1, sizeof *out->side);
    if (arena->failed)
        return STATUS_NO_MEMORY;
    find_required(clip, unloaded, axes, out);
    find_sides(clip, axes, out);
    out->noise = find_noise(out, clip->motion->frame_time, constants->noise_doubt);
    return calm_sides(out, 1 / clip->motion->frame_time, constants->side_cutoff, arena);
}

Vec3 required_wrench_pressure(const RequiredWrench *n, int frame, double level)
{
    Vec3 force = n->force[frame], moment = n->moment[frame], com = n->com[frame];
    double height = com.y - level;
    if (!(force.y > MIN_SUPPORT))
        return vec3(NAN, NAN, NAN);
    double x = com.x - (height * force.x - moment.z) / force.y, z = com.z - (height * force.z + moment.x) / force.y;
    return vec3(x, level, z);
}
