/* Steps of a gait, for any frame rate and with or without a path: from the ankles, which pass each other once per
 * step. */
#ifndef KANE_EVIDENCE_STRIDES_H
#define KANE_EVIDENCE_STRIDES_H

#include "analysis/base/status.h"
#include "analysis/evidence/body_track.h"
#include "analysis/math/vec.h"

typedef struct Strides {
    int steps;          /* 0: no gait */
    double regular;     /* fraction of the steps within 30 % of the median duration */
    double frames;      /* per step, median */
    double length;      /* distance between the ankles along the facing direction, median of the largest per step, leg
                           lengths */
    double rise;        /* height of the centre of mass with the ankles apart less that with the ankles together, leg
                           lengths: negative in walking, positive in running */
    double fall;        /* downward acceleration with the ankles apart, units of the motion per s2 of the labelled rate,
                           median: free fall in running */
} Strides;

/* up: a unit vector. Zero without legs. */
Status strides_measure(const BodyTrack *track, Vec3 up, Strides *out, Error *err);

/* Whether the steps are regular and numerous enough to be a gait, walking, or running. */
int strides_are_gait(const Strides *strides);
int strides_are_walking(const Strides *strides);
int strides_are_running(const Strides *strides);

#endif
