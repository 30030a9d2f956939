/* Repeated runs; the last one is the result. */
#ifndef KANE_CONTROL_PLAYBACK_SEARCH_H
#define KANE_CONTROL_PLAYBACK_SEARCH_H

#include "analysis/control/controller.h"
#include "analysis/control/playback.h"

/* Searches for the gains of the smallest mean error, stiffness and damping ratio of all joints: on a grid, then by
 * shrinking steps. Runs that diverge rank behind all others. */
typedef struct GainSearch {
    double stiffness, damping_ratio;
    double mean_error; /* rad */
    int run_count, stable_count; /* runs, and those that reach the end */
    int is_at_edge;    /* 1: the best gains are at the edge of the range that is searched */
} GainSearch;

Status playback_search_gains(const Playback *p, const ControllerDef *controller, GainSearch *out, Error *err);

/* Feedback error learning (thesis 2.2.1): `count` runs, each of which adds the feedback torques of the previous one to
 * the torques of its steps. mean_error[count], rad, of each; tracking receives the last. STATUS_USAGE for a controller
 * that is not a stable PD. */
Status playback_learn(const Playback *p, const ControllerDef *controller, int count, double *mean_error,
                      Tracking *tracking, Error *err);

#endif
