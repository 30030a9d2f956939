/* See retime_rounds.h. */
#include "pipeline/stages/retime_rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"

enum { ROUNDS = 16, CALM_ROUNDS = 2, FRAME_ARRAYS = 4, WARP_ARRAYS = 4, FIRST_ROWS = 4096 };

static const double knot_step = 0.01;                  /* s of the clip */
static const double corner = 0.04, wide_corner = 0.1;  /* s of the clip: width of the timing's corners */
static const double min_rate = 0.05;
static const double aim = 0.996;                       /* of the limits */
static const double binding = 0.4;                     /* efforts below this do not bind after one round */
static const double first_reach = 2, reach_fall = 0.7, reach_growth = 1.1; /* of a coefficient in a round */
static const double tightening = 0.95, loosening = 1.004, min_tight = 0.7;
static const double around = 0.03;                     /* s of the clip: where limits are tightened */
static const double accepted = 1.005;                  /* of a limit: half of the tolerance, for filters */
static const double met = 1.02;                        /* of a limit in the program */

void retime_rounds_free(RetimeRounds *r)
{
    pose_curve_free(&r->curve);
    time_warp_free(&r->warp);
    free(r->bounds);
    free(r->sizes);
    free(r->met);
    free(r->row);
    *r = (RetimeRounds){0};
}

static Status make_arrays(RetimeRounds *r, Error *err)
{
    size_t frames = (size_t)r->scan->frames, count = (size_t)r->warp.count;
    r->bounds = array_new(WARP_ARRAYS, count, sizeof *r->bounds);
    r->sizes = array_new(FRAME_ARRAYS, frames, sizeof *r->sizes);
    r->met = array_new(frames, 1, 1);
    if (!r->bounds || !r->sizes || !r->met)
        return error_no_memory(err);
    r->low = r->bounds;
    r->high = r->low + count;
    r->start = r->high + count;
    r->best = r->start + count;
    r->over = r->sizes;
    r->tried = r->over + frames;
    r->best_over = r->tried + frames;
    r->tight = r->best_over + frames;
    for (size_t i = 0; i < frames; i++)
        r->tight[i] = 1;
    return STATUS_OK;
}

Status retime_rounds_init(RetimeRounds *r, const RetimeScan *scan, Error *err)
{
    double dt = scan->clip->motion.frame_time;
    *r = (RetimeRounds){.scan = scan, .best_cost = INFINITY, .kept_time = INFINITY, .kept_cost = INFINITY};
    Status status = pose_curve_init(&r->curve, &scan->clip->motion, err);
    if (!status)
        status = time_warp_init(&r->warp, (scan->frames - 1) * dt, fmax(knot_step, dt), err);
    if (!status)
        status = make_arrays(r, err);
    if (status)
        retime_rounds_free(r);
    return status;
}

/* ---- The program of a round ---- */

void retime_set_bounds(RetimeRounds *r, double reach)
{
    double dt = r->scan->clip->motion.frame_time;
    for (int i = 0; i < r->warp.count; i++) {
        r->low[i] = fmax(min_rate * min_rate, r->warp.square[i] / reach);
        r->high[i] = fmax(r->low[i], fmin(1, r->warp.square[i] * reach));
    }
    for (int i = 0; i < r->scan->flights.count; i++) {
        const Flight *flight = &r->scan->flights.flight[i];
        int first = time_warp_basis(&r->warp, flight->first * dt).first;
        int last = time_warp_basis(&r->warp, flight->last * dt).first + WARP_ORDER - 1;
        for (int k = first; k <= last; k++)
            r->low[k] = r->high[k] = flight->rate * flight->rate;
    }
}

static Status solve_program(RetimeRounds *r, double reach, double width, Error *err)
{
    retime_set_bounds(r, reach);
    RateProgram program = {r->row, r->row_count, r->low, r->high, rate_program_smoothness(width)};
    return rate_program_solve(&program, &r->warp, err);
}

static Status add_row(RetimeRounds *r, RateRow row, Error *err)
{
    if (r->row_count == r->row_capacity) {
        int capacity = r->row_capacity ? 2 * r->row_capacity : FIRST_ROWS;
        RateRow *grown = realloc(r->row, (size_t)capacity * sizeof *grown);
        if (!grown)
            return error_no_memory(err);
        r->row = grown;
        r->row_capacity = capacity;
    }
    r->row[r->row_count++] = row;
    return STATUS_OK;
}

/* The rows of a frame of a trial, linear about its rate. */
static Status add_frame(RetimeRounds *r, const Trial *trial, const Clip *varied, int frame, Error *err)
{
    const RetimeScan *scan = r->scan;
    WarpRate rate = trial->rate[frame];
    double place = trial->place[frame];
    int source = retime_source_frame(scan, place), ground = body_limits_ground(&trial->clip);
    Status status = STATUS_OK;
    for (int e = 0; e < scan->efforts && !status; e++) {
        double unit = 1 / (aim * r->tight[source] * retime_limit(scan, place, e));
        Vec3 now = retime_effort(scan, &trial->clip, frame, source, e);
        if (!(unit * body_limits_size(&trial->clip, e, now) > binding))
            continue;
        Vec3 square = vec3_sub(retime_effort(scan, &varied[CHANGE_SQUARE], frame, source, e), now);
        Vec3 push = vec3_sub(retime_effort(scan, &varied[CHANGE_PUSH], frame, source, e), now);
        RateRow row = {.place = place, .is_one_sided = e == ground};
        row.by_square = vec3_scale(square, unit / (TRIAL_SQUARE * rate.square));
        row.by_push = vec3_scale(push, unit / TRIAL_PUSH);
        row.now = vec3_mad(vec3_mad(vec3_scale(now, unit), -rate.square, row.by_square), -rate.push, row.by_push);
        status = add_row(r, row, err);
    }
    return status;
}

/* Marks the frames at which the program met its limits. */
static void find_met(RetimeRounds *r)
{
    memset(r->met, 1, (size_t)r->scan->frames);
    for (int i = 0; i < r->row_count; i++)
        if (rate_row_value(&r->row[i], time_warp_rate(&r->warp, r->row[i].place)) > met)
            r->met[retime_source_frame(r->scan, r->row[i].place)] = 0;
}

/* Finds the next timing from a trial of the present one. */
static Status improve(RetimeRounds *r, const Trial *trial, double reach, Error *err)
{
    Clip varied[TRIAL_CHANGES];
    Status status = STATUS_OK;
    memset(varied, 0, sizeof varied);
    for (int i = 0; i < TRIAL_CHANGES && !status; i++)
        status = trial_vary(trial, (TrialChange)i, r->scan->plan, &varied[i], err);
    r->row_count = 0;
    for (int f = 0; f < trial->clip.motion.frame_count && !status; f++)
        status = add_frame(r, trial, varied, f, err);
    for (int i = 0; i < TRIAL_CHANGES; i++)
        clip_free(&varied[i]);
    if (!status)
        status = solve_program(r, reach, corner, err);
    if (!status)
        find_met(r);
    return status;
}

/* ---- Trials ---- */

static int compare_overloads(const void *a, const void *b)
{
    double x = ((const Overload *)a)->factor, y = ((const Overload *)b)->factor;
    return (x < y) - (x > y);
}

/* Lists the efforts that are over their limits. */
static Status list_overloads(const RetimeScan *scan, const Trial *trial, Retimed *out, Error *err)
{
    free(out->overload);
    out->overloads = 0;
    if (!(out->overload = array_new((size_t)scan->efforts, 1, sizeof *out->overload)))
        return error_no_memory(err);
    for (int e = 0; e < scan->efforts; e++) {
        Overload most = {0};
        for (int f = 0; f < trial->clip.motion.frame_count; f++) {
            Vec3 value = retime_effort(scan, &trial->clip, f, retime_source_frame(scan, trial->place[f]), e);
            double size = body_limits_size(&trial->clip, e, value);
            if (size > most.factor)
                most = (Overload){.frame = f, .time = trial->clip.motion.time[f], .factor = size};
        }
        body_limits_name(&trial->clip, e, most.name, sizeof most.name);
        if (most.factor > RETIME_TOLERANCE)
            out->overload[out->overloads++] = most;
    }
    qsort(out->overload, (size_t)out->overloads, sizeof *out->overload, compare_overloads);
    return STATUS_OK;
}

/* Puts motion, flags and places of a trial, before its stages, into *out. */
static Status keep(const RetimeRounds *r, const Trial *trial, Retimed *out, Error *err)
{
    int count = trial->clip.motion.frame_count;
    Clip clip = {0};
    motion_free(&out->motion);
    trust_free(&out->trust);
    free(out->place);
    Status status = trial_motion(&r->curve, r->scan->clip, trial->place, count, &clip, err);
    out->motion = clip.motion;
    out->trust = clip.trust;
    out->place = array_new((size_t)count, 1, sizeof *out->place);
    if (!out->place)
        return error_no_memory(err);
    memcpy(out->place, trial->place, (size_t)count * sizeof *out->place);
    return status ? status : list_overloads(r->scan, trial, out, err);
}

/* Largest size of the efforts at each frame of the clip, as fractions of what can be reached. */
static void find_over(const RetimeScan *scan, const Trial *trial, double *over)
{
    memset(over, 0, (size_t)scan->frames * sizeof *over);
    for (int f = 0; f < trial->clip.motion.frame_count; f++) {
        int source = retime_source_frame(scan, trial->place[f]);
        for (int e = 0; e < scan->efforts; e++) {
            Vec3 value = retime_effort(scan, &trial->clip, f, source, e);
            double size = body_limits_size(&trial->clip, e, value);
            if (size > over[source])
                over[source] = fmax(over[source], size / retime_limit(scan, trial->place[f], e));
        }
    }
}

static double cost_of(const RetimeScan *scan, const Trial *trial, const double *over)
{
    double excess = 0;
    for (int f = 0; f < scan->frames; f++)
        excess += fmax(0, over[f] - 1);
    return retime_cost(scan, trial->clip.motion.frame_count, excess);
}

Status retime_try(RetimeRounds *r, Trial *trial, double *over, Retimed *out, Error *err)
{
    double most = 0;
    Status status = trial_make(&r->curve, r->scan->clip, &r->warp, r->scan->plan, trial, err);
    if (status)
        return status;
    find_over(r->scan, trial, over);
    double cost = cost_of(r->scan, trial, over), time = retime_cost(r->scan, trial->clip.motion.frame_count, 0);
    for (int f = 0; f < r->scan->frames; f++)
        most = fmax(most, over[f]);
    if (cost < r->best_cost) {
        r->best_cost = cost;
        memcpy(r->best, r->warp.square, (size_t)r->warp.count * sizeof *r->best);
        memcpy(r->best_over, over, (size_t)r->scan->frames * sizeof *over);
    }
    int is_within = most <= accepted, was_within = isfinite(r->kept_time);
    if (is_within ? time >= r->kept_time : was_within || cost >= r->kept_cost)
        return STATUS_OK;
    r->kept_time = is_within ? time : INFINITY;
    r->kept_cost = cost;
    return keep(r, trial, out, err);
}

/* ---- Rounds ---- */

/* A timing below these rates, [frame] of the clip. */
static Status follow_rates(RetimeRounds *r, const double *rate, double most, Error *err)
{
    double dt = r->scan->clip->motion.frame_time;
    Status status = STATUS_OK;
    r->row_count = 0;
    for (int f = 0; f < r->scan->frames && !status; f++) {
        double limit = rate ? rate[f] : most;
        if (limit < 1)
            status = add_row(r, (RateRow){.place = f * dt, .by_square = vec3(1 / (limit * limit), 0, 0),
                                          .is_one_sided = 1}, err);
    }
    return status ? status : solve_program(r, INFINITY, wide_corner, err);
}

/* Makes a trial to begin with: below the rates that the scan allows, or at one rate, whichever costs less. */
static Status begin(RetimeRounds *r, Trial *trial, Retimed *out, Error *err)
{
    size_t bytes = (size_t)r->warp.count * sizeof *r->start;
    Trial other = {0};
    Status status = follow_rates(r, r->scan->fastest, 0, err);
    if (!status)
        status = retime_try(r, &other, r->tried, out, err);
    memcpy(r->start, r->warp.square, bytes);
    if (!status)
        status = follow_rates(r, NULL, r->scan->best_rate, err);
    if (!status)
        status = retime_try(r, trial, r->over, out, err);
    if (!status && cost_of(r->scan, &other, r->tried) < cost_of(r->scan, trial, r->over)) {
        Trial swapped = *trial;
        *trial = other;
        other = swapped;
        memcpy(r->over, r->tried, (size_t)r->scan->frames * sizeof *r->over);
        memcpy(r->warp.square, r->start, bytes);
    }
    trial_free(&other);
    return status;
}

/* Where the program met its limits and the trial does not, the limits are tightened: ground forces that are shared
 * differently at another timing make slopes wrong. Elsewhere they are slowly loosened again. */
static void adapt(RetimeRounds *r)
{
    int frames = r->scan->frames, reach = (int)ceil(around / r->scan->clip->motion.frame_time);
    double *goal = r->tried;
    for (int f = 0; f < frames; f++)
        goal[f] = fmin(1, r->tight[f] * loosening);
    for (int f = 0; f < frames; f++) {
        double factor = r->met[f] ? fmax(tightening, 1 / r->over[f]) : 1;
        for (int k = f - reach; k <= f + reach && r->over[f] > 1 + RETIME_SETTLED; k++)
            if (k >= 0 && k < frames)
                goal[k] = fmin(goal[k], fmax(r->tight[k] * factor, min_tight));
    }
    memcpy(r->tight, goal, (size_t)frames * sizeof *goal);
}

Status retime_rounds_run(RetimeRounds *r, Retimed *out, Error *err)
{
    double reach = first_reach, cost = INFINITY;
    int calm = 0;
    Trial trial = {0};
    Status status = begin(r, &trial, out, err);
    for (int i = 0; i < ROUNDS && !status && calm < CALM_ROUNDS; i++) {
        double now = cost_of(r->scan, &trial, r->over);
        if (i > 0) {
            reach = fmin(first_reach, 1 + (now < cost ? reach_growth : reach_fall) * (reach - 1));
            calm = fabs(now - cost) < RETIME_SETTLED * now && isfinite(r->kept_time) ? calm + 1 : 0;
        }
        cost = now;
        adapt(r);
        status = improve(r, &trial, reach, err);
        trial_free(&trial);
        if (!status)
            status = retime_try(r, &trial, r->over, out, err);
    }
    trial_free(&trial);
    return status;
}
