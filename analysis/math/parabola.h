/* The constant acceleration of equidistant samples: a least-squares parabola. */
#ifndef KANE_MATH_PARABOLA_H
#define KANE_MATH_PARABOLA_H

/* Fits y = c + b t + a t^2 to n >= 3 samples dt apart. Returns -2 a, the downward acceleration per dt unit squared,
 * and in *misfit the RMS residual in units of y. */
double parabola_acceleration(const double *y, int n, double dt, double *misfit);

#endif
