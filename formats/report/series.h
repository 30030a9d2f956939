/* Time series of 16 bits per value, as web/report/decode.js reads them.
 *
 * Each series has a scale: code 0 is an unknown value, code k >= 1 is min + (k - 1) step with step = (largest -
 * min) / 65534, so the error is at most half a step. Stored are differences of consecutive codes modulo 65536 in
 * zigzag order (0 -1 1 -2 ..), low and high bytes separately: long runs of equal bytes, which deflate compresses
 * well. */
#ifndef KANE_REPORT_SERIES_H
#define KANE_REPORT_SERIES_H

#include <stddef.h>

#include "analysis/base/status.h"

typedef struct SeriesScale {
    double min;   /* 0 if no value is known */
    double step;  /* 0 if all values are equal */
} SeriesScale;

/* The concatenated series of a page. */
typedef struct SeriesBlock {
    unsigned char *low, *high; /* [count] owned */
    size_t count, capacity;
} SeriesBlock;

/* Appends a series. Values that are not finite or beyond 1e30 become unknown. On failure the block is unchanged. */
Status series_append(SeriesBlock *block, const double *value, size_t count, SeriesScale *scale, Error *err);

/* Appends a series on a given scale. */
Status series_append_scaled(SeriesBlock *block, const double *value, size_t count, SeriesScale scale, Error *err);
void series_free(SeriesBlock *block);

#endif
