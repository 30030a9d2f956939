/* All transcendental functions: the same bits on any x86-64 and arm64 processor, at any optimization level
 * and vector width.
 *
 * Scalar forms; the lane forms of lanes.h call the same SLEEF routines (the "cinz" variants give the same bits at every
 * width). libm is used for sqrt and rounding only. Angles in rad. */
#ifndef KANE_MATH_ELEMENTARY_H
#define KANE_MATH_ELEMENTARY_H

#define PI 3.14159265358979323846

double elementary_sin(double x);
double elementary_cos(double x);
void elementary_sincos(double x, double *sine, double *cosine);
double elementary_tan(double x);
double elementary_atan2(double y, double x);
double elementary_asin(double x);
double elementary_acos(double x);
double elementary_exp(double x);
double elementary_expm1(double x); /* e^x - 1 without cancellation near zero */
double elementary_log(double x);
double elementary_pow(double x, double y);

#endif
