#include "analysis/sim/rigid_body.h"

#include <string.h>

#include "analysis/math/vec.h"

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

/* 0.1: M = (m 1, -m [c]; m [c], J - m [c][c]) */
void spatial_inertia_matrix(const SpatialInertia *s, double *m)
{
    Mat3 c = mat3_cross(s->com);
    memset(m, 0, 36 * sizeof *m);
    mat3_add_block(m, 6, 0, 0, s->mass, MAT3_IDENTITY);
    mat3_add_block(m, 6, 0, 3, -s->mass, c);
    mat3_add_block(m, 6, 3, 0, s->mass, c);
    mat3_add_block(m, 6, 3, 3, 1, mat3_from_sym3(sym3_add(s->inertia, sym3_point_inertia(s->mass, s->com))));
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
