/* What a search for a timing knows: the present timing and its trial, the best so far, what trials taught. */
#ifndef KANE_STAGES_RETIME_STATE_H
#define KANE_STAGES_RETIME_STATE_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/motion/pose_curve.h"
#include "analysis/retime/rate_program.h"
#include "analysis/retime/time_warp.h"
#include "pipeline/stages/retime_scan.h"
#include "pipeline/stages/retime_trial.h"

/* Fraction of the limits that programs aim at. */
#define RETIME_AIM 0.994

/* Efforts are over their limit beyond this fraction. */
#define RETIME_SETTLED 1e-3

typedef struct RetimeState {
    const RetimeScan *scan; /* not owned */
    PoseCurve curve, own;   /* of the clip, and of the poses that are written */
    TimeWarp warp;          /* the present timing */
    Trial trial;            /* of it */
    Arena arena;            /* of the arrays; [warp.count]: the next seven */
    double *low, *high;     /* bounds of a program */
    double *cap, *floor;    /* bounds that trials taught */
    double *start;          /* a timing to return to */
    double *best, *within;  /* the timing with the least cost; the shortest within the limits */
    double *over;           /* [frame] largest size of the present trial */
    double *best_over;      /* [frame] of the best timing */
    int *worst;             /* [frame] effort of `over` */
    char *met;              /* [frame] 1: the program met its limits there */
    float *tight;           /* [frame][effort] fraction of the limits, as the next three */
    float *next;            /* the same of the next round */
    float *size, *expected; /* of the present trial, and what the program expected */
    RateRow *row;           /* owned */
    int *row_effort;        /* [row_count] owned */
    int row_count, row_capacity;
    double best_cost;       /* s */
    double within_time;     /* s; INFINITY: none */
} RetimeState;

Status retime_state_init(RetimeState *r, const RetimeScan *scan, Error *err);
void retime_state_free(RetimeState *r);

/* Sets the bounds of the coefficients: a factor `reach` around the present ones, caps and floors; flights take the time
 * that gravity gives them or, within the error of their fall, a longer one. */
void retime_set_bounds(RetimeState *r, double reach);

/* Removes caps and floors. */
void retime_free_bounds(RetimeState *r);

/* Least square of the rate in a flight: within the error of its fall. */
double retime_flight_square(const Flight *flight);

#endif
