/* See vec.h. */
#include "analysis/math/vec.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 30 }; /* of rotations, at most */

int sym3_inverse(Sym3 s, Sym3 *inverse)
{
    Sym3 a = {s.yy * s.zz - s.yz * s.yz, s.xx * s.zz - s.xz * s.xz, s.xx * s.yy - s.xy * s.xy,
              s.xz * s.yz - s.xy * s.zz, s.xy * s.yz - s.xz * s.yy, s.xy * s.xz - s.xx * s.yz};
    double determinant = s.xx * a.xx + s.xy * a.xy + s.xz * a.xz;
    if (!(s.xx > 0) || !(a.zz > 0) || !(determinant > 0))
        return 0;
    *inverse = (Sym3){a.xx / determinant, a.yy / determinant, a.zz / determinant,
                      a.xy / determinant, a.xz / determinant, a.yz / determinant};
    return 1;
}

/* Rotates the plane (p, q) so that a[p][q] becomes 0 (Jacobi rotation); applies the rotation to the rows of v. */
static void rotate_plane(double a[3][3], double v[3][3], int p, int q)
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
        rotate_plane(a, v, 0, 1);
        rotate_plane(a, v, 0, 2);
        rotate_plane(a, v, 1, 2);
    }
    for (int k = 0; axes && k < 3; k++)
        axes->r[k] = vec3(v[k][0], v[k][1], v[k][2]);
    return vec3(a[0][0], a[1][1], a[2][2]);
}

static double clamp(double x) { return fmax(0, fmin(1, x)); }

SegmentPoints segments_nearest(const Vec3 a[2], const Vec3 b[2])
{
    Vec3 u = vec3_sub(a[1], a[0]), v = vec3_sub(b[1], b[0]), w = vec3_sub(a[0], b[0]);
    double uu = vec3_dot(u, u), uv = vec3_dot(u, v), vv = vec3_dot(v, v), uw = vec3_dot(u, w), vw = vec3_dot(v, w);
    double det = uu * vv - uv * uv, s = det > 1e-12 * uu * vv ? clamp((uv * vw - vv * uw) / det) : 0;
    double t = vv > 0 ? clamp((uv * s + vw) / vv) : 0;
    s = uu > 0 ? clamp((uv * t - uw) / uu) : 0;
    return (SegmentPoints){s, t};
}

Vec3 segments_apart(const Vec3 a[2], const Vec3 b[2])
{
    SegmentPoints at = segments_nearest(a, b);
    Vec3 on_a = vec3_lerp(a[0], a[1], at.a), on_b = vec3_lerp(b[0], b[1], at.b);
    return vec3_sub(on_a, on_b);
}
