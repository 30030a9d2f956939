/* See retime_rounds.h. */
#include "pipeline/stages/retime_rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/stages/retime_adapt.h"
#include "pipeline/stages/retime_attempt.h"
#include "pipeline/stages/retime_polish.h"

enum { ROUNDS = 14, MAX_ROUNDS = 40, CAPPED_ROUND = 4, CALM_ROUNDS = 4, BRACKETS = 7, FIRST_ROWS = 4096 };

static const double corner = 0.06, wide_corner = 0.1; /* s of the clip: width of the timing's corners */
static const double binding = 0.4;                    /* efforts below this do not bind after one round */
static const double first_reach = 2, last_reach = 1.15; /* of a coefficient in a round */
static const double reach_fall = 0.7, reach_growth = 1.1, capped_fall = 0.8;
static const double settled = 1e-3;                   /* of the time */
static const double enough = 0.98;                    /* of the time within the limits: the least cost is no help */
static const double golden = 0.6180339887498949;

/* ---- The program of a round ---- */

static Status solve_program(RetimeState *r, double reach, double width, Error *err)
{
    retime_set_bounds(r, reach);
    RateProgram program = {r->row, r->row_count, r->low, r->high, rate_program_smoothness(width)};
    return rate_program_solve(&program, &r->warp, err);
}

static Status add_row(RetimeState *r, RateRow row, int effort, Error *err)
{
    if (r->row_count == r->row_capacity) {
        int capacity = r->row_capacity ? 2 * r->row_capacity : FIRST_ROWS;
        RateRow *grown = realloc(r->row, (size_t)capacity * sizeof *grown);
        if (grown)
            r->row = grown;
        int *efforts = realloc(r->row_effort, (size_t)capacity * sizeof *efforts);
        if (efforts)
            r->row_effort = efforts;
        if (!grown || !efforts)
            return error_no_memory(err);
        r->row_capacity = capacity;
    }
    r->row_effort[r->row_count] = effort;
    r->row[r->row_count++] = row;
    return STATUS_OK;
}

/* The rows of a frame of a trial, linear about its rate. */
static Status add_frame(RetimeState *r, const Trial *trial, const Clip *varied, int frame, Error *err)
{
    const RetimeScan *scan = r->scan;
    WarpRate rate = trial->rate[frame];
    double place = trial->place[frame];
    int source = retime_source_frame(scan, place), ground = body_limits_ground(&trial->clip);
    const float *tight = r->tight + (size_t)source * (size_t)scan->efforts;
    Status status = STATUS_OK;
    for (int e = 0; e < scan->efforts && !status; e++) {
        double unit = 1 / (RETIME_AIM * (double)tight[e] * retime_limit(scan, place, e));
        Vec3 now = retime_effort(scan, &trial->clip, frame, source, e);
        if (!(unit * body_limits_size(&trial->clip, e, now) > binding))
            continue;
        Vec3 square = vec3_sub(retime_effort(scan, &varied[CHANGE_SQUARE], frame, source, e), now);
        Vec3 push = vec3_sub(retime_effort(scan, &varied[CHANGE_PUSH], frame, source, e), now);
        RateRow row = {.place = place, .is_one_sided = e == ground};
        row.by_square = vec3_scale(square, unit / (TRIAL_SQUARE * rate.square));
        row.by_push = vec3_scale(push, unit / TRIAL_PUSH);
        row.now = vec3_mad(vec3_mad(vec3_scale(now, unit), -rate.square, row.by_square), -rate.push, row.by_push);
        status = add_row(r, row, e, err);
    }
    return status;
}

/* The rows of the present trial. */
static Status linearise(RetimeState *r, Error *err)
{
    Clip varied[TRIAL_CHANGES];
    Status status = STATUS_OK;
    memset(varied, 0, sizeof varied);
    for (int i = 0; i < TRIAL_CHANGES && !status; i++)
        status = trial_vary(&r->trial, (TrialChange)i, r->scan->plan, &varied[i], err);
    r->row_count = 0;
    for (int f = 0; f < r->trial.clip.motion.frame_count && !status; f++)
        status = add_frame(r, &r->trial, varied, f, err);
    for (int i = 0; i < TRIAL_CHANGES; i++)
        clip_free(&varied[i]);
    return status;
}

/* ---- Rounds ---- */

/* A timing below these rates, [frame] of the clip, or below one rate. */
static Status follow_rates(RetimeState *r, const double *rate, double most, double *out, Error *err)
{
    double dt = r->scan->clip->motion.frame_time;
    Status status = STATUS_OK;
    r->row_count = 0;
    for (int f = 0; f < r->scan->frames && !status; f++) {
        double limit = rate ? rate[f] : most;
        if (limit < 1)
            status = add_row(r, (RateRow){.place = f * dt, .by_square = vec3(1 / (limit * limit), 0, 0),
                                          .is_one_sided = 1}, 0, err);
    }
    if (!status)
        status = solve_program(r, INFINITY, wide_corner, err);
    return status ? status : retime_try(r, out, err);
}

/* The best single rate between the neighbours of the scan's, by golden sections: a clip that was sped up evenly. */
static Status bracket_rate(RetimeState *r, Error *err)
{
    double low = r->scan->best_rate * SCAN_RATIO, high = fmin(1, r->scan->best_rate / SCAN_RATIO);
    for (int i = 0; i < r->scan->flights.count; i++) {
        const Flight *flight = &r->scan->flights.flight[i];
        if (flight->rate < 1) {
            high = flight->rate;
            low = sqrt(retime_flight_square(flight));
        }
    }
    double rate[2] = {high - golden * (high - low), low + golden * (high - low)}, found[2];
    Status status = follow_rates(r, NULL, rate[0], &found[0], err);
    if (!status)
        status = follow_rates(r, NULL, rate[1], &found[1], err);
    for (int i = 2; i < BRACKETS && !status; i++) {
        int lower = found[0] < found[1];
        *(lower ? &high : &low) = rate[lower];
        rate[lower] = rate[!lower];
        found[lower] = found[!lower];
        rate[!lower] = lower ? high - golden * (high - low) : low + golden * (high - low);
        status = follow_rates(r, NULL, rate[!lower], &found[!lower], err);
    }
    return status;
}

/* The reach of the next round. Caps need small steps: they act on the present timing. */
static double next_reach(double reach, int is_capped, int is_better)
{
    if (is_capped)
        return fmax(last_reach, 1 + capped_fall * (reach - 1));
    return fmin(first_reach, 1 + (is_better ? reach_growth : reach_fall) * (reach - 1));
}

static int may_improve(const RetimeState *r) { return r->best_cost < r->within_time * enough; }

/* Rounds from the best timing on, by tightened limits alone or by caps as well. */
static Status run_rounds(RetimeState *r, int is_capped, Error *err)
{
    double cost, reach = first_reach;
    size_t cells = (size_t)r->scan->frames * (size_t)r->scan->efforts;
    for (size_t i = 0; i < cells; i++)
        r->tight[i] = 1;
    memcpy(r->warp.square, r->best, (size_t)r->warp.count * sizeof *r->best);
    Status status = retime_try(r, &cost, err);
    for (int i = 0, calm = 0; i < (isfinite(r->within_time) ? MAX_ROUNDS : ROUNDS) && calm < CALM_ROUNDS; i++) {
        double within = r->within_time, before = cost;
        if (!status)
            status = linearise(r, err);
        if (!status)
            status = solve_program(r, reach, corner, err);
        if (status)
            return status;
        retime_expect(r);
        if ((status = retime_try(r, &cost, err)))
            return status;
        if (is_capped)
            retime_move_caps(r, i >= CAPPED_ROUND);
        retime_tighten(r);
        reach = next_reach(reach, is_capped, cost < before);
        calm = isfinite(within) && r->within_time > within * (1 - settled) ? calm + 1 : 0;
    }
    return status;
}

Status retime_rounds_run(RetimeState *r, Retimed *out, Error *err)
{
    double cost;
    Status status = follow_rates(r, r->scan->fastest, 0, &cost, err);
    if (!status)
        status = bracket_rate(r, err);
    if (!status)
        status = run_rounds(r, 0, err);
    if (!status && may_improve(r))
        status = run_rounds(r, 1, err);
    retime_free_bounds(r);
    if (!status && may_improve(r))
        status = retime_polish(r, err);
    return status ? status : retime_take(r, out, err);
}
