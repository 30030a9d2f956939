/* The minimum of a chain program (chain_qp.h) with a friction cone per contact.
 *
 * Solved by principal pivoting on the faces of the cones (the linear complementarity form of docs/sources.md, notes 0.3
 * and 0.7, with whole faces in place of single rows): on the present faces the program is linear and one block Cholesky
 * factorisation along the chain solves it; the step there is projected and shortened until the objective falls; the
 * gradient then names the next faces. After a few steps only windows around the frames that have not settled are
 * solved again. It ends at the exact minimum when the faces stay. That they come to stay is not proven: some made-up
 * programs with a least curvature of 1e-5 of the largest use up their rounds, none with 1e-3 and no clip has. Cost:
 * linear in frames, cubic in the contacts of a frame. */
#ifndef KANE_SOLVE_CHAIN_SOLVER_H
#define KANE_SOLVE_CHAIN_SOLVER_H

#include "analysis/math/lane_width.h"
#include "analysis/solve/chain_qp.h"

typedef struct ChainQpDef {
    double friction;       /* mu; default 0.8 */
    double tolerance;      /* aimed at, of the optimality conditions, in units of the force; default 1e-10 */
    double acceptance;     /* what rounding may leave of it; default 1e-9 */
    int max_rounds;        /* default 40 */
    LaneWidth lanes;       /* default LANES_AUTO; every width gives the same bits */
} ChainQpDef;

typedef struct ChainQpResult {
    double steps;    /* factorisations of the whole chain, counting each frame as often as it was in a window */
    double residual; /* largest |f - project(f - gradient / scale)| at the end, units of the force */
} ChainQpResult;

ChainQpDef chain_qp_default_def(void);

/* Scratch for programs of any size, one per thread, kept between solves: a chain of one frame, solved again and again,
 * allocates nothing. destroy accepts NULL. */
typedef struct ChainQpSolver ChainQpSolver;
Status chain_qp_solver_create(ChainQpSolver **solver, Error *err);
void chain_qp_solver_destroy(ChainQpSolver *solver);

/* force[contact]: in, a start (zero will do) and the forces of held frames; out, the minimum. STATUS_NO_RESULT when
 * max_rounds pass: force then holds the best found. result may be NULL. */
Status chain_qp_solve(ChainQpSolver *solver, const ChainQp *qp, const ChainQpDef *def, Vec3 *force,
                      ChainQpResult *result, Error *err);

#endif
