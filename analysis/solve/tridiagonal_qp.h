/* A convex quadratic program over time with a friction cone per contact:
 *   minimise  sum_t ( 1/2 f_t' H_t f_t + h_t' f_t )  +  sum_t sum_slot 1/2 |f_t - f_(t-1)|^2_smooth
 *   subject to every f in its friction cone.
 *
 * A slot is a contact point of the body; its force is zero in frames in which it is no candidate. Only the smoothing
 * term couples neighbouring frames, so the Hessian is block tridiagonal.
 *
 * Solved by principal pivoting on the faces of the cones (face_pivoting, which limb_qp.h uses too; the linear
 * complementarity form of docs/sources.md, notes 0.3 and 0.7, with whole faces in place of single rows), with one
 * block Cholesky factorization along the chain per step. Termination is not proven: some synthetic programs whose least
 * curvature is 1e-5 of the largest reach max_rounds; none with 1e-3 and no clip does. Cost: linear in frames, cubic in
 * a frame's contacts. */
#ifndef KANE_SOLVE_TRIDIAGONAL_QP_H
#define KANE_SOLVE_TRIDIAGONAL_QP_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/vec.h"

enum { TRIDIAGONAL_PADDING = 8 }; /* entries after an array's end that kernels read, and write unchanged */

typedef struct TridiagonalQp {
    int frame_count;
    int slot_count;
    int held_count;   /* leading frames whose forces are given; default 0 */
    int *first;       /* [frame + 1] first contact of a frame in the arrays below */
    int *slot;        /* [contact] increasing within a frame */
    uint8_t *grip;    /* [contact] 1: no cone limits its force */
    size_t *block;    /* [frame + 1] start of the frame's Hessian */
    double *
        hessian; /* [block[t]] H_t of n contacts, positive definite: tridiagonal_qp_block, padded with zeros */
    Vec3 *linear;     /* [contact] h */
    Vec3 smooth;      /* weights of the differences in time, per component */
    size_t frame_room, contact_room, entry_room;
    Arena memory;     /* of the arrays */
} TridiagonalQp;

/* Entries of each of a contact's three rows of H_t, padded to whole lanes; `left`: number of contacts from this one to
 * the last of the frame. */
static inline size_t tridiagonal_row_length(int left) { return (size_t)(3 * left + 7) & ~(size_t)7; }

/* Entries of H_t of n contacts: three rows of tridiagonal_row_length for n, n - 1, ... 1 contacts left. Eight more
 * contacts increase a row's length by 24. */
static inline size_t tridiagonal_entries(int n)
{
    static const unsigned char rest[8] = {0, 8, 16, 32, 48, 64, 88, 112};
    int eights = n / 8;
    return (size_t)(3 * (136 * eights + 96 * eights * (eights - 1) + 24 * eights * (n % 8) + rest[n % 8]));
}

/* The block of contacts a and b >= a of frame t, numbered within the frame: three rows of three entries. Rows lie
 * tridiagonal_row_length(n - a) apart, blocks of the same a three entries apart. */
static inline double *tridiagonal_qp_block(const TridiagonalQp *qp, int t, int a, int b)
{
    int n = qp->first[t + 1] - qp->first[t];
    return qp->hessian + qp->block[t] + tridiagonal_entries(n) - tridiagonal_entries(n - a) + 3 * (b - a);
}

/* Allocates for a chain of frames with the given total numbers of contacts and Hessian entries (tridiagonal_entries of
 * each frame). *qp is empty ((TridiagonalQp){0}) or contains an earlier chain, whose memory is reused. Contents are not
 * cleared. */
Status tridiagonal_qp_init(TridiagonalQp *qp, int frame_count, int slot_count, size_t contact_count,
                           size_t hessian_count, Error *err);
void tridiagonal_qp_free(TridiagonalQp *qp);

static inline int chain_contacts(const TridiagonalQp *qp, int t) { return qp->first[t + 1] - qp->first[t]; }

/* Number of neighbours in time of a frame: 0, 1 or 2. */
static inline int chain_ties(const TridiagonalQp *qp, int t) { return (t > 0) + (t < qp->frame_count - 1); }

typedef struct TridiagonalQpDef {
    double friction;       /* mu; default 0.8 */
    double tolerance;      /* target for the residual of the optimality conditions, in units of force; default 1e-10 */
    double acceptance;     /* largest accepted residual, limited by rounding; default 1e-9 */
    int max_rounds;        /* default 40 */
    LaneWidth lanes;       /* default LANES_AUTO; results are bitwise equal at every width */
} TridiagonalQpDef;

typedef struct TridiagonalQpResult {
    double steps;    /* factorizations of the whole chain; a window counts as its fraction of the frames */
    double residual; /* largest |f - project(f - gradient / scale)| at the end, in units of force */
} TridiagonalQpResult;

TridiagonalQpDef tridiagonal_qp_default_def(void);

/* Scratch for programs of any size, one per thread, kept between solves: repeated solves of a chain of one frame
 * allocate nothing. destroy accepts NULL. */
typedef struct TridiagonalQpSolver TridiagonalQpSolver;
Status tridiagonal_qp_solver_create(TridiagonalQpSolver **solver, Error *err);
void tridiagonal_qp_solver_destroy(TridiagonalQpSolver *solver);

/* force[contact]: in, a start (zero is valid) and the forces of given frames; out, the minimum. STATUS_NO_RESULT after
 * max_rounds: force is then the best found. result may be NULL. */
Status tridiagonal_qp_solve(TridiagonalQpSolver *solver, const TridiagonalQp *qp, const TridiagonalQpDef *def,
                            Vec3 *force, TridiagonalQpResult *result, Error *err);

#endif
