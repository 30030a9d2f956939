/* Zero-lag spring smoothing: a critically damped spring that follows the samples, forward and back.
 *
 * The spring of analysis/math/spring moves towards each sample for one sampling interval; seen from sample to sample
 * that is a second-order section. It never overshoots a step and rolls off more gently than a Butterworth. */
#ifndef KANE_SIGNAL_SPRING_SECTION_H
#define KANE_SIGNAL_SPRING_SECTION_H

#include "analysis/signal/section.h"

/* The section whose double pass is 3 dB down at cutoff; 0 < cutoff < rate / 2, both in Hz. */
Section spring_section(double cutoff, double rate);

#endif
