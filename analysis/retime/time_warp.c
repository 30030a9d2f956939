/* See time_warp.h. */
#include "analysis/retime/time_warp.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"

enum { STEPS_OF_A_FRAME = 4 };

static const double slack = 1e-6; /* of a frame: the end of the clip, after rounding */

Status time_warp_init(TimeWarp *warp, double duration, double step, Error *err)
{
    int intervals = (int)fmax(1, ceil(duration / step - 1e-9));
    *warp = (TimeWarp){.duration = duration, .step = duration / intervals, .count = intervals + WARP_ORDER - 1};
    warp->square = array_new((size_t)warp->count, 1, sizeof *warp->square);
    if (!warp->square)
        return error_no_memory(err);
    for (int i = 0; i < warp->count; i++)
        warp->square[i] = 1;
    return STATUS_OK;
}

void time_warp_free(TimeWarp *warp)
{
    free(warp->square);
    *warp = (TimeWarp){0};
}

WarpBasis time_warp_basis(const TimeWarp *warp, double place)
{
    double at = fmin(fmax(place / warp->step, 0), warp->count - WARP_ORDER + 1), h = warp->step;
    int i = (int)fmin(floor(at), warp->count - WARP_ORDER);
    double t = at - i, a = 1 - t;
    return (WarpBasis){
        .first = i,
        .value = {a * a * a / 6, (3 * t * t * t - 6 * t * t + 4) / 6, (3 * a * a * a - 6 * a * a + 4) / 6,
                  t * t * t / 6},
        .slope = {-a * a / (2 * h), (3 * t * t - 4 * t) / (2 * h), (4 * a - 3 * a * a) / (2 * h), t * t / (2 * h)},
        .bend = {a / (h * h), (3 * t - 2) / (h * h), (3 * a - 2) / (h * h), t / (h * h)},
    };
}

WarpRate time_warp_rate(const TimeWarp *warp, double place)
{
    WarpBasis basis = time_warp_basis(warp, place);
    WarpRate rate = {0};
    for (int k = 0; k < WARP_ORDER; k++) {
        rate.square += basis.value[k] * warp->square[basis.first + k];
        rate.push += 0.5 * basis.slope[k] * warp->square[basis.first + k];
    }
    return rate;
}

static double rate_at(const TimeWarp *warp, double place)
{
    return sqrt(time_warp_rate(warp, place).square);
}

/* `place` a time `dt` later, by the classical Runge-Kutta method. */
static double advance(const TimeWarp *warp, double place, double dt)
{
    double a = rate_at(warp, place), b = rate_at(warp, place + 0.5 * dt * a);
    double c = rate_at(warp, place + 0.5 * dt * b), d = rate_at(warp, place + dt * c);
    return place + dt * (a + 2 * b + 2 * c + d) / 6;
}

Status time_warp_places(const TimeWarp *warp, double frame_time, double **place, int *count, Error *err)
{
    double least = 1, at = 0, end = warp->duration + slack * frame_time;
    for (int i = 0; i < warp->count; i++)
        least = fmin(least, warp->square[i]);
    size_t most = (size_t)(warp->duration / (sqrt(least) * frame_time) + 3);
    *count = 0;
    *place = array_new(most, 1, sizeof **place);
    if (!*place)
        return error_no_memory(err);
    while (at <= end && (size_t)*count < most) {
        (*place)[(*count)++] = fmin(at, warp->duration);
        for (int i = 0; i < STEPS_OF_A_FRAME; i++)
            at = advance(warp, at, frame_time / STEPS_OF_A_FRAME);
        double whole = rint(at / frame_time);
        if (fabs(at - whole * frame_time) < 1e-9 * frame_time)
            at = whole * frame_time;
    }
    return STATUS_OK;
}
