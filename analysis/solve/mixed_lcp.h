/* The mixed linear complementarity problem of a body under bilateral and unilateral constraints (notes 0.7):
 *   M x - G' lambda - N' z = f,
 *   G x + R lambda         = g,
 *   N x + C z - n          = w,   0 <= z, 0 <= w, z'w = 0.
 *
 * R is the compliance of soft bilateral rows (0.11). C is zero for hard contacts; it contains the compliance of soft
 * contacts on its diagonal (0.10), and the entries E, mu and -E' of the Anitescu-Stewart friction cone (notes 0.10).
 *
 * It is reduced to a regular problem through A^-1, A = (M -G'; G R), with one solve per column that pivoting requires
 * (0.8): w = (N- A^-1 N-' + C) z + N- A^-1 b - n. The caller supplies A^-1: kkt_solve for dense systems, block
 * elimination for trees. */
#ifndef KANE_SOLVE_MIXED_LCP_H
#define KANE_SOLVE_MIXED_LCP_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/solve/lcp.h"

/* The system of a body under bilateral constraints (docs/sources.md, notes 0.6 and (0.3); softened as in 0.11):
 *   M v - G' lambda = b,   G v + R lambda = g,
 * M symmetric positive definite, R diagonal (compliance, zero for hard rows). Dense; factored once, solved for many
 * right sides. */

typedef struct Kkt {
    int size, bilateral;
    double *mass;     /* [size][size] U of M = U U' */
    int *last;        /* [size] end of each row's non-zero entries */
    double *rows;     /* [bilateral][size] G */
    double *response; /* [bilateral][size] row i: M^-1 G_i' */
    double *schur;    /* [bilateral][bilateral] Cholesky factor of G M^-1 G' + R */
    Arena memory;     /* of the arrays, unless kkt_place put them elsewhere */
} Kkt;

/* A row that acts as a spring and damper (notes 0.11): compliance is added to R (or to the diagonal of a unilateral
 * row), target is the right side. */
typedef struct SoftRow {
    double compliance, target;
} SoftRow;

/* inverse_stiffness: alpha; damping: beta (of 0.7, s); h: time step, s; phi: violation of the constraint. */
SoftRow soft_row(double inverse_stiffness, double damping, double h, double phi);

Status kkt_init(Kkt *kkt, int size, int bilateral, Error *err);
void kkt_free(Kkt *kkt);

/* The same with the arrays in the caller's memory; check memory->failed. Nothing is to be freed. */
void kkt_place(Kkt *kkt, int size, int bilateral, Arena *memory);

/* Copies and factors M [size][size], G [bilateral][size] and compliance [bilateral] or NULL. STATUS_NO_RESULT if M is
 * not positive definite or rows of G without compliance are linearly dependent. */
Status kkt_factor(Kkt *kkt, const double *mass, const double *rows, const double *compliance, Error *err);

/* to[size] += G' lambda. */
void kkt_add_impulses(const Kkt *kkt, const double *lambda, double *to);

/* mobility[count][count] = N (A^-1) N' of rows [count][size], A^-1 restricted to v: the change of speed along each row
 * per unit impulse along each row. half[count][size + bilateral] is scratch. */
void kkt_mobility(const Kkt *kkt, const double *rows, int count, double *half, double *mobility);

/* Solves in place: y[size + bilateral] is (b, g) on entry and (v, lambda) on return. `kkt` is a Kkt; the signature is
 * that of MixedLcp.solve. */
void kkt_solve(const void *kkt, double *y);

/* Projected Gauss-Seidel: the linear complementarity problem and the contact system row by row (docs/sources.md, notes
 * 0.15, 0.16). Steps are cheap and need no factorization, but convergence is linear: an alternative to pivoting when a
 * fast approximate solution is enough, and a check of it. */

typedef struct GaussSeidelDef {
    int max_sweeps;   /* default 1000 */
    double tolerance; /* stops when no impulse of a sweep changes by more than this fraction of the largest; default
                         1e-9 */
} GaussSeidelDef;

/* Constraint rows N on a velocity v with mass matrix M. Row i changes its impulse lambda_i within its bounds so that
 * N_i v + R_i lambda_i = c_i, or as nearly as they permit. A row without mobility has no impulse. */
typedef struct GaussSeidelRows {
    int size, count;
    const double *rows;       /* [count][size] N */
    const double *response;   /* [count][size] row i: M^-1 N_i' */
    const double *target;     /* [count] c */
    const double *compliance; /* [count] R (0.11), or NULL */
    const double *least;      /* [count] lower bound of the impulse: -INFINITY bilateral, 0 unilateral */
    const int *normal;        /* [count] friction rows: the normal row whose impulse limits this one; -1: none; or
                                 NULL */
    double friction;          /* mu: |lambda_i| <= mu lambda_normal */
    const double *frictions;  /* [count] mu of each friction row; NULL: `friction` for all */
    const double *most;       /* [count] upper bound of the impulse, or NULL: none */
} GaussSeidelRows;

GaussSeidelDef gauss_seidel_default_def(void);

/* v[size]: in, the velocity without impulses; out, with them. impulse[count]: in, a start; out, the impulses.
 * STATUS_NO_RESULT if an input is not finite (*sweeps is 0) or the impulses did not converge: v and impulse are then
 * those of the last sweep. sweeps may be NULL. */
Status gauss_seidel_rows(const GaussSeidelRows *rows, const GaussSeidelDef *def, double *v, double *impulse,
                         int *sweeps, Error *err);

/* m/s or rad/s: changes of speed along a row per sweep up to this are not counted as unsettled. It is 0.5 % of the 0.02
 * m/s that gravity adds in a step of 2 ms. */
#define LEAST_ROUGH 1e-4

/* Counts solves whose last sweep changed the speed along a row by more than LEAST_ROUGH. Below that, impulses may still
 * shift between contacts that share a load. */
typedef struct UnsettledSweeps {
    double now;  /* s, time of the simulation */
    int count;
    double time; /* s, of the first unsettled solve */
    Error why;   /* error of the first unsettled solve */
} UnsettledSweeps;

/* Runs gauss_seidel_rows in a simulation: accepts impulses that have not converged and counts the solves above
 * LEAST_ROUGH. */
Status gauss_seidel_go_on(const GaussSeidelRows *rows, const GaussSeidelDef *def, double *v, double *impulse,
                          UnsettledSweeps *unsettled, Error *err);

typedef struct MixedLcp {
    int size, bilateral, unilateral; /* number of entries of x, lambda, z */
    void (*solve)(const void *context, double *y); /* A^-1 y in place of y[size + bilateral] */
    const void *context;
    const double *rows;              /* [unilateral][size] N */
    const double *added;             /* [unilateral][unilateral] C by rows, or NULL */
    const double *f, *g, *n;         /* right sides */
} MixedLcp;

/* Scratch, kept between solves. */
typedef struct MixedLcpSolver {
    int size; /* capacity for x and lambda together */
    LcpSolver lcp;
    double *q;    /* [unilateral] */
    double *work; /* [size] */
    Arena memory; /* of q and work */
} MixedLcpSolver;

/* Allocates for `size` entries of x and lambda together and `unilateral` rows of N. */
Status mixed_lcp_solver_init(MixedLcpSolver *solver, int size, int unilateral, Error *err);
void mixed_lcp_solver_free(MixedLcpSolver *solver);

/* The caller's arrays for the solution. */
typedef struct MixedLcpSolution {
    double *x;      /* [size] */
    double *lambda; /* [bilateral] or NULL */
    double *z;      /* [unilateral] in, a start (lcp.h); out, the solution */
    double *w;      /* [unilateral] or NULL */
} MixedLcpSolution;

/* Stores the solver statistics in solver->lcp.result. Errors: those of lcp_solve. */
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

/* Writes x[size]. z[rows]: in, a start (rows with z > 0 begin active); out, the multipliers. STATUS_NO_RESULT if Q is
 * not positive definite or no x satisfies the rows. */
Status qp_solve(const Qp *qp, const LcpDef *def, double *x, double *z, Error *err);

#endif
