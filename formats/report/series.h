/* Time series in 16 bits a value, as the page reads them (scripts/page/decode.js).
 *
 * A series has a scale of its own: code 0 is a value that is not known, code k >= 1 is least + (k - 1) step, with
 * step = (largest - least) / 65534, so that no value is off by more than half a step. Stored is the difference of a
 * code to the one before, modulo 65536 and folded so that small ones of either sign are small numbers (0 -1 1 -2 ..),
 * low and high bytes apart: long runs of equal bytes, which deflate takes well. */
#ifndef KANE_FORMATS_REPORT_SERIES_H
#define KANE_FORMATS_REPORT_SERIES_H

#include <stddef.h>

#include "analysis/base/status.h"

typedef struct SeriesScale {
    double least; /* 0 where no value is known */
    double step;  /* 0 where all are equal */
} SeriesScale;

/* The series of a page, one after the other. */
typedef struct SeriesBlock {
    unsigned char *low, *high; /* [count] owned */
    size_t count, capacity;
} SeriesBlock;

/* Appends a series. Values that are not finite, or beyond 1e30, become unknown. On failure the block is as it was. */
Status series_append(SeriesBlock *block, const double *value, size_t count, SeriesScale *scale, Error *err);

/* The same on a scale that is given. */
Status series_append_scaled(SeriesBlock *block, const double *value, size_t count, SeriesScale scale, Error *err);
void series_free(SeriesBlock *block);

#endif
