/* The torques whose uncertainty is asked for, and by how much each cause may be off. */
#ifndef KANE_UNCERTAINTY_SPREAD_CASE_H
#define KANE_UNCERTAINTY_SPREAD_CASE_H

#include "analysis/clip/clip_view.h"
#include "analysis/clip/dynamics.h"
#include "analysis/dynamics/loads.h"
#include "analysis/motion/differentiate.h"

/* How the motion was filtered. */
typedef struct FilterState {
    double cutoff;            /* Hz; 0: by no filter that has one */
    DifferenceDef difference; /* with the lanes of all that is done */
} FilterState;

/* Nothing is owned. */
typedef struct SpreadCase {
    const ClipView *clip;     /* all of it */
    const Loads *loads;       /* all that the torques were found under */
    const Dynamics *dynamics; /* what inverse_dynamics made of these */
    const double *size;       /* [SPREAD_TERM_COUNT] standard deviations of the causes */
    FilterState filter;
} SpreadCase;

#endif
