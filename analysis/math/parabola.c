/* See parabola.h. With t centred the odd sums vanish: b = sum t y / s2,
 * a = (n sum t2 y - s2 sum y) / (n s4 - s2 s2). */
#include "analysis/math/parabola.h"

#include <math.h>

double parabola_acceleration(const double *y, int n, double dt, double *misfit)
{
    double s2 = 0, s4 = 0, sy = 0, sty = 0, stty = 0, square = 0;
    for (int i = 0; i < n; i++) {
        double t = (i - 0.5 * (n - 1)) * dt;
        s2 += t * t;
        s4 += t * t * t * t;
        sy += y[i];
        sty += t * y[i];
        stty += t * t * y[i];
    }
    double a = (n * stty - s2 * sy) / (n * s4 - s2 * s2), b = sty / s2, c = (sy - a * s2) / n;
    for (int i = 0; i < n; i++) {
        double t = (i - 0.5 * (n - 1)) * dt, off = y[i] - c - b * t - a * t * t;
        square += off * off;
    }
    *misfit = sqrt(square / n);
    return -2 * a;
}
