/* Savitzky-Golay weights: value or derivative, at any sample of a window, of the least-squares polynomial through
 * equidistant samples, as a weighted sum of these.
 *
 * Uses Gram polynomials, which are orthogonal over the window, so that no linear system is solved. Reference: P. A.
 * Gorry, Analytical Chemistry 62 (1990) 570-573, equations 8 and 11. */
#ifndef KANE_SIGNAL_SAVGOL_H
#define KANE_SIGNAL_SAVGOL_H

#include "analysis/base/status.h"
#include "analysis/signal/biquad.h"

#define SAVGOL_MAX_WINDOW 1023
#define SAVGOL_MAX_ORDER 12

/* STATUS_USAGE unless window is odd, 3 .. SAVGOL_MAX_WINDOW, and order is 0 .. SAVGOL_MAX_ORDER below window. */
Status savgol_check(int window, int order, Error *err);

/* Fills weights[window] for the given derivative (0: the value) at sample `at` (0 .. window - 1), for unit sample
 * spacing: divide the sum by spacing^derivative. Window and order must pass savgol_check. */
void savgol_weights(int window, int order, int derivative, int at, double *weights);

/* Smooths along the rows in place; the first and last half windows use the fits of the first and last window. Fewer
 * rows than a window are not smoothed. */
Status savgol_smooth(const Samples *samples, int window, int order, Error *err);

#endif
