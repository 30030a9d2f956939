/* Gait cycles of a foot and the mean of a signal over them.
 *
 * A cycle lasts from one foot strike to the next strike of the same foot and is divided into 100 equal parts of its
 * duration. Reference: J. Perry, J. Burnfield, Gait Analysis, 2010, chapter 1 (initial contact to initial contact). */
#ifndef KANE_STATS_GAIT_CYCLE_H
#define KANE_STATS_GAIT_CYCLE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

enum { GAIT_POINTS = 101 }; /* 0 % to 100 % */

/* s: shorter contacts and gaps are detection noise */
#define GAIT_FLICKER 0.05
/* s: shorter swings are not steps; in walking and running swings last at least twice as long */
#define GAIT_MIN_SWING 0.15
/* Largest relative deviation of a cycle's duration from the median; others, such as pauses and stumbles, are
 * excluded. */
#define GAIT_LARGEST_DEVIATION 0.5

typedef struct GaitCycle {
    int begin, end; /* frames of both strikes */
    int lift;       /* first frame without contact between them */
} GaitCycle;

typedef struct GaitCycles {
    int count;        /* at least 1 */
    int left_out;     /* excluded by duration or by frames outside the choice */
    GaitCycle *cycle; /* [count] by time; owned */
    double stance;    /* mean fraction of the cycle until the foot lifts, 0 to 1 */
    double duration;  /* mean, s */
} GaitCycles;

/* Finds the cycles of a foot (FOOT_LEFT or FOOT_RIGHT) whose frames all belong to the choice or are only
 * TRUST_UNCERTAIN. STATUS_BAD_INPUT if the clip has no contact points or no complete cycle. */
Status gait_cycles_init(GaitCycles *cycles, const Clip *clip, int foot, FrameChoice choice, Error *err);
void gait_cycles_free(GaitCycles *cycles);

/* Mean and standard deviation (n - 1; NaN for one cycle) of value[frame] over the cycles at each per cent, with linear
 * interpolation between frames. */
void gait_cycles_profile(const GaitCycles *cycles, const double *time, const double *value, double mean[GAIT_POINTS],
                         double deviation[GAIT_POINTS]);

#endif
