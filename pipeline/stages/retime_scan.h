/* The efforts of a clip at one rate after the other: what slowing can lower, and where the clip is over its limits. */
#ifndef KANE_STAGES_RETIME_SCAN_H
#define KANE_STAGES_RETIME_SCAN_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/retime/body_limits.h"
#include "analysis/retime/flight_rates.h"
#include "pipeline/stages/retime_trial.h"

/* Efforts within this factor are within their limit. */
#define RETIME_TOLERANCE 1.01

enum { SCAN_RATES = 9 };

/* Between rates of the scan. */
#define SCAN_RATIO 0.8

typedef struct RetimeScan {
    const Clip *clip; /* not owned, as the next three: the clip to be retimed, with a body */
    const Motion *own; /* its poses that are written */
    const BodyLimits *limits;
    const TrialPlan *plan;
    int frames, efforts; /* of the clip; per frame */
    FlightRates flights;
    int wrong_flights;   /* flights with another rate than the clip */
    int is_within;       /* 1: the clip is within its limits, and its flights have rate 1 */
    char *flying;        /* [frame] owned; 1: in a flight or next to one */
    float *size;         /* [rate][frame][effort] owned; as fractions of the limit */
    float *least;        /* [frame][effort] owned; least of them */
    double *fastest;     /* [frame] owned; the largest rate within the limits */
    double best_rate;    /* of the scan, with the least time and excess together */
} RetimeScan;

/* Fills the rest from the first four members, by solving the clip as it is, then, unless it is within its
 * limits, the rest. On failure *scan is empty. */
Status retime_scan(RetimeScan *scan, Error *err);
void retime_scan_free(RetimeScan *scan);

/* An effort of a frame of a solved clip, which is at this frame of the source; (0, 0, 0) for the ground in flight,
 * where its force is noise. */
Vec3 retime_effort(const RetimeScan *scan, const Clip *clip, int frame, int source_frame, int effort);

/* 1 if an effort of a frame is lower at a rate slower than this one. */
int retime_slower_is_lower(const RetimeScan *scan, int frame, int effort, double rate);

/* The frame nearest to a place (s from the first frame). */
int retime_source_frame(const RetimeScan *scan, double place);

/* The limit of an effort at a place: 1, or a little over what no rate of the scan is below. */
double retime_limit(const RetimeScan *scan, double place, int effort);

/* Time with this many frames and, weighted, the mean excess over the limits, s. */
double retime_cost(const RetimeScan *scan, double frame_count, double excess);

#endif
