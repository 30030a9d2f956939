/* The timing of a clip along its own path: how fast the clip's time passes at each of its times.
 *
 * `place` is the clip's time from its first frame, s. The rate is d(place)/dt, at most 1: never faster than the clip.
 * Its square x is a uniform cubic B-spline over `place`, so that its acceleration, x'/2, is continuous and it is
 * twice continuously differentiable in time. Verscheure et al. (2009), "Time-optimal path tracking for
 * robots: a convex optimization approach": torques along a path are linear in x and x'/2. */
#ifndef KANE_RETIME_TIME_WARP_H
#define KANE_RETIME_TIME_WARP_H

#include "analysis/base/status.h"

enum { WARP_ORDER = 4 }; /* coefficients that act at a place */

typedef struct TimeWarp {
    double duration;  /* s, of the clip */
    double step;      /* s, between knots */
    int count;        /* number of coefficients */
    double *square;   /* [count] owned; coefficients of the squared rate, 0 < x <= 1 */
} TimeWarp;

/* The coefficients that act at a place: the first of them, and each one's weight in x, in dx/dplace and in its
 * derivative. */
typedef struct WarpBasis {
    int first;
    double value[WARP_ORDER], slope[WARP_ORDER], bend[WARP_ORDER];
} WarpBasis;

/* Rate 1 everywhere; knots are about `step` apart. duration > 0. */
Status time_warp_init(TimeWarp *warp, double duration, double step, Error *err);
void time_warp_free(TimeWarp *warp);

WarpBasis time_warp_basis(const TimeWarp *warp, double place);

/* The square of the rate and the acceleration of `place`, 1/s. */
typedef struct WarpRate {
    double square, push;
} WarpRate;
WarpRate time_warp_rate(const TimeWarp *warp, double place);

/* Fills *place with the places at multiples of frame_time until the end of the clip, to be freed, and their number. A
 * clip that keeps its rate has its own frames. */
Status time_warp_places(const TimeWarp *warp, double frame_time, double **place, int *count, Error *err);

#endif
