/* Lemke's method for the linear complementarity problem, with columns of M made on demand (lcp.h).
 *
 * An artificial variable z0 makes the start feasible, w = M z + d z0 + q with d = 1, and complementary pivots drive
 * it out (Cottle, Pang, Stone, The Linear Complementarity Problem, 4.4). For M positive semi-definite, or copositive
 * with q >= 0 on its critical cone, it ends in a solution or in a ray that shows that there is none. Ties are broken
 * lexicographically, so that degenerate problems end too. The inverse of the basis is kept: n^2 operations a pivot. */
#ifndef KANE_SOLVE_LEMKE_H
#define KANE_SOLVE_LEMKE_H

#include "analysis/solve/lcp.h"

/* Leaves the solution's basis in the solver's in_basis, right but for what its rounding got wrong: where rows repeat
 * each other, as in cones of friction, a few may have the wrong sign by a little, and principal pivoting ends it. */
Status lemke_solve(LcpSolver *solver, const Lcp *lcp, int *pivots, Error *err);

#endif
