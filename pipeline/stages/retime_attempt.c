/* See retime_attempt.h. */
#include "pipeline/stages/retime_attempt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"

static const double accepted = 1.003;    /* of a limit */
static const double confirmed = 1.008;   /* of a limit, when the result is filtered again */
static const double excess_weight = 300; /* of the excess, against the time */

static int compare_overloads(const void *a, const void *b)
{
    double x = ((const Overload *)a)->factor, y = ((const Overload *)b)->factor;
    return (x < y) - (x > y);
}

/* Lists the efforts that are over their limits. */
static Status list_overloads(const RetimeScan *scan, const Clip *solved, const double *place, Retimed *out,
                             Error *err)
{
    free(out->overload);
    out->overloads = 0;
    if (!(out->overload = array_new((size_t)scan->efforts, 1, sizeof *out->overload)))
        return error_no_memory(err);
    for (int e = 0; e < scan->efforts; e++) {
        Overload largest = {0};
        for (int f = 0; f < solved->motion.frame_count; f++) {
            Vec3 value = retime_effort(scan, solved, f, retime_source_frame(scan, place[f]), e);
            double size = body_limits_size(solved, e, value);
            if (size > largest.factor)
                largest = (Overload){.frame = f, .time = solved->motion.time[f], .factor = size};
        }
        body_limits_name(solved, e, largest.name, sizeof largest.name);
        if (largest.factor > RETIME_TOLERANCE)
            out->overload[out->overloads++] = largest;
    }
    qsort(out->overload, (size_t)out->overloads, sizeof *out->overload, compare_overloads);
    return STATUS_OK;
}

/* Sizes of the efforts at each frame of the clip, as fractions of what can be reached: `sizes` of each, `over` the
 * largest and `worst` its effort; sizes and worst may be NULL. */
static void find_over(const RetimeScan *scan, const Trial *trial, float *sizes, double *over, int *worst)
{
    memset(over, 0, (size_t)scan->frames * sizeof *over);
    if (sizes)
        memset(sizes, 0, (size_t)scan->frames * (size_t)scan->efforts * sizeof *sizes);
    for (int f = 0; f < trial->clip.motion.frame_count; f++) {
        int source = retime_source_frame(scan, trial->place[f]);
        for (int e = 0; e < scan->efforts; e++) {
            Vec3 value = retime_effort(scan, &trial->clip, f, source, e);
            double size = body_limits_size(&trial->clip, e, value);
            if (!(size > 0))
                continue;
            size /= retime_limit(scan, trial->place[f], e);
            if (sizes) {
                float *known = &sizes[(size_t)source * (size_t)scan->efforts + (size_t)e];
                *known = fmaxf(*known, (float)size);
            }
            if (size > over[source]) {
                over[source] = size;
                if (worst)
                    worst[source] = e;
            }
        }
    }
}

/* Duration of a trial, s. */
static double duration(const Trial *trial, const TimeWarp *warp)
{
    int last = trial->clip.motion.frame_count - 1;
    double rest = fmax(0, warp->duration - trial->place[last]);
    return last * trial->clip.motion.frame_time + rest / sqrt(trial->rate[last].square);
}

/* What is written at the places of a trial, and this filtered and solved again. */
static Status write_trial(const RetimeState *r, const Trial *trial, Clip *written, Clip *solved, Error *err)
{
    int count = trial->clip.motion.frame_count;
    Status status = clip_copy(r->scan->clip, CLIP_SKELETON | CLIP_BODY, written, err);
    if (!status)
        status = trial_motion(&r->own, r->scan->clip, trial->place, count, written, err);
    if (!status)
        status = trial_filter(written, r->scan->plan, solved, err);
    if (status)
        clip_free(written);
    return status;
}

/* The largest effort as a fraction of what can be reached. */
static double largest_of(const RetimeScan *scan, const Clip *solved, const double *place)
{
    double largest = 0;
    for (int f = 0; f < solved->motion.frame_count; f++)
        for (int e = 0; e < scan->efforts; e++) {
            Vec3 value = retime_effort(scan, solved, f, retime_source_frame(scan, place[f]), e);
            largest = fmax(largest, body_limits_size(solved, e, value) / retime_limit(scan, place[f], e));
        }
    return largest;
}

/* Whether what the present trial writes is within its limits. */
static Status confirm(RetimeState *r, int *is_within, Error *err)
{
    Clip written = {0}, solved = {0};
    Status status = write_trial(r, &r->trial, &written, &solved, err);
    if (!status)
        *is_within = largest_of(r->scan, &solved, r->trial.place) <= confirmed;
    clip_free(&written);
    clip_free(&solved);
    return status;
}

Status retime_try(RetimeState *r, double *cost, Error *err)
{
    size_t bytes = (size_t)r->warp.count * sizeof *r->best;
    double max = 0, excess = 0;
    trial_free(&r->trial);
    Status status = trial_make(&r->curve, r->scan->clip, &r->warp, r->scan->plan, &r->trial, err);
    if (status)
        return status;
    find_over(r->scan, &r->trial, r->size, r->over, r->worst);
    for (int f = 0; f < r->scan->frames; f++) {
        max = fmax(max, r->over[f]);
        excess += fmax(0, r->over[f] - 1) * r->scan->clip->motion.frame_time;
    }
    double time = duration(&r->trial, &r->warp);
    *cost = time + excess_weight * excess;
    int is_shortest = max <= accepted && time < r->within_time;
    if (is_shortest)
        status = confirm(r, &is_shortest, err);
    if (is_shortest && !status) {
        r->within_time = time;
        memcpy(r->within, r->warp.square, bytes);
    }
    if (*cost < r->best_cost) {
        r->best_cost = *cost;
        memcpy(r->best, r->warp.square, bytes);
        memcpy(r->best_over, r->over, (size_t)r->scan->frames * sizeof *r->over);
    }
    return status;
}

/* Moves what is written into *out, with its places. */
static void keep(Clip *written, Trial *trial, Retimed *out)
{
    out->motion = written->motion;
    out->trust = written->trust;
    out->place = trial->place;
    written->motion = (Motion){0};
    written->trust = (Trust){0};
    trial->place = NULL;
}

Status retime_take(RetimeState *r, Retimed *out, Error *err)
{
    Trial trial;
    Clip written = {0}, solved = {0};
    int is_within = isfinite(r->within_time) != 0;
    memcpy(r->warp.square, is_within ? r->within : r->best, (size_t)r->warp.count * sizeof *r->best);
    Status status = trial_make(&r->curve, r->scan->clip, &r->warp, r->scan->plan, &trial, err);
    if (!status)
        status = write_trial(r, &trial, &written, &solved, err);
    if (!status) {
        status = list_overloads(r->scan, &solved, trial.place, out, err);
        keep(&written, &trial, out);
    }
    out->is_within = is_within;
    clip_free(&written);
    clip_free(&solved);
    trial_free(&trial);
    return status;
}
