/* See motion_cutoff.h. */
#include "analysis/motion/motion_cutoff.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/motion/forward_kinematics.h"

#define MIN_INTERVALS 16 /* of a segment */

/* The paths of one segment of the clip. */
typedef struct Paths {
    const ClipView *clip;
    WorldPoses poses;  /* of the segment's frames */
    double *root_mass; /* [joint] square root of the mass fraction */
    Samples samples;   /* [frame][joint][3] */
} Paths;

static void weigh_joints(const ClipView *clip, double *root_mass)
{
    int joints = clip->motion->joint_count;
    if (clip->body)
        forward_kinematics_mass_fractions(clip->body, root_mass);
    for (int j = 0; j < joints; j++)
        root_mass[j] = sqrt(clip->body ? root_mass[j] : 1.0 / joints);
}

static Paths paths_new(const ClipView *clip, size_t rows, Arena *arena)
{
    size_t joints = (size_t)clip->motion->joint_count;
    Paths p = {.clip = clip, .samples = {.row_count = rows, .channel_count = 3 * joints}};
    p.poses.position = arena_array(arena, rows, joints, sizeof *p.poses.position);
    p.poses.orientation = arena_array(arena, rows, joints, sizeof *p.poses.orientation);
    p.root_mass = arena_array(arena, joints, 1, sizeof *p.root_mass);
    p.samples.rows = arena_array(arena, rows, 3 * joints, sizeof *p.samples.rows);
    return p;
}

/* Computes the weighted paths from frame `first` on. */
static Status find_paths(Paths *p, size_t first, Error *err)
{
    Motion part = *p->clip->motion;
    size_t joints = (size_t)part.joint_count, rows = p->samples.row_count;
    part.frame_count = (int)rows;
    part.root_position += first;
    part.rotation += first * joints;
    part.translation = part.translation ? part.translation + first * joints : NULL;
    ClipView view = {p->clip->skeleton, p->clip->body, &part, NULL};
    Status status = forward_kinematics(&view, LANES_AUTO, &p->poses, err);
    for (size_t i = 0; !status && i < rows * joints; i++) {
        Vec3 centre = p->poses.position[i];
        if (p->clip->body)
            centre = vec3_add(centre, quat_rotate(p->poses.orientation[i], p->clip->body->com[i % joints]));
        ((Vec3 *)p->samples.rows)[i] = vec3_scale(centre, p->root_mass[i % joints]);
    }
    return status;
}

/* The mean over segments that cover the clip, evenly spaced. */
static Status add_segments(Paths *p, PowerSpectrum *spectrum, Error *err)
{
    size_t intervals = spectrum->count - 1, free_rows = (size_t)p->clip->motion->frame_count - 1 - intervals;
    size_t count = 1 + (free_rows + intervals - 1) / intervals;
    Status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        status = find_paths(p, count > 1 ? i * free_rows / (count - 1) : 0, err);
        if (!status)
            status = power_spectrum_add(&p->samples, 1 / (double)count, spectrum, err);
    }
    return status;
}

Status motion_cutoff(const ClipView *clip, double noise, double stated, CutoffChoice *out, Error *err)
{
    const Motion *motion = clip->motion;
    double rate = 1 / motion->frame_time;
    size_t rows = motion->frame_count > 0 ? (size_t)motion->frame_count : 0;
    size_t intervals = power_spectrum_intervals(rows, rate);
    *out = cutoff_unknown(rate);
    if (intervals < MIN_INTERVALS || (double)rows < cutoff_constants.min_duration * rate || motion->joint_count < 1)
        return STATUS_OK;
    Arena arena = {0};
    Paths paths = paths_new(clip, intervals + 1, &arena);
    PowerSpectrum spectrum = power_spectrum_new(intervals, rate, &arena);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status) {
        weigh_joints(clip, paths.root_mass);
        status = add_segments(&paths, &spectrum, err);
    }
    if (!status) {
        *out = cutoff_choose(&spectrum, noise, rate);
        out->stated_error = stated > 0 ? cutoff_error(&spectrum, noise, cutoff_limit(stated, rate), rate) : 0;
    }
    arena_free(&arena);
    return status;
}

double cutoff_noise_angle(double noise, double rate) { return noise * sqrt(rate / 2) / cutoff_constants.lever; }
