/* See retime_state.h. */
#include "pipeline/stages/retime_state.h"

#include <math.h>
#include <stdlib.h>

static const double knot_step = 0.01;  /* s of the clip */
static const double min_rate = 0.05;
static const double flight_errors = 2; /* by which a flight may be longer than its rate says */
static const double ramp = 0.1;        /* s of the clip: into a flight */

void retime_state_free(RetimeState *r)
{
    pose_curve_free(&r->curve);
    pose_curve_free(&r->own);
    time_warp_free(&r->warp);
    trial_free(&r->trial);
    arena_free(&r->arena);
    free(r->row_effort);
    free(r->row);
    *r = (RetimeState){0};
}

void retime_free_bounds(RetimeState *r)
{
    for (int i = 0; i < r->warp.count; i++) {
        r->cap[i] = 1;
        r->floor[i] = 0;
    }
}

static Status make_arrays(RetimeState *r, Error *err)
{
    size_t count = (size_t)r->warp.count, frames = (size_t)r->scan->frames, efforts = (size_t)r->scan->efforts;
    double **bounds[] = {&r->low, &r->high, &r->cap, &r->floor, &r->start, &r->best, &r->within};
    float **sizes[] = {&r->tight, &r->next, &r->size, &r->expected};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        *bounds[i] = arena_array(&r->arena, count, 1, sizeof **bounds[i]);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        *sizes[i] = arena_array(&r->arena, frames, efforts, sizeof **sizes[i]);
    r->over = arena_array(&r->arena, frames, 1, sizeof *r->over);
    r->best_over = arena_array(&r->arena, frames, 1, sizeof *r->best_over);
    r->worst = arena_array(&r->arena, frames, 1, sizeof *r->worst);
    r->met = arena_array(&r->arena, frames, 1, 1);
    if (r->arena.failed)
        return error_no_memory(err);
    retime_free_bounds(r);
    return STATUS_OK;
}

Status retime_state_init(RetimeState *r, const RetimeScan *scan, Error *err)
{
    double dt = scan->clip->motion.frame_time;
    *r = (RetimeState){.scan = scan, .best_cost = INFINITY, .within_time = INFINITY};
    Status status = pose_curve_init(&r->curve, &scan->clip->motion, err);
    if (!status)
        status = pose_curve_init(&r->own, scan->own, err);
    if (!status)
        status = time_warp_init(&r->warp, (scan->frames - 1) * dt, fmax(knot_step, dt), err);
    if (!status)
        status = make_arrays(r, err);
    if (status)
        retime_state_free(r);
    return status;
}

double retime_flight_square(const Flight *flight)
{
    return flight->rate * flight->rate / (1 + (flight->rate < 1 ? flight_errors * flight->error : 0));
}

void retime_set_bounds(RetimeState *r, double reach)
{
    double dt = r->scan->clip->motion.frame_time;
    for (int i = 0; i < r->warp.count; i++) {
        r->low[i] = fmax(fmax(min_rate * min_rate, r->floor[i]), r->warp.square[i] / reach);
        r->high[i] = fmax(r->low[i], fmin(r->cap[i], r->warp.square[i] * reach));
    }
    for (int i = 0; i < r->scan->flights.count; i++) {
        const Flight *flight = &r->scan->flights.flight[i];
        int first = time_warp_basis(&r->warp, flight->first * dt).first;
        int last = time_warp_basis(&r->warp, flight->last * dt).first + WARP_ORDER - 1;
        double high = flight->rate * flight->rate, low = retime_flight_square(flight);
        for (int k = first; k <= last; k++) {
            r->high[k] = fmin(fmax(r->high[k], low), high);
            r->low[k] = fmin(fmax(r->low[k], low), r->high[k]);
        }
        for (int k = 0; k < r->warp.count; k++) {
            double away = (k < first ? first - k : k > last ? k - last : 0) * r->warp.step;
            r->high[k] = fmax(r->high[k], low * (1 - away / ramp));
        }
    }
}
