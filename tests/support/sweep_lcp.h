/* Solves an LCP by Gauss-Seidel sweeps (docs/sources.md, notes 0.17): w = M z + q, 0 <= z, 0 <= w, z'w = 0. It is posed
 * as rows e_i on a velocity w with mass matrix M^-1, so that the response to impulse i is column i of M. */
#ifndef KANE_TESTS_SWEEP_LCP_H
#define KANE_TESTS_SWEEP_LCP_H

#include <stdlib.h>

#include "analysis/solve/gauss_seidel.h"

/* m[size][size], q[size]; z[size]: initial guess, then the solution. */
static Status sweep_lcp(int size, const double *m, const double *q, const GaussSeidelDef *def, double *z, int *sweeps)
{
    size_t n = (size_t)size;
    double *room = calloc(2 * n * n + 3 * n, sizeof *room);
    double *one = room, *columns = one + n * n, *zero = columns + n * n, *w = zero + 2 * n;
    if (!room)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        one[i * n + i] = 1;
        w[i] = q[i];
        for (size_t k = 0; k < n; k++) {
            columns[i * n + k] = m[k * n + i];
            w[i] += m[i * n + k] * z[k];
        }
    }
    GaussSeidelRows rows = {.size = size, .count = size, .rows = one, .response = columns, .target = zero,
                            .min = zero + n};
    Status status = gauss_seidel_rows(&rows, def, w, z, sweeps, NULL);
    free(room);
    return status;
}

#endif
