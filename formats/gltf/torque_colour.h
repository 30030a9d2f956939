/* A joint's torque as a colour.
 *
 * Torque for each kilogram of body is viridis, which colour-blind people and grey prints keep apart. The scale is
 * piecewise linear. A colour is the first one plus a share of each step, which is what the weights of morph targets do.
 * Linear RGB. Reference: S. van der Walt, N. Smith, matplotlib's viridis, 2015. */
#ifndef KANE_FORMATS_TORQUE_COLOUR_H
#define KANE_FORMATS_TORQUE_COLOUR_H

#include "analysis/math/vec.h"

enum { TORQUE_COLOUR_STEPS = 4 };

#define TORQUE_COLOUR_MOST 3.0 /* Nm/kg at the end of the scale */

/* The colour of no torque; of a joint whose torque is not known, grey. */
Vec3 torque_colour_first(void);
Vec3 torque_colour_unknown(void);

/* What step 0..3 adds. */
Vec3 torque_colour_step(int step);

/* The share of each step at a part of the scale, each in [0, 1]; beyond 1 its last colour. NaN counts as 0. */
void torque_colour_weights(double part, float weight[TORQUE_COLOUR_STEPS]);

#endif
