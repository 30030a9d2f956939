/* Options of the stage smooth, as its line of the history holds them. */
#ifndef KANE_STAGES_SMOOTH_OPTIONS_H
#define KANE_STAGES_SMOOTH_OPTIONS_H

#include "analysis/signal/smoothing.h"

typedef struct SmoothOptions {
    SmoothDef def; /* cutoff 0: automatic, until the stage replaces it */
    double noise;  /* density of the noise of the segments' centres of mass, m per square root of Hz; 0: not measured */

    /* Results, not options. */
    int is_auto;  /* 1: the stage chose the cutoff */
    int is_given; /* 1: it did so by a noise that was given */
    double error; /* predicted error of joint torques, N m/kg; 0: unknown */
    double best, best_error, stated_error; /* of a stated cutoff: the best by the noise, Hz; the errors of both */
} SmoothOptions;

#endif
