/* See retime_adapt.h. */
#include "pipeline/stages/retime_adapt.h"

#include <math.h>
#include <string.h>

static const double met = 1.02;     /* of a limit in the program */
static const double around = 0.05;  /* s of the clip: where a cap acts */
static const double gain = 0.5, min_change = 0.01, max_change = 0.15; /* of a cap by the excess */
static const double growth = 1.01, within_growth = 1.05; /* of caps in a round; once a timing is within the limits */
static const double spread = 0.03;  /* s of the clip: where limits are tightened */
static const double tightening = 0.95, loosening = 1.004, min_tight = 0.7;

void retime_expect(RetimeState *r)
{
    memset(r->met, 1, (size_t)r->scan->frames);
    memset(r->expected, 0, (size_t)r->scan->frames * (size_t)r->scan->efforts * sizeof *r->expected);
    for (int i = 0; i < r->row_count; i++) {
        int source = retime_source_frame(r->scan, r->row[i].place);
        size_t at = (size_t)source * (size_t)r->scan->efforts + (size_t)r->row_effort[i];
        double value = rate_row_value(&r->row[i], time_warp_rate(&r->warp, r->row[i].place));
        r->expected[at] = fmaxf(r->expected[at], (float)(value * RETIME_AIM) * r->tight[at]);
        if (value > met)
            r->met[source] = 0;
    }
}

void retime_move_caps(RetimeState *r, int everywhere)
{
    double dt = r->scan->clip->motion.frame_time;
    int reach = (int)ceil(around / r->warp.step);
    double ease = isfinite(r->within_time) ? within_growth : growth;
    for (int i = 0; i < r->warp.count; i++) {
        r->cap[i] = fmin(1, r->cap[i] * ease);
        r->floor[i] /= ease;
    }
    for (int f = 0; f < r->scan->frames; f++) {
        WarpRate rate = time_warp_rate(&r->warp, f * dt);
        if (!(r->over[f] > 1 + RETIME_SETTLED) || !(everywhere || r->met[f]))
            continue;
        int is_lower = retime_slower_is_lower(r->scan, f, r->worst[f], sqrt(rate.square));
        int middle = (int)rint(f * dt / r->warp.step) + 1;
        double change = fmin(min_change + gain * (r->over[f] - 1), max_change);
        for (int i = middle - reach; i <= middle + reach; i++)
            if (i >= 0 && i < r->warp.count && is_lower)
                r->cap[i] = fmax(r->floor[i], fmin(r->cap[i], rate.square * (1 - change)));
            else if (i >= 0 && i < r->warp.count)
                r->floor[i] = fmin(r->cap[i], fmax(r->floor[i], rate.square * (1 + change)));
    }
}

void retime_tighten(RetimeState *r)
{
    int frames = r->scan->frames, reach = (int)ceil(spread / r->scan->clip->motion.frame_time);
    size_t efforts = (size_t)r->scan->efforts, cells = (size_t)frames * efforts;
    for (size_t i = 0; i < cells; i++)
        r->next[i] = fminf(1, r->tight[i] * (float)loosening);
    for (size_t i = 0; i < cells; i++) {
        if (!((double)r->size[i] > 1 + RETIME_SETTLED))
            continue;
        double goal = r->expected[i] > 0 ? (double)(r->expected[i] / r->size[i]) : 0;
        int f = (int)(i / efforts);
        for (int k = f - reach; k <= f + reach; k++) {
            size_t at = (size_t)k * efforts + i % efforts;
            if (k >= 0 && k < frames)
                r->next[at] = fminf(r->next[at], (float)fmax(fmax(goal, min_tight), tightening * (double)r->tight[at]));
        }
    }
    memcpy(r->tight, r->next, cells * sizeof *r->tight);
}
