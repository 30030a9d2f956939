/* See dof_root.h. */
#include "analysis/motion/dof_root.h"

#include "analysis/math/dense_factor.h"

enum { TWIST = 6 };
#define DAMPING 1e-13 /* fraction of the diagonal: regularizes collinear axes */

/* Motion of the root per unit of a row. */
static void load_twist(const Dofs *d, size_t at, double *twist)
{
    vec3_store(twist, d->moving_axis[at]);
    vec3_store(twist + 3, d->moving_velocity[at]);
}

void dofs_move_root(Dofs *d, int frame, Vec3 shift)
{
    double twist[DOFS_PER_JOINT][TWIST], normal[DOFS_PER_JOINT * DOFS_PER_JOINT], step[DOFS_PER_JOINT];
    double wanted[TWIST] = {0};
    int count = 0;
    vec3_store(wanted + 3, shift);
    while (count < d->count && count < DOFS_PER_JOINT && d->joint[count] == 0 && d->kind[count] == DOF_CUSTOM)
        count++;
    for (int i = 0; i < count; i++)
        load_twist(d, dofs_index(d, frame, i), twist[i]);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k <= i; k++)
            normal[i * count + k] = dot_product(twist[i], twist[k], TWIST) * (i == k ? 1 + DAMPING : 1);
        step[i] = dot_product(twist[i], wanted, TWIST);
    }
    if (count == 0 || cholesky_factor(normal, count) < count)
        return;
    cholesky_solve(normal, count, step);
    for (int i = 0; i < count; i++)
        d->position[dofs_index(d, frame, i)] += step[i];
}
