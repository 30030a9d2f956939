/* A second-order filter section, run forward and back over rows of channels so that nothing is delayed.
 *
 *     y(t) = b0 x(t) + b1 x(t-1) + b2 x(t-2) - a1 y(t-1) - a2 y(t-2),   unit gain at zero frequency
 *
 * The rows are continued at both ends by odd reflection, 2 x(0) - x(k), and either pass begins in the steady state of
 * the straight line through the continuation, so that constants and ramps pass unchanged and the ends do not ring.
 * References: F. Gustafsson, IEEE Trans. Signal Processing 44 (1996) 988-992 (why initial states matter);
 * D. A. Winter, Biomechanics and Motor Control of Human Movement, section 3.4.4 (the double pass). */
#ifndef KANE_SIGNAL_SECTION_H
#define KANE_SIGNAL_SECTION_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/math/lane_width.h"

typedef struct Section {
    double b0, b1, b2, a1, a2;
} Section;

/* Magnitude of one pass at an angle of 2 pi frequency / rate. */
double section_gain(const Section *section, double angle);

/* Fewer rows than this stay as they are. */
#define SECTION_MIN_ROWS 4

/* Filters rows [row][channel] along the rows in place, forward and back, each end continued by pad rows (held below
 * row_count). Every width gives the same bits. */
Status section_filter(const Section *section, double *rows, size_t row_count, size_t channel_count, size_t pad,
                      LaneWidth lanes, Error *err);

#endif
