/* Torques as colours.
 *
 * Torque per body mass is shown in viridis, which is distinguishable in greyscale and with colour vision deficiency.
 * The scale is piecewise linear: a colour is the first one plus a fraction of each step, which morph target weights can
 * represent. Linear RGB. Reference: S. van der Walt, N. Smith, matplotlib's viridis, 2015. */
#ifndef KANE_GLTF_TORQUE_COLOUR_H
#define KANE_GLTF_TORQUE_COLOUR_H

#include "analysis/math/vec.h"

enum { TORQUE_COLOUR_STEPS = 4 };

#define TORQUE_COLOUR_MAX 3.0 /* N m/kg at the end of the scale */

/* The colour of zero torque, and grey for unknown torque. */
Vec3 torque_colour_first(void);
Vec3 torque_colour_unknown(void);

/* Returns the difference that step 0..3 adds. */
Vec3 torque_colour_step(int step);

/* Computes the fraction of each step, in [0, 1], for a position on the scale (0 to 1). Positions above 1 have the last
 * colour; NaN counts as 0. */
void torque_colour_weights(double part, float weight[TORQUE_COLOUR_STEPS]);

#endif
