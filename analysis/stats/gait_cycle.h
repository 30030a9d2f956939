/* Gait cycles of a foot, and the mean course of a signal over them.
 *
 * A cycle goes from one foot strike to the next strike of the same foot and is cut into 100 equal parts of its own
 * time. Reference: J. Perry, J. Burnfield, Gait Analysis, 2010, chapter 1 (initial contact to initial contact). */
#ifndef KANE_STATS_GAIT_CYCLE_H
#define KANE_STATS_GAIT_CYCLE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

enum { GAIT_POINTS = 101 }; /* 0 % to 100 % */

/* Contact, or its absence, for less than this is flicker of what detects it, s. */
#define GAIT_FLICKER 0.05
/* A foot that leaves the ground for less than this has not taken a step, s: in walking and in running swings last
 * twice as long and more. */
#define GAIT_LEAST_SWING 0.15
/* Cycles whose duration is farther than this part from the median, pauses and stumbles, are left out. */
#define GAIT_LARGEST_DEVIATION 0.5

typedef struct GaitCycle {
    int begin, end; /* frames of two strikes */
    int lift;       /* first frame without contact in between */
} GaitCycle;

typedef struct GaitCycles {
    int count;        /* at least 1 */
    int left_out;     /* for their duration, or because of frames that do not count */
    GaitCycle *cycle; /* [count] in order; owned */
    double stance;    /* mean part of the cycle until the foot lifts, 0 to 1 */
    double duration;  /* mean, s */
} GaitCycles;

/* foot is FOOT_LEFT or FOOT_RIGHT; all frames of a cycle are of the choice. STATUS_BAD_INPUT where the clip has no
 * contact points or no whole cycle. */
Status gait_cycles_init(GaitCycles *cycles, const Clip *clip, int foot, FrameChoice choice, Error *err);
void gait_cycles_free(GaitCycles *cycles);

/* Mean and standard deviation (n - 1; NaN of one cycle) of value[frame] over the cycles at each per cent, with values
 * between frames on the line from one to the next. */
void gait_cycles_profile(const GaitCycles *cycles, const double *time, const double *value, double mean[GAIT_POINTS],
                         double deviation[GAIT_POINTS]);

#endif
