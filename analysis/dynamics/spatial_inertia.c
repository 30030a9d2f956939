/* See spatial_inertia.h. [c] is the matrix of the cross product with c, J the inertia about the COM. */
#include "analysis/dynamics/spatial_inertia.h"

#include <math.h>
#include <string.h>

#include "analysis/math/dense_factor.h"

enum { SIZE = 6, ENTRIES = SIZE * SIZE };

/* 0.1: M = (m 1, -m [c]; m [c], J - m [c][c]) */
void spatial_inertia_matrix(const SpatialInertia *s, double *m)
{
    Mat3 c = mat3_cross(s->com);
    memset(m, 0, ENTRIES * sizeof *m);
    mat3_add_block(m, SIZE, 0, 0, s->mass, MAT3_IDENTITY);
    mat3_add_block(m, SIZE, 0, 3, -s->mass, c);
    mat3_add_block(m, SIZE, 3, 0, s->mass, c);
    mat3_add_block(m, SIZE, 3, 3, 1, mat3_from_sym3(sym3_add(s->inertia, sym3_point_inertia(s->mass, s->com))));
}

/* 0.1: M^-1 = (1 / m - [c] J^-1 [c], [c] J^-1; -J^-1 [c], J^-1) */
int spatial_inertia_inverse(const SpatialInertia *s, double *inverse)
{
    Sym3 j;
    memset(inverse, 0, ENTRIES * sizeof *inverse);
    if (!(s->mass > 0) || !sym3_inverse(s->inertia, &j))
        return 0;
    Mat3 c = mat3_cross(s->com), turned = mat3_product(c, mat3_from_sym3(j));
    mat3_add_block(inverse, SIZE, 0, 0, 1 / s->mass, MAT3_IDENTITY);
    mat3_add_block(inverse, SIZE, 0, 0, -1, mat3_product(turned, c));
    mat3_add_block(inverse, SIZE, 0, 3, 1, turned);
    mat3_add_block(inverse, SIZE, 3, 0, 1, mat3_transpose(turned)); /* -J^-1 [c], as [c] is antisymmetric */
    mat3_add_block(inverse, SIZE, 3, 3, 1, mat3_from_sym3(j));
    return 1;
}

/* 0.1: G = (sqrt(m), 0; sqrt(m) [c], L) with J = L L^T */
int spatial_inertia_factor(const SpatialInertia *s, double *g)
{
    Sym3 j = s->inertia;
    double l[9] = {j.xx, 0, 0, j.xy, j.yy, 0, j.xz, j.yz, j.zz};
    memset(g, 0, ENTRIES * sizeof *g);
    if (!(s->mass > 0) || cholesky_factor(l, 3) < 3)
        return 0;
    double root = sqrt(s->mass);
    mat3_add_block(g, SIZE, 0, 0, root, MAT3_IDENTITY);
    mat3_add_block(g, SIZE, 3, 0, root, mat3_cross(s->com));
    mat3_add_block(g, SIZE, 3, 3, 1, (Mat3){{{l[0], 0, 0}, {l[3], l[4], 0}, {l[6], l[7], l[8]}}});
    return 1;
}

static double largest_entry(const double *m)
{
    double largest = 0;
    for (int i = 0; i < ENTRIES; i++)
        largest = fmax(largest, fabs(m[i]));
    return largest;
}

/* |a - b| / |b|, by largest entries. */
static double difference(const double *a, const double *b)
{
    double apart[ENTRIES];
    for (int i = 0; i < ENTRIES; i++)
        apart[i] = a[i] - b[i];
    return largest_entry(apart) / largest_entry(b);
}

/* The inverse of M by LU factors with row exchanges; returns 0 if M is singular. */
static int invert(const double *m, double *inverse)
{
    double factor[ENTRIES], column[SIZE];
    int exchange[SIZE];
    memcpy(factor, m, sizeof factor);
    if (lu_factor(factor, SIZE, exchange) < SIZE)
        return 0;
    for (int c = 0; c < SIZE; c++) {
        memset(column, 0, sizeof column);
        column[c] = 1;
        lu_solve(factor, exchange, SIZE, column);
        for (int r = 0; r < SIZE; r++)
            inverse[SIZE * r + c] = column[r];
    }
    return 1;
}

SpatialInertiaCheck spatial_inertia_check(const SpatialInertia *s)
{
    double m[ENTRIES], closed[ENTRIES], numeric[ENTRIES], g[ENTRIES], product[ENTRIES];
    spatial_inertia_matrix(s, m);
    if (!spatial_inertia_inverse(s, closed) || !spatial_inertia_factor(s, g) || !invert(m, numeric))
        return (SpatialInertiaCheck){NAN, NAN};
    for (int i = 0; i < ENTRIES; i++)
        product[i] = dot_product(g + SIZE * (i / SIZE), g + SIZE * (i % SIZE), SIZE);
    return (SpatialInertiaCheck){difference(closed, numeric), difference(product, m)};
}

void spatial_inertia_add_particle(SpatialInertia *s, double mass, Vec3 point)
{
    double total = s->mass + mass;
    if (!(total > 0))
        return;
    Vec3 apart = vec3_sub(point, s->com);
    s->inertia = sym3_add(s->inertia, sym3_point_inertia(s->mass * mass / total, apart));
    s->com = vec3_mad(s->com, mass / total, apart);
    s->mass = total;
}
