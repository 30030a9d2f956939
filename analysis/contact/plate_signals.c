/* Measured and estimated forces as comparable time series (plate_signals.h). */
#include "analysis/clip/dynamics.h"
#include "analysis/contact/plate_signals.h"

#include "analysis/base/standard_gravity.h"
#include "analysis/clip/skeleton.h"
#include "analysis/contact/foot_load.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/signal/biquad.h"

#define SERIES_CUTOFF 6.0  /* Hz: below the cutoff of any clip */
#define LOADED 0.1         /* body weights: a foot with more is loaded in the estimate */
#define OTHER_LOADED 0.05  /* body weights: a hand, a seat */
#define READS 20.0         /* N: a plate with more is loaded by a foot */
#define MIN_READ 0.5     /* of the frames of a stance on plates */
#define UNSEEN_REACH 0.03  /* s: reach of the filter from frames off the plates into their neighbours */

static Vec3 clip_heading(const ClipView *clip)
{
    const Kinematics *k = clip->kinematics;
    int left = skeleton_find_role(clip->skeleton, ROLE_LEFT_HIP);
    int right = skeleton_find_role(clip->skeleton, ROLE_RIGHT_HIP);
    Vec3 sum = {0, 0, 0};
    for (int f = 0; left >= 0 && right >= 0 && f < k->frame_count; f++) {
        const Vec3 *position = k->position + (size_t)f * (size_t)k->joint_count;
        sum = vec3_add(sum, vec3_sub(position[right], position[left]));
    }
    sum.y = 0;
    return vec3_norm(sum) > 0 ? vec3_normalize(vec3_cross(vec3(0, 1, 0), sum)) : vec3(1, 0, 0);
}

/* Sum of the forces on limbs other than feet. */
static Vec3 load_elsewhere(const Skeleton *skeleton, const Contact *c, int frame)
{
    Vec3 sum = {0, 0, 0};
    for (int p = 0; p < c->point_count; p++)
        if (foot_of_segment(skeleton->segment[c->point_joint[p]]) == FOOT_COUNT)
            sum = vec3_add(sum, c->force[(size_t)frame * (size_t)c->point_count + (size_t)p]);
    return sum;
}

static void set_signal(PlateSignals *s, int frame, PlatePart part, Vec3 force)
{
    double *at = s->rows + (size_t)frame * PLATE_CHANNELS + (size_t)part * PLATE_AXES;
    at[PLATE_FORWARD] = vec3_dot(force, s->forward) / s->weight;
    at[PLATE_UP] = force.y / s->weight;
    at[PLATE_RIGHTWARD] = vec3_dot(force, s->right) / s->weight;
}

static Status fill_rows(const PlateCase *c, PlateSignals *s, Error *err)
{
    InverseDynamicsDef def = inverse_dynamics_default_def();
    Dynamics needed = {0};
    def.lanes = c->lanes;
    Status status = inverse_dynamics(c->clip, NULL, &def, &needed, err);
    for (int f = 0; !status && f < s->frame_count; f++) {
        for (int foot = 0; foot < FOOT_COUNT; foot++) {
            set_signal(s, f, (PlatePart)(PLATES_LEFT + foot), plate_foot_force(c->plates, f, foot));
            set_signal(s, f, (PlatePart)(ESTIMATE_LEFT + foot), plate_foot_force(c->estimate, f, foot));
        }
        set_signal(s, f, NEEDED, vec3_sub(needed.residual_force[f], load_elsewhere(c->clip->skeleton, c->plates, f)));
    }
    dynamics_free(&needed);
    return status;
}

static Status filter_rows(const PlateCase *c, PlateSignals *s, Error *err)
{
    double rate = 1 / s->frame_time, cutoff = cutoff_limit(SERIES_CUTOFF, rate);
    Biquad section = butterworth_biquad(cutoff, rate);
    Samples samples = {s->rows, (size_t)s->frame_count, PLATE_CHANNELS};
    if (s->frame_count < BIQUAD_MIN_ROWS)
        return STATUS_OK;
    return biquad_filter(&section, &samples, cutoff_pad(cutoff, rate), c->lanes, err);
}

/* A stance of the estimate without plate force in most of its frames is off the plates. */
static void mark_stances(const PlateCase *c, int foot, PlateSignals *s)
{
    int first = 0, read = 0;
    for (int f = 0; f <= s->frame_count; f++) {
        if (f < s->frame_count && plate_foot_force(c->estimate, f, foot).y > LOADED * s->weight) {
            read += vec3_norm(plate_foot_force(c->plates, f, foot)) > READS;
            continue;
        }
        for (int k = first; k < f; k++)
            s->is_unseen[k] |= read < MIN_READ * (f - first);
        first = f + 1;
        read = 0;
    }
}

/* Loaded hands and seats count as measured if the table has forces on other joints. */
static void mark_elsewhere(const PlateCase *c, PlateSignals *s)
{
    for (int f = 0; f < s->frame_count; f++) {
        Vec3 load = load_elsewhere(c->clip->skeleton, c->estimate, f);
        Vec3 read = load_elsewhere(c->clip->skeleton, c->plates, f);
        s->is_unseen[f] |= vec3_norm(load) > OTHER_LOADED * s->weight && !(vec3_norm(read) > READS);
    }
}

static void mark_used(const PlateCase *c, PlateSignals *s)
{
    int reach = (int)(UNSEEN_REACH / s->frame_time + 0.5);
    for (int f = 0; f < s->frame_count; f++) {
        s->is_used[f] = c->clip->kinematics->valid[f];
        for (int k = f > reach ? f - reach : 0; k <= f + reach && k < s->frame_count; k++)
            s->is_used[f] &= !s->is_unseen[k];
    }
}

Status plate_signals_find(const PlateCase *c, PlateSignals *out, Arena *arena, Error *err)
{
    size_t frames = (size_t)c->plates->frame_count;
    *out = (PlateSignals){.frame_count = c->plates->frame_count, .frame_time = c->clip->motion->frame_time,
                          .weight = c->clip->body->total_mass * GRAVITY, .forward = clip_heading(c->clip),
                          .rows = arena_array(arena, frames, PLATE_CHANNELS, sizeof(double)),
                          .is_unseen = arena_array(arena, frames, 1, 1), .is_used = arena_array(arena, frames, 1, 1)};
    out->right = vec3_cross(out->forward, vec3(0, 1, 0));
    if (arena->failed)
        return error_no_memory(err);
    Status status = fill_rows(c, out, err);
    if (!status)
        status = filter_rows(c, out, err);
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        mark_stances(c, foot, out);
    mark_elsewhere(c, out);
    mark_used(c, out);
    return status;
}
