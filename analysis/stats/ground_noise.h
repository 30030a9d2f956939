/* What noise of a recording adds to the force of the ground on its body.
 *
 * The noise that smooth measured is that of the segments' paths, weighted by mass; the centre of mass is moved by at
 * most as much (Cauchy and Schwarz), and by that much where the noise is that of the root, which moves all of them. */
#ifndef KANE_STATS_GROUND_NOISE_H
#define KANE_STATS_GROUND_NOISE_H

#include "analysis/clip/clip.h"

/* Half width of the 90 % band, m/s2, of the largest mean acceleration that noise leaves among all intervals of so many
 * seconds of the clip: with n of them, sd sqrt(2 ln(10 n)), a bound of the normal distribution's tail. 0 if no noise
 * was measured. */
double ground_noise_band(const Clip *clip, double seconds);

#endif
