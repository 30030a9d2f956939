/* Markers as a TRC file, which OpenSim reads: mm, y up, a row per frame. */
#ifndef KANE_EXPORT_TRC_H
#define KANE_EXPORT_TRC_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/math/vec.h"

typedef struct TrcTable {
    const char *title;
    double rate;          /* frames per second */
    int frame_count, marker_count;
    const char *const *name; /* [marker] */
    const double *time;   /* [frame] s; NULL: from 0 at the rate */
    const Vec3 *position; /* [frame][marker] m; NaN: not seen */
} TrcTable;

/* STATUS_IO if writing fails; the caller closes the stream. */
Status trc_write(const TrcTable *table, FILE *stream, Error *err);

#endif
