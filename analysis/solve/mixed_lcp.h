/* The mixed linear complementarity problem of a body under bilateral and unilateral constraints (notes 0.7):
 *
 *     M x - G' lambda - N' z = f,
 *     G x + R lambda         = g,
 *     N x + C z - n          = w,   0 <= z, 0 <= w, z'w = 0.
 *
 * R holds the compliance of soft bilateral rows (0.11). C is zero for hard contacts; it holds the compliance of soft
 * ones on its diagonal (0.10), and the entries E, mu and -E' of the Anitescu-Stewart friction cone (notes 0.10).
 *
 * Turned into a regular problem through A^-1, A = (M -G'; G R), with one solve for each column that pivoting asks for
 * (0.8): w = (N- A^-1 N-' + C) z + N- A^-1 b - n. A^-1 is the caller's: kkt_solve for dense systems, block elimination
 * for trees. */
#ifndef KANE_SOLVE_MIXED_LCP_H
#define KANE_SOLVE_MIXED_LCP_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/solve/lcp.h"

/* The system of a body under bilateral constraints (docs/sources.md, notes 0.6 and (0.3); softened as in 0.11):
 *
 *     M v - G' lambda = b,   G v + R lambda = g,
 *
 * M symmetric positive definite, R diagonal (compliance, zero for hard rows). Dense; factorised once, solved for many
 * right sides. */

typedef struct Kkt {
    int size, bilateral;
    double *mass;     /* [size][size] U of M = U U' */
    int *last;        /* [size] where its rows end */
    double *rows;     /* [bilateral][size] G */
    double *response; /* [bilateral][size] row i: M^-1 G_i' */
    double *schur;    /* [bilateral][bilateral] factor of G M^-1 G' + R */
    Arena memory;     /* of the arrays */
} Kkt;

/* A row that is enforced as a spring and damper (notes 0.11): compliance is what it adds to R (or to the
 * diagonal of a unilateral row), target its right side. */
typedef struct SoftRow {
    double compliance, target;
} SoftRow;

/* inverse_stiffness alpha, damping beta (of 0.7, a time), h the time step, phi the distance from the constraint. */
SoftRow soft_row(double inverse_stiffness, double damping, double h, double phi);

Status kkt_init(Kkt *kkt, int size, int bilateral, Error *err);
void kkt_free(Kkt *kkt);

/* M [size][size], G [bilateral][size], compliance [bilateral] or NULL: copied. STATUS_NO_RESULT when M is not positive
 * definite or rows of G depend on each other without compliance. */
Status kkt_factor(Kkt *kkt, const double *mass, const double *rows, const double *compliance, Error *err);

/* Adds G' lambda. */
void kkt_add_impulses(const Kkt *kkt, const double *lambda, double *to);

/* mobility[count][count] = N (A^-1) N' of rows [count][size], A^-1 its part on v: what impulses along the rows do to
 * the speeds along them. half[count][size + bilateral] is scratch. */
void kkt_mobility(const Kkt *kkt, const double *rows, int count, double *half, double *mobility);

/* (v, lambda) in place of y[size + bilateral] = (b, g). `kkt` is a Kkt: the shape MixedLcp asks for. */
void kkt_solve(const void *kkt, double *y);

/* Projected Gauss-Seidel: the linear complementarity problem and the contact system row by row (docs/sources.md, notes
 * 0.15, 0.16). Cheap steps and no factorisation, but linear convergence: the alternative to pivoting where a rough
 * answer soon is worth more than the exact one, and its cross-check. */

typedef struct GaussSeidelDef {
    int max_sweeps;   /* default 1000 */
    double tolerance; /* ends when no entry of a sweep changed by more than this share of the largest; default 1e-9 */
} GaussSeidelDef;

/* Constraint rows N on a velocity v whose mass matrix is M. Row i moves its impulse lambda_i within its bounds so that
 * N_i v + R_i lambda_i = c_i, or as near as they allow. A row along which nothing moves has no impulse. */
typedef struct GaussSeidelRows {
    int size, count;
    const double *rows;       /* [count][size] N */
    const double *response;   /* [count][size] row i: M^-1 N_i' */
    const double *target;     /* [count] c */
    const double *compliance; /* [count] R (0.11), or NULL */
    const double *least;      /* [count] lower bound of the impulse: -INFINITY bilateral, 0 unilateral */
    const int *normal;        /* [count] friction rows: the row whose impulse bounds this one; -1: none; or NULL */
    double friction;          /* mu: |lambda_i| <= mu lambda_normal */
    const double *frictions;  /* [count] mu of each friction row, or NULL: friction holds for all */
    const double *most;       /* [count] upper bound of the impulse, or NULL: none */
} GaussSeidelRows;

GaussSeidelDef gauss_seidel_default_def(void);

/* v[size]: in, the velocity without impulses; out, with them. impulse[count]: in, a start; out, the impulses.
 * STATUS_NO_RESULT where a number is not finite (*sweeps is 0), or where the impulses have not settled: v and impulse
 * are then those of the last sweep. sweeps may be NULL. */
Status gauss_seidel_rows(const GaussSeidelRows *rows, const GaussSeidelDef *def, double *v, double *impulse,
                         int *sweeps, Error *err);

/* m/s or rad/s by which a sweep may still change the speed along a row: a simulation goes on with that unreported. Of
 * the 0.02 m/s that gravity adds in a step of 2 ms it is half a percent. */
#define LEAST_ROUGH 1e-4

/* Solves whose last sweep still changed the speed along a row by more than LEAST_ROUGH. Impulses may go on moving
 * between contacts that share a load, below that. */
typedef struct UnsettledSweeps {
    double now;  /* s, where the simulation is */
    int count;
    double time; /* s, of the first */
    Error why;   /* of the first */
} UnsettledSweeps;

/* gauss_seidel_rows within a simulation, which goes on with impulses that have not settled, and counts those that
 * matter. */
Status gauss_seidel_go_on(const GaussSeidelRows *rows, const GaussSeidelDef *def, double *v, double *impulse,
                          UnsettledSweeps *unsettled, Error *err);

typedef struct MixedLcp {
    int size, bilateral, unilateral; /* entries of x, lambda, z */
    void (*solve)(const void *context, double *y); /* A^-1 y in place of y[size + bilateral] */
    const void *context;
    const double *rows;              /* [unilateral][size] N */
    const double *added;             /* [unilateral][unilateral] C by rows, or NULL */
    const double *f, *g, *n;         /* right sides */
} MixedLcp;

/* Scratch, kept between solves. */
typedef struct MixedLcpSolver {
    int size; /* room for x and lambda together */
    LcpSolver lcp;
    double *q;    /* [unilateral] */
    double *work; /* [size] */
    Arena memory; /* of q and work */
} MixedLcpSolver;

/* Room for `size` entries of x and lambda together and `unilateral` rows of N. */
Status mixed_lcp_solver_init(MixedLcpSolver *solver, int size, int unilateral, Error *err);
void mixed_lcp_solver_free(MixedLcpSolver *solver);

/* Where the solution goes; the caller's arrays. */
typedef struct MixedLcpSolution {
    double *x;      /* [size] */
    double *lambda; /* [bilateral] or NULL */
    double *z;      /* [unilateral] in, a start (lcp.h); out, the solution */
    double *w;      /* [unilateral] or NULL */
} MixedLcpSolution;

/* What it took stands in solver->lcp.result. Fails as lcp_solve does. */
Status mixed_lcp_solve(MixedLcpSolver *solver, const MixedLcp *problem, const LcpDef *def,
                       const MixedLcpSolution *solution, Error *err);

/* A convex quadratic program, which is the mixed problem without bilateral rows (notes 0.3):
 *
 *     minimise 1/2 x'Q x + c'x   subject to   A x >= b,   Q symmetric positive definite. */
typedef struct Qp {
    int size, rows;
    const double *quadratic; /* [size][size] Q */
    const double *linear;    /* [size] c */
    const double *a;         /* [rows][size] A */
    const double *b;         /* [rows] */
} Qp;

/* x[size] is written. z[rows]: in, a start (rows with z > 0 hold with equality); out, the multipliers.
 * STATUS_NO_RESULT when Q is not positive definite or no x satisfies the rows. */
Status qp_solve(const Qp *qp, const LcpDef *def, double *x, double *z, Error *err);

#endif
