/* The fastest timing of a clip under limits that are linear in the squared rate and the acceleration of `place`.
 *
 * Minimises the time, plus a little of the bend of the squared rate, which rounds the corners where limits change:
 *   integral of x^-1/2 + smoothness / 2 (d2x/dplace2)^2   over the clip
 *   |now + by_square x + by_push x'/2| <= 1               at each row
 *   low <= coefficient <= high
 * a convex program, by augmented Lagrangians and Newton steps on banded matrices. Among all timings that are never
 * faster than the clip the shortest is the nearest to it: every other one takes longer still. Rows that cannot be met
 * are violated as little as the multipliers allow. */
#ifndef KANE_RETIME_RATE_PROGRAM_H
#define KANE_RETIME_RATE_PROGRAM_H

#include "analysis/base/status.h"
#include "analysis/math/vec.h"
#include "analysis/retime/time_warp.h"

/* A limit at a place, as a fraction of it. */
typedef struct RateRow {
    double place;                 /* s */
    Vec3 now, by_square, by_push; /* value at x = 0 and no acceleration, and its derivatives */
    int is_one_sided;             /* 1: the x component alone is limited, from above */
} RateRow;

typedef struct RateProgram {
    const RateRow *row; /* [row_count] */
    int row_count;
    const double *low, *high; /* [warp.count] bounds of the coefficients, 0 < low <= high; equal: given */
    double smoothness;        /* s4 */
} RateProgram;

/* Smoothness whose corners are about this wide, s. */
double rate_program_smoothness(double width);

/* Value of a row, as a fraction of its limit. */
double rate_row_value(const RateRow *row, WarpRate rate);

/* Replaces the coefficients of the warp, which are the start. */
Status rate_program_solve(const RateProgram *program, TimeWarp *warp, Error *err);

#endif
