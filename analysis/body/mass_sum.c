/* Accumulation of masses in the axes of one joint (mass_sum.h). */
#include "analysis/body/mass_sum.h"

#include <math.h>

static void add_dyad(Sym3 *m, double weight, Vec3 r)
{
    m->xx += weight * r.x * r.x;
    m->yy += weight * r.y * r.y;
    m->zz += weight * r.z * r.z;
    m->xy += weight * r.x * r.y;
    m->xz += weight * r.x * r.z;
    m->yz += weight * r.y * r.z;
}

void mass_sum_add(MassSum *lump, double mass, Vec3 centre, const SecondMoments *spread)
{
    double total = lump->mass + mass;
    if (!(total > 0))
        return;
    /* parallel axes, for two bodies about their common COM: m1 m2 / (m1 + m2) d d^T */
    Vec3 apart = vec3_sub(centre, lump->com);
    add_dyad(&lump->second, lump->mass * mass / total, apart);
    for (int k = 0; spread && k < 3; k++)
        add_dyad(&lump->second, mass * spread->square[k], spread->axis[k]);
    lump->com = vec3_mad(lump->com, mass / total, apart);
    lump->mass = total;
}

void mass_sum_finish(const MassSum *lump, Body *body, int joint)
{
    /* I = tr(S) 1 - S */
    Sym3 s = lump->second;
    body->mass[joint] = lump->mass;
    body->com[joint] = lump->com;
    body->inertia[joint] = (Sym3){s.yy + s.zz, s.xx + s.zz, s.xx + s.yy, -s.xy, -s.xz, -s.yz};
}

void axes_complete(Vec3 n, Vec3 hint, Vec3 *u, Vec3 *v)
{
    Vec3 side = vec3_mad(hint, -vec3_dot(hint, n), n);
    if (!(vec3_norm(side) > 1e-6 * vec3_norm(hint))) {
        Vec3 other = fabs(n.x) < 0.6 ? vec3(1, 0, 0) : vec3(0, 1, 0);
        side = vec3_mad(other, -vec3_dot(other, n), n);
    }
    *u = vec3_normalize(side);
    *v = vec3_cross(n, *u);
}
