/* See support_polygon.h. */
#include "analysis/control/support_polygon.h"

#include <math.h>
#include <stdlib.h>

static int by_place(const void *a, const void *b)
{
    const double *p = a, *q = b;
    return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

static double turn(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Andrew's monotone chain. */
Support support_hull(double (*point)[2], int count)
{
    Support s = {0};
    double hull[2 * SUPPORT_MAX + 2][2];
    int n = count < SUPPORT_MAX ? count : SUPPORT_MAX, k = 0;
    qsort(point, (size_t)n, sizeof *point, by_place);
    for (int pass = 0; pass < 2; pass++) {
        int first = k;
        for (int i = 0; i < n; i++) {
            const double *p = point[pass ? n - 1 - i : i];
            while (k - first >= 2 && turn(hull[k - 2], hull[k - 1], p) <= 0)
                k--;
            hull[k][0] = p[0];
            hull[k++][1] = p[1];
        }
        k -= k > first + 1; /* the last one begins the other chain */
    }
    s.count = n == 1 ? 1 : k;
    for (int i = 0; i < s.count; i++) {
        s.corner[i][0] = hull[i][0];
        s.corner[i][1] = hull[i][1];
    }
    return s;
}

/* Nearest point of an edge. */
static double to_edge(const double *a, const double *b, const double *p, double nearest[2])
{
    double dx = b[0] - a[0], dy = b[1] - a[1], size = dx * dx + dy * dy;
    double t = size > 0 ? fmin(1, fmax(0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / size)) : 0;
    nearest[0] = a[0] + t * dx;
    nearest[1] = a[1] + t * dy;
    double x = p[0] - nearest[0], y = p[1] - nearest[1];
    return sqrt(x * x + y * y);
}

double support_clamp(const Support *s, double point[2])
{
    double best[2] = {point[0], point[1]}, distance = INFINITY;
    int inside = s->count > 2;
    for (int i = 0; i < s->count; i++) {
        const double *a = s->corner[i], *b = s->corner[(i + 1) % s->count];
        double nearest[2], d = to_edge(a, b, point, nearest);
        inside &= turn(a, b, point) >= 0;
        if (d < distance) {
            distance = d;
            best[0] = nearest[0];
            best[1] = nearest[1];
        }
    }
    if (inside)
        return 0;
    point[0] = best[0];
    point[1] = best[1];
    return distance;
}
