/* Entries of the Hessian block H_t of a contact program by unknowns i, j = 3 contact + component; only upper blocks are
 * stored. */
#ifndef KANE_TESTS_TRIDIAGONAL_ENTRY_H
#define KANE_TESTS_TRIDIAGONAL_ENTRY_H

#include "analysis/solve/tridiagonal_qp.h"

static inline double *tridiagonal_entry(const TridiagonalQp *qp, int t, int i, int j)
{
    if (j / 3 < i / 3)
        return tridiagonal_entry(qp, t, j, i);
    int n = qp->first[t + 1] - qp->first[t];
    return tridiagonal_qp_block(qp, t, i / 3, j / 3) + (size_t)(i % 3) * tridiagonal_row_length(n - i / 3) + j % 3;
}

#endif
