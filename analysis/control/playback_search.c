/* See playback_search.h. */
#include "analysis/control/playback_search.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/control/controller.h"
#include "analysis/control/playback.h"
#include "analysis/math/elementary.h"

/* State of a search, in decimal logarithms. */
typedef struct GridPoint {
    double stiffness, ratio;
} GridPoint;

typedef struct Search {
    const Playback *playback;
    ControllerDef def;
    Tracking tracking;
    GridPoint best;
    double score, mean_error; /* error of the best run */
    int run_count, stable_count;
} Search;

#define MIN_STIFFNESS 0.0  /* exponent of the present step */
#define MAX_STIFFNESS 6.0
#define MIN_RATIO (-0.7)
#define MAX_RATIO 1.0
#define GRID_STEP 0.5        /* index of the stiffness */
#define FIRST_STEP 0.25
#define LAST_STEP 0.03

/* A run that diverges ranks behind all others, by the time that it lacks. */
static double search_score(const Search *s, const TrackingRun *run)
{
    double end = (s->tracking.frame_count - 1) * s->playback->def.dt;
    return run->is_flown_apart ? 1e3 * (2 - run->stable_time / end) : run->mean_error;
}

/* 10^x, exact for whole powers. */
static double power_of_ten(double x) { return elementary_exp(x * 2.302585092994045684); }

static int is_within(GridPoint at)
{
    return at.stiffness >= MIN_STIFFNESS && at.stiffness <= MAX_STIFFNESS && at.ratio >= MIN_RATIO &&
           at.ratio <= MAX_RATIO;
}

/* *better: whether the point improves on the best so far; it then becomes the best. */
static Status try_gains(Search *s, GridPoint at, int *better, Error *err)
{
    *better = 0;
    if (!is_within(at))
        return STATUS_OK;
    s->def.gains.stiffness = power_of_ten(at.stiffness);
    s->def.gains.damping_ratio = power_of_ten(at.ratio);
    Status status = playback_run(s->playback, &s->def, &s->tracking, err);
    if (status)
        return status;
    const TrackingRun *run = &s->tracking.run[s->def.kind];
    double score = search_score(s, run);
    s->run_count++;
    s->stable_count += !run->is_flown_apart;
    *better = score < s->score;
    if (*better) {
        s->best = at;
        s->score = score;
        s->mean_error = run->mean_error;
    }
    return STATUS_OK;
}

static Status search_grid(Search *s, Error *err)
{
    static const double ratios[] = {-0.3, 0, 0.3};
    Status status = STATUS_OK;
    int better;
    for (double k = 1; !status && k < MAX_STIFFNESS - 0.5; k += GRID_STEP)
        for (size_t i = 0; !status && i < sizeof ratios / sizeof *ratios; i++)
            status = try_gains(s, (GridPoint){k, ratios[i]}, &better, err);
    return status;
}

/* Moves to the first improvement around the best point; halves the steps if there is none. */
static Status search_around(Search *s, Error *err)
{
    for (double step = FIRST_STEP; step > LAST_STEP;) {
        GridPoint from = s->best;
        const GridPoint around[] = {{from.stiffness + step, from.ratio}, {from.stiffness - step, from.ratio},
                                    {from.stiffness, from.ratio + step}, {from.stiffness, from.ratio - step}};
        int better = 0;
        for (int i = 0; !better && i < 4; i++) {
            Status status = try_gains(s, around[i], &better, err);
            if (status)
                return status;
        }
        step = better ? step : 0.5 * step;
    }
    return STATUS_OK;
}

Status playback_search_gains(const Playback *p, const ControllerDef *controller, GainSearch *out, Error *err)
{
    Search s = {.playback = p, .def = *controller, .score = INFINITY};
    s.def.gains.damping = 0;
    Status status = playback_tracking(p, &s.tracking, err);
    if (!status)
        status = search_grid(&s, err);
    if (!status)
        status = search_around(&s, err);
    tracking_free(&s.tracking);
    *out = (GainSearch){power_of_ten(s.best.stiffness), power_of_ten(s.best.ratio), s.mean_error, s.run_count,
                        s.stable_count,
                        s.best.stiffness <= MIN_STIFFNESS || s.best.stiffness >= MAX_STIFFNESS ||
                            s.best.ratio <= MIN_RATIO || s.best.ratio >= MAX_RATIO};
    return status;
}

/* Smooths learned torques, so that oscillation from step to step does not grow from run to run. */
static void smooth_learned(const Playback *p, Vec3 *torque)
{
    size_t joints = (size_t)p->motion.joint_count, frames = (size_t)p->motion.frame_count;
    for (size_t j = 0; j < joints; j++) {
        Vec3 before = torque[j];
        for (size_t f = 1; f + 1 < frames; f++) {
            Vec3 *at = torque + f * joints + j, now = *at;
            *at = vec3_scale(vec3_mad(vec3_add(before, at[joints]), 2, now), 0.25);
            before = now;
        }
    }
}

Status playback_learn(const Playback *p, const ControllerDef *controller, int count, double *mean_error,
                      Tracking *tracking, Error *err)
{
    ControllerDef def = *controller;
    Status status = STATUS_OK;
    if (!controller_learns(def.kind))
        return error_set(err, STATUS_USAGE, "%s cannot learn: it is not a stable PD", controller_name(def.kind));
    def.learned = array_new((size_t)p->motion.frame_count, (size_t)p->motion.joint_count, sizeof *def.learned);
    if (!def.learned)
        return error_no_memory(err);
    for (int i = 0; !status && i < count; i++) {
        smooth_learned(p, def.learned);
        status = playback_run(p, &def, tracking, err);
        mean_error[i] = status ? 0 : tracking->run[def.kind].mean_error;
    }
    free(def.learned);
    return status;
}
