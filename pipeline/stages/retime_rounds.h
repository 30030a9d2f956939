/* Rounds of the search: a timing, its trial, the program that follows from it, and the best trial so far. */
#ifndef KANE_STAGES_RETIME_ROUNDS_H
#define KANE_STAGES_RETIME_ROUNDS_H

#include "analysis/base/status.h"
#include "analysis/retime/rate_program.h"
#include "pipeline/stages/retime_scan.h"
#include "pipeline/stages/retimed.h"

/* Changes below this are none: of the time, and of the limits. */
#define RETIME_SETTLED 2e-3

typedef struct RetimeRounds {
    const RetimeScan *scan; /* not owned */
    PoseCurve curve;
    TimeWarp warp;
    double *low, *high;     /* [warp.count] bounds; in `bounds`, as the next two */
    double *start, *best;   /* timing to begin with or to return to; that of the least cost */
    double *bounds;         /* owned */
    double *over, *tried;   /* [frame] largest size of the present trial, and of another; in `sizes`, as the next two */
    double *best_over;      /* of the trial with the least cost */
    double *tight;          /* fraction of the limits that the program aims at */
    double *sizes;          /* owned */
    char *met;              /* [frame] owned; 1: the program met its limits there */
    RateRow *row;           /* owned */
    int row_count, row_capacity;
    double best_cost;       /* s */
    double kept_time, kept_cost; /* s, of the trial that *out has; time INFINITY: not within the limits */
} RetimeRounds;

Status retime_rounds_init(RetimeRounds *r, const RetimeScan *scan, Error *err);
void retime_rounds_free(RetimeRounds *r);

/* Runs rounds until nothing improves; *out has the best trial. */
Status retime_rounds_run(RetimeRounds *r, Retimed *out, Error *err);

/* Sets the bounds of the coefficients: a factor `reach` around the present ones, and given in flights. */
void retime_set_bounds(RetimeRounds *r, double reach);

/* Makes a trial of the present timing, finds its largest sizes and keeps it in *out if it is the best. */
Status retime_try(RetimeRounds *r, Trial *trial, double *over, Retimed *out, Error *err);

#endif
