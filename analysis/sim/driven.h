/* Components that move as they are told, and what it takes to move them (docs/sources.md, notes 0.21).
 *
 *     M v - G' lambda = f + d,   G v + R lambda = g,
 *
 * f holds momenta and impulses, M v_k + h f_k; d is the driving impulse, zero in the entries that are free, where v is
 * found, and found in the driven ones, where v is given. Divide by h for a force (docs/sources.md "Errata of the
 * notes"). Dense; attachments are reduced before. */
#ifndef KANE_SIM_DRIVEN_H
#define KANE_SIM_DRIVEN_H

#include "analysis/base/status.h"

typedef struct DrivenSystem {
    int size, row_count;
    const double *mass;       /* [size][size] M */
    const double *force;      /* [size] f */
    const double *rows;       /* [row_count][size] G */
    const double *right;      /* [row_count] g */
    const double *compliance; /* [row_count] R, or NULL */
    const char *driven;       /* [size] 1: v is given */
} DrivenSystem;

/* v[size]: in, the driven entries; out, all. lambda[row_count] and impulse[size] are written. STATUS_NO_RESULT where
 * the free part is singular. */
Status driven_solve(const DrivenSystem *s, double *v, double *lambda, double *impulse, Error *err);

#endif
