/* A convex quadratic program over time with one friction cone per limb:
 *   minimise    sum_t ( 1/2 x_t' Q_t x_t + c_t' x_t )  +  sum_t 1/2 |x_t - x_(t-1)|^2_W
 *   subject to  y >= 0 and (X, Z) in the octagon of radius mu sum y, for each limb.
 *
 * A limb with several contact points has eight unknowns: the vertical forces y_1 ... y_5 of its points, one horizontal
 * force X, Z and one couple tau about the vertical. A limb with one point has three: y, X, Z. Because every y is
 * non-negative, the centre of pressure lies inside the sole and points need no cones of their own. A grip has no cone.
 *
 * Only the smoothing term couples neighbouring frames, and its W is diagonal. So the Hessian is block tridiagonal, and
 * its factorization passes an inverse along the chain:
 *   P_t = (Q_t + D_t - W P_(t-1) W)^-1,   s_t = P_t (W s_(t-1) - c_t),   back: x_t = s_t + P_t W x_(t+1),
 * with D_t the diagonal of the smoothing. On faces of the cones, x = B u: P_t = B (B' (...) B)^-1 B'. Principal
 * pivoting finds the faces (tridiagonal_qp.h). */
#ifndef KANE_SOLVE_LIMB_QP_H
#define KANE_SOLVE_LIMB_QP_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/math/lane_width.h"
#include "analysis/solve/limb_cone.h"
#include "analysis/solve/tridiagonal_qp.h"

/* One equation, weight (row x - target)^2 / 2, on unknowns [begin, end) of a frame, multiples of LIMB_BLOCK. */
typedef struct LimbRow {
    int begin, end;
    double weight, target;
} LimbRow;

/* Kernels, compiled once per instruction set. Matrices are [n][n] by rows, n a multiple of LIMB_BLOCK.
 * Every width forms each entry by the same operations in the same order, so results are bitwise equal. */
typedef struct LimbKernel {
    /* q += sum of weight row row', c -= sum of weight target row, over `count` rows of n entries */
    void (*add_rows)(const LimbRow *row, const double *entry, int count, int n, double *q, double *c);
    /* out = M (q - W p W) M, with the diagonals w of W and mask of M; p NULL: out = M q M */
    void (*couple)(const double *q, const double *p, const double *w, const double *mask, int n, double *out);
    /* Inverts in place on the given unknowns (increasing) by Gauss-Jordan elimination; rows and columns of the others
     * must be zero. 0: a pivot is not positive. */
    int (*invert)(double *a, int n, const int *pivot, int count);
    /* y += a x, a symmetric */
    void (*multiply_add)(const double *a, int n, const double *x, double *y);
} LimbKernel;

typedef LimbKernel LimbKernelOf(void);
LANE_TWINS(LimbKernelOf, limb_kernel);

typedef struct LimbQp {
    LimbKernel kernel;
    int frame_count;
    int held_count;    /* leading frames whose forces are given; default 0 */
    int *first;        /* [frame + 1] first limb of a frame */
    QpLimb *limb;      /* [limb] */
    size_t *unknown;   /* [frame + 1] start of a frame's unknowns */
    size_t *block;     /* [frame + 1] start of Q_t */
    double *hessian;   /* [block[t]] Q_t + D_t */
    double *linear;    /* [unknown] c */
    double *tie;       /* [unknown] W to the frame before; 0 where that frame lacks the unknown */
    uint8_t *alike;    /* [frame] 1: same limbs, and so same unknowns, as the frame before */
    LimbRow row[LIMB_ROWS];
    double *entry;     /* [row][n] of the frame being filled */
    int row_count, widest;
    size_t frame_room, limb_room, unknown_room, entry_room; /* capacities of the arrays */
    Arena memory;      /* of the arrays */
} LimbQp;

static inline int limb_qp_size(const LimbQp *qp, int t) { return (int)(qp->unknown[t + 1] - qp->unknown[t]); }

/* Number of unknowns of a frame with `wide` limbs of several points and `single` limbs of one point, padded. */
static inline int limb_qp_padded(int wide, int single)
{
    return (LIMB_UNKNOWNS * wide + LIMB_SINGLE * single + LIMB_BLOCK - 1) / LIMB_BLOCK * LIMB_BLOCK;
}

/* Totals over all frames, and the largest number of unknowns in a frame. */
typedef struct LimbQpSize {
    int frames;
    size_t limbs, unknowns, entries; /* unknowns: sum of limb_qp_padded over the frames; entries: sum of its squares */
    int widest;
} LimbQpSize;

/* *qp is empty ((LimbQp){0}) or contains an earlier program, whose memory is reused. Fill frames in order:
 * limb_qp_begin_frame, limb_qp_next_row per equation, limb_qp_end_frame; then limb_qp_tie of every frame
 * but the first. */
Status limb_qp_init(LimbQp *qp, const LimbQpSize *size, LaneWidth lanes, Error *err);
void limb_qp_free(LimbQp *qp);

/* Assigns unknowns to the `count` limbs of frame t, which the caller has set from first[t] on. Sets Q_t and c_t to
 * zero. */
void limb_qp_begin_frame(LimbQp *qp, int t, int count);

/* Adds an equation on the limbs [from, to) of frame t. Returns its entries, zeroed, one per unknown of the frame; set
 * them before the next call. */
double *limb_qp_next_row(LimbQp *qp, int t, int from, int to, double weight, double target);

void limb_qp_end_frame(LimbQp *qp, int t);

/* Couples frame t, not the first, with the one before, with weight `vertical` for each y and `horizontal` for the
 * horizontal forces of the points. An unknown that a neighbour lacks is zero there. In the order of the frames. */
void limb_qp_tie(LimbQp *qp, int t, double vertical, double horizontal);

/* Scratch for programs of any size, kept between solves. destroy accepts NULL. */
typedef struct LimbQpSolver LimbQpSolver;
Status limb_qp_solver_create(LimbQpSolver **solver, Error *err);
void limb_qp_solver_destroy(LimbQpSolver *solver);

/* x[unknown]: in, a start (zero is valid) and the forces of given frames; out, the minimum. STATUS_NO_RESULT after
 * max_rounds: x is then the best found. Of def, friction, tolerances and max_rounds apply. result may be NULL. */
Status limb_qp_solve(LimbQpSolver *solver, const LimbQp *qp, const TridiagonalQpDef *def, double *x,
                     TridiagonalQpResult *result, Error *err);

#endif
