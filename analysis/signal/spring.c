/* See spring.h. */
#include "analysis/signal/spring.h"

#include <math.h>

#include "analysis/math/elementary.h"

/* zeta < 1, with d = omega sqrt(1 - zeta^2), S = sin(d t) / d = t sinc(d t):
 *     x = e^(-zeta omega t) [(cos(d t) + zeta omega S) x0 + S v0] */
static SpringStep underdamped_step(double omega, double zeta, double t)
{
    double angle = omega * sqrt((1 - zeta) * (1 + zeta)) * t, sine, cosine;
    elementary_sincos(angle, &sine, &cosine);
    double s = angle > 0 ? t * (sine / angle) : t;
    double e = elementary_exp(-zeta * omega * t);
    return (SpringStep){.xx = e * (cosine + zeta * omega * s), .xv = e * s, .vx = -omega * omega * e * s,
                        .vv = e * (cosine - zeta * omega * s)};
}

/* zeta >= 1: roots z2 = -omega / (zeta + r) and z1 = z2 - 2 k, with r = sqrt(zeta^2 - 1), k = omega r. Written with
 * u = 2 k t and phi = (1 - e^-u) / u, which is 1 at critical damping, no term cancels:
 *     x = e^(z2 t) [(1 - z2 t phi) x0 + t phi v0],  v = e^(z2 t) [-omega^2 t phi x0 + (e^-u + z2 t phi) v0] */
static SpringStep overdamped_step(double omega, double zeta, double t)
{
    double r = sqrt((zeta - 1) * (zeta + 1)), u = 2 * omega * r * t;
    double slow = -omega / (zeta + r);
    double s = u > 0 ? t * (-elementary_expm1(-u) / u) : t;
    double e = elementary_exp(slow * t);
    return (SpringStep){.xx = e * (1 - slow * s), .xv = e * s, .vx = -omega * omega * e * s,
                        .vv = e * (elementary_exp(-u) + slow * s)};
}

SpringStep spring_step(double omega, double zeta, double dt)
{
    return zeta < 1 ? underdamped_step(omega, zeta, dt) : overdamped_step(omega, zeta, dt);
}
