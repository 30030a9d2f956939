/* See contact_need.h. */
#include "analysis/contact/contact_need.h"

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/signal/section.h"

#define LEAST_SUPPORT 0.3 /* body weights: with less need there is no centre of pressure to speak of */
#define FLIGHT_NEED 0.2   /* body weights: with less need of vertical force the body flies */
#define LEAST_FLIGHT 0.03 /* s: less of it tells no noise */

static void find_needs(const ClipView *clip, const Dynamics *unloaded, const Mat3 *axes, ContactNeed *n)
{
    const Kinematics *k = clip->kinematics;
    for (int t = 0; t < n->frame_count; t++) {
        Vec3 force = unloaded->residual_force[t], moment = unloaded->residual_torque[t];
        n->force[t] = vec3_scale(mat3_mul(*axes, force), 1 / n->weight);
        n->moment[t] = vec3_scale(mat3_mul(*axes, moment), 1 / (n->weight * n->length));
        n->com[t] = vec3_scale(mat3_mul(*axes, k->com[t]), 1 / n->length);
    }
}

/* From the left to the right hip along the ground; z where there are no hips, or one above the other. */
static void find_sides(const ClipView *clip, const Mat3 *axes, ContactNeed *n)
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

/* 1 / (1 + (doubt / sigma)^4), sigma the root mean square of the horizontal need in flight. */
static double find_noise(const ContactNeed *n, double frame_time, double doubt)
{
    double sum = 0;
    int frames = 0;
    for (int t = 0; t < n->frame_count; t++)
        if (n->force[t].y < FLIGHT_NEED) {
            sum += n->force[t].x * n->force[t].x + n->force[t].z * n->force[t].z;
            frames++;
        }
    if (frames * frame_time < LEAST_FLIGHT)
        return 1;
    double square = sum / frames / (doubt * doubt);
    return square * square / (1 + square * square);
}

/* Low-passes the part of the need along `side`, as far as the clip is noisy. */
static Status calm_sides(ContactNeed *n, double rate, double cutoff, Arena *arena)
{
    double *calm = arena_array(arena, (size_t)n->frame_count, 1, sizeof *calm);
    if (arena->failed)
        return STATUS_NO_MEMORY;
    for (int t = 0; t < n->frame_count; t++)
        calm[t] = vec3_dot(n->force[t], n->side[t]);
    double cut = cutoff_limit(cutoff, rate);
    Section section = butterworth_section(cut, rate);
    const Samples samples = {calm, (size_t)n->frame_count, 1};
    Status status = section_filter(&section, &samples, cutoff_pad(cut, rate), LANES_SCALAR, NULL);
    for (int t = 0; !status && t < n->frame_count; t++)
        n->force[t] = vec3_mad(n->force[t], n->noise * (calm[t] - vec3_dot(n->force[t], n->side[t])), n->side[t]);
    return status;
}

Status contact_need_find(const ClipView *clip, const Dynamics *unloaded, const Mat3 *axes,
                         const ContactConstants *constants, Arena *arena, ContactNeed *out)
{
    size_t frames = (size_t)clip->kinematics->frame_count;
    out->frame_count = clip->kinematics->frame_count;
    out->force = arena_array(arena, frames, 1, sizeof *out->force);
    out->moment = arena_array(arena, frames, 1, sizeof *out->moment);
    out->com = arena_array(arena, frames, 1, sizeof *out->com);
    out->side = arena_array(arena, frames, 1, sizeof *out->side);
    if (arena->failed)
        return STATUS_NO_MEMORY;
    find_needs(clip, unloaded, axes, out);
    find_sides(clip, axes, out);
    out->noise = find_noise(out, clip->motion->frame_time, constants->noise_doubt);
    return calm_sides(out, 1 / clip->motion->frame_time, constants->side_cutoff, arena);
}

Vec3 contact_need_pressure(const ContactNeed *n, int frame, double level)
{
    Vec3 force = n->force[frame], moment = n->moment[frame], com = n->com[frame];
    double height = com.y - level;
    if (!(force.y > LEAST_SUPPORT))
        return vec3(NAN, NAN, NAN);
    double x = com.x - (height * force.x - moment.z) / force.y, z = com.z - (height * force.z + moment.x) / force.y;
    return vec3(x, level, z);
}
