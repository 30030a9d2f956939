/* Savitzky-Golay weights: the least-squares polynomial through a window of equally spaced samples, its value or a
 * derivative at any sample of the window, as a weighted sum of the samples.
 *
 * By Gram polynomials, which are orthogonal over the window, so no linear system is solved.
 * Reference: P. A. Gorry, Analytical Chemistry 62 (1990) 570-573, equations 8 and 11. */
#ifndef KANE_SIGNAL_SAVGOL_H
#define KANE_SIGNAL_SAVGOL_H

#include "analysis/base/status.h"
#include "analysis/signal/samples.h"

#define SAVGOL_MAX_WINDOW 1023
#define SAVGOL_MAX_ORDER 12

/* STATUS_USAGE unless window is odd, 3 .. SAVGOL_MAX_WINDOW, and order is lowest .. SAVGOL_MAX_ORDER below window. */
Status savgol_check(int window, int order, int lowest, Error *err);

/* weights[window] of the given derivative (0: the value) at sample `at` (0 .. window - 1), per sample spacing: divide
 * the sum by spacing^derivative. Window and order as savgol_check accepts them. */
void savgol_weights(int window, int order, int derivative, int at, double *weights);

/* Smooths along the rows in place; the first and last half windows by the fits of the first and last window. Fewer rows
 * than a window stay as they are. */
Status savgol_smooth(const Samples *samples, int window, int order, Error *err);

#endif
