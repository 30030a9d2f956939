/* See retime_polish.h. */
#include "pipeline/stages/retime_polish.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "pipeline/stages/retime_attempt.h"

enum { PASSES = 6 };

static const double gap = 0.03;   /* s of the clip between sites */
static const double reach = 0.09; /* s of the clip: where a shape changes efforts */

/* A change of the timing around a site. */
typedef struct Shape {
    double part, shift, width; /* of the squared rate; s of the clip */
} Shape;

static const Shape shapes[] = {
    {-0.12, 0, 0.03},     {-0.12, -0.03, 0.03}, {-0.12, 0.03, 0.03}, {0.12, 0, 0.03},
    {-0.25, 0, 0.08},     {-0.25, -0.08, 0.08}, {-0.25, 0.08, 0.08}, {0.15, 0, 0.08},
    {-0.3, -0.15, 0.15},  {-0.3, 0.15, 0.15},   {-0.5, 0, 0.15},     {-0.5, 0, 0.3},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* An interval of the clip over its limits. */
typedef struct Site {
    int first, last; /* frames */
    int shape;       /* the best, -1: none */
    double excess;   /* with it */
} Site;

/* Sites, and the factor of every shape's part. */
typedef struct Sites {
    const Site *site; /* [count] */
    int count;
    double size;
} Sites;

static double site_excess(const RetimeScan *scan, const Site *site, const double *over)
{
    int around = (int)ceil(reach / scan->clip->motion.frame_time);
    double excess = 0;
    for (int f = site->first - around; f <= site->last + around; f++)
        if (f >= 0 && f < scan->frames)
            excess += fmax(0, over[f] - 1);
    return excess;
}

static int find_sites(const RetimeState *r, Site *site)
{
    int apart = (int)ceil(gap / r->scan->clip->motion.frame_time), count = 0;
    for (int f = 0; f < r->scan->frames; f++) {
        if (r->best_over[f] <= 1 + RETIME_SETTLED)
            continue;
        if (count > 0 && f - site[count - 1].last <= apart)
            site[count - 1].last = f;
        else
            site[count++] = (Site){.first = f, .last = f, .shape = -1};
    }
    for (int i = 0; i < count; i++)
        site[i].excess = site_excess(r->scan, &site[i], r->best_over);
    return count;
}

static void lay(RetimeState *r, const Site *site, const Shape *shape, double size)
{
    double dt = r->scan->clip->motion.frame_time, middle = 0.5 * (site->first + site->last) * dt + shape->shift;
    double width = shape->width + 0.5 * (site->last - site->first) * dt;
    for (int i = 0; i < r->warp.count; i++) {
        double away = ((i - 1) * r->warp.step - middle) / width;
        double x = r->warp.square[i] * (1 + size * shape->part * fmax(0, 1 - away * away));
        r->warp.square[i] = fmin(fmax(x, r->low[i]), r->high[i]);
    }
}

/* Tries a shape at every site; -1: the best of each. */
static Status try_shape(RetimeState *r, const Sites *sites, int shape, Error *err)
{
    double cost;
    memcpy(r->warp.square, r->start, (size_t)r->warp.count * sizeof *r->start);
    for (int i = 0; i < sites->count; i++)
        if (shape >= 0 || sites->site[i].shape >= 0)
            lay(r, &sites->site[i], &shapes[shape >= 0 ? shape : sites->site[i].shape], sites->size);
    return retime_try(r, &cost, err);
}

/* Tries every shape at every site, then the best of each together. */
static Status try_shapes(RetimeState *r, Site *site, double size, Error *err)
{
    Sites sites = {.site = site, .count = find_sites(r, site), .size = size};
    Status status = STATUS_OK;
    memcpy(r->start, r->best, (size_t)r->warp.count * sizeof *r->start);
    memcpy(r->warp.square, r->best, (size_t)r->warp.count * sizeof *r->start);
    retime_set_bounds(r, INFINITY);
    for (int k = 0; k < SHAPES && !status; k++) {
        status = try_shape(r, &sites, k, err);
        for (int i = 0; i < sites.count && !status; i++) {
            double excess = site_excess(r->scan, &site[i], r->over);
            if (excess < site[i].excess) {
                site[i].excess = excess;
                site[i].shape = k;
            }
        }
    }
    return status ? status : try_shape(r, &sites, -1, err);
}

Status retime_polish(RetimeState *r, Error *err)
{
    Site *site = array_new((size_t)r->scan->frames, 1, sizeof *site);
    Status status = site ? STATUS_OK : error_no_memory(err);
    double size = 1;
    for (int i = 0; !status && i < PASSES && !isfinite(r->within_time); i++) {
        double before = r->best_cost;
        status = try_shapes(r, site, size, err);
        size = r->best_cost < before ? size : 0.5 * size;
    }
    free(site);
    return status;
}
