#include "analysis/math/mat3.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 30 };

/* Turns the plane (p, q) so that a[p][q] becomes 0 (Jacobi's rotation); rows of v turn along. */
static void turn_plane(double a[3][3], double v[3][3], int p, int q)
{
    if (a[p][q] == 0)
        return;
    double ratio = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double t = (ratio < 0 ? -1 : 1) / (fabs(ratio) + sqrt(ratio * ratio + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y;
        a[k][q] = s * x + c * y;
    }
    for (int k = 0; k < 3; k++) {
        double x = a[p][k], y = a[q][k], e = v[p][k], f = v[q][k];
        a[p][k] = c * x - s * y;
        a[q][k] = s * x + c * y;
        v[p][k] = c * e - s * f;
        v[q][k] = s * e + c * f;
    }
}

Vec3 sym3_principal(Sym3 s, Mat3 *axes)
{
    double a[3][3] = {{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < SWEEPS && (a[0][1] != 0 || a[0][2] != 0 || a[1][2] != 0); i++) {
        turn_plane(a, v, 0, 1);
        turn_plane(a, v, 0, 2);
        turn_plane(a, v, 1, 2);
    }
    for (int k = 0; axes && k < 3; k++)
        axes->r[k] = vec3(v[k][0], v[k][1], v[k][2]);
    return vec3(a[0][0], a[1][1], a[2][2]);
}
