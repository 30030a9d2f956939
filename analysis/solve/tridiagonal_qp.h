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

/* The friction cone of one contact as an eight-sided pyramid inside |f_t| <= mu f_n.
 *
 * A force is a Vec3 in contact axes: y along the ground normal, x and z in the plane. The pyramid has edges (mu cos k
 * pi/4, 1, mu sin k pi/4), k = 0..7, so it is symmetric about x and z. Its faces are the apex, the eight edges, the
 * eight facets and the interior. On each, the force moves in a linear space with an orthonormal basis of 0, 1, 2 or 3
 * vectors. */

enum { CONE_SIDES = 8 };

/* Numbers of the faces. */
enum {
    FACE_APEX = 0,
    FACE_INTERIOR = 1,
    FACE_EDGE = 2,                       /* + k: edge k */
    FACE_FACET = FACE_EDGE + CONE_SIDES, /* + k: facet between edges k and k + 1 */
    FACE_COUNT = FACE_FACET + CONE_SIDES
};

typedef struct FrictionCone {
    double friction;          /* mu */
    double inner;             /* mu cos(pi/8): |f_t| <= inner f_n lies inside */
    Vec3 edge[CONE_SIDES];    /* unit vectors */
    Vec3 inward[CONE_SIDES];  /* unit normal of facet k, pointing inside */
    int dimension[FACE_COUNT];
    Vec3 basis[FACE_COUNT][3]; /* orthonormal; the first dimension[face] vectors are used */
} FrictionCone;

void friction_cone_init(FrictionCone *cone, double friction);

/* friction_cone_project for any point, without its early exits. */
Vec3 friction_cone_project_far(const FrictionCone *cone, Vec3 y, int *face);

/* Returns the nearest point of the cone, and in *face the face whose relative interior contains it. Most points lie
 * inside the round cone that touches the facets, or in the polar of the round cone through the edges. */
static inline Vec3 friction_cone_project(const FrictionCone *cone, Vec3 y, int *face)
{
    double side = y.x * y.x + y.z * y.z, reach = cone->inner * y.y;
    if (y.y > 0 && side < reach * reach) {
        *face = FACE_INTERIOR;
        return y;
    }
    if (y.y < 0 && cone->friction * cone->friction * side < y.y * y.y) {
        *face = FACE_APEX;
        return vec3(0, 0, 0);
    }
    return friction_cone_project_far(cone, y, face);
}

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

/* Dense steps of the block factorization along a chain, compiled once per instruction set (tridiagonal_kernel.c).
 *
 * A block of n unknowns is a matrix of n rows with `stride` = tridiagonal_stride(n) entries each, a multiple of eight:
 * n columns, then the right side, then padding. Rows begin on 64-byte boundaries. Every width forms each entry by the
 * same operations in the same order, so results are bitwise equal. The diagonal of a factor U contains the inverses of
 * its diagonal entries.
 *
 * Factors are packed to save memory: row i begins at column tridiagonal_row_begin(i). The coupling X of a block with
 * the one before is a staircase: column j is zero above row begin[j], and begin does not decrease. That saves two
 * thirds of the operations. */

static inline int tridiagonal_stride(int n) { return (n + 8) & ~7; }

/* tridiagonal_row_begin: first column of row i in a packed factor. tridiagonal_packed: packed entries before row i. */
static inline int tridiagonal_row_begin(int i) { return i & ~7; }
static inline size_t tridiagonal_packed(int stride, int i)
{
    int whole = i / 8;
    return (size_t)(8 * whole * stride - 32 * whole * (whole - 1) + i % 8 * (stride - 8 * whole));
}

/* Address that column 0 of row i has, or would have, in a packed factor. */
static inline const double *tridiagonal_packed_row(const double *packed, int stride, int i)
{
    return packed + tridiagonal_packed(stride, i) - tridiagonal_row_begin(i);
}

/* Neighbouring columns of H that become columns of A = B'HB. */
typedef struct TridiagonalRun {
    int from, count;   /* columns of H: those of several free contacts, or the three of one contact on a face */
    int to, columns;   /* columns of A; if equal to count, columns are copied */
    double basis[2][3]; /* otherwise the basis vector of each column */
} TridiagonalRun;

typedef struct TridiagonalKernel {
    /* x[before][tridiagonal_stride(n)] <- U'^-1 x for the factor u of the block before; begin[n]. */
    void (*solve_transposed)(const double *u, int before, double *x, int n, const int *begin);
    /* (A | b)[n] -> (U | U'^-1 (b - X'y)) with A - X'X = U'U; column n of x contains y, the solved right side of the
     * block before. Returns 0 if A - X'X is not positive definite. The lower triangle is scratch. (U | ...) is also
     * written to packed. */
    int (*factor)(double *a, int n, const double *x, int before, const int *begin, double *packed);
    /* z[n] <- U^-1 (column n of U + U'^-1 pull), U packed; pull counts only if is_pulled. pull and z have
     * tridiagonal_stride(n) entries; pull is overwritten. */
    void (*back_substitute)(const double *packed, int n, int is_pulled, double *pull, double *z);
    /* y[3n] <- y + H x of n contacts, H as in TridiagonalQp; reads x, and rewrites y unchanged, up to seven entries
     * further */
    void (*multiply_add)(const double *h, int n, const double *x, double *y);
    /* out[length] <- a h[0] + b h[length] + c h[2 length] per entry, with weights (a, b, c); length a multiple of
     * eight */
    void (*combine_rows)(const double *h, size_t length, const double weight[3], double *out);
    /* Reduces the columns of a row of H from column `from` on to their faces; row and out are addressed as if they
     * began at column 0. Writes up to seven entries further. */
    void (*reduce_row)(const double *row, int from, const TridiagonalRun *run, const TridiagonalRun *end, double *out);
} TridiagonalKernel;

typedef TridiagonalKernel TridiagonalKernelOf(void);
LANE_TWINS(TridiagonalKernelOf, tridiagonal_kernel);

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

/* Principal pivoting on the faces of cones along a chain of frames. Minimizes a convex quadratic program whose Hessian
 * is block tridiagonal, with the forces of each frame in their own cones: the programs above and of limb_qp.h.
 *
 * On fixed faces the optimality conditions are linear, and one block factorization along the chain solves them. The
 * step to this minimum is projected onto the cones and shortened until the objective falls. The gradient then gives the
 * next faces. After each step on the whole chain, only windows around frames whose faces changed are solved again. The
 * minimum is exact once no face changes. */

/* Frames [begin, end), solved with the forces outside fixed. */
typedef struct FrameWindow {
    int begin, end;
} FrameWindow;

/* A program with forces, their gradient, a target and faces. Each function applies to the frames of a window. */
typedef struct FaceProgram {
    int frame_count;
    int held_count; /* leading frames whose forces are given */
    char *changed;  /* [frame] 1: a face differs from that of the last solve; not owned */
    void *program;
    /* Sets the target to the minimum on the faces. 0: not positive definite. */
    int (*minimize)(void *program, FrameWindow window);
    /* Sets the target to one projected gradient step. */
    void (*descend)(void *program, FrameWindow window);
    /* Moves the forces towards the target, projected onto the cones, as far as the objective falls; updates the
     * gradient. Returns 0 if no step longer than the fraction `least` decreases the objective. */
    int (*step)(void *program, FrameWindow window, double least);
    /* Restricts the faces to those the target lies nearest to. 0: no face changed. */
    int (*shrink)(void *program, FrameWindow window);
    void (*measure_gradient)(void *program, FrameWindow window);
    /* Chooses the next faces and marks the frames where one changed. Returns the residual of the optimality conditions,
     * the largest |f - project(f - gradient / scale)|. */
    double (*choose)(void *program, FrameWindow window);
    /* Frees all forces from their cones in frames without a start: most forces end inside their cones. */
    void (*open)(void *program, FrameWindow window);
} FaceProgram;

typedef struct FacePivotingResult {
    long frames_solved; /* frames factorized, counted once per factorization */
    int rounds;
    double residual;
} FacePivotingResult;

/* Pivots until the residual is at most `tolerance`, for at most max_rounds. STATUS_NO_RESULT if a Hessian is not
 * positive definite. The caller must check the residual. */
Status face_pivoting(const FaceProgram *f, double tolerance, int max_rounds, FacePivotingResult *result, Error *err);

#endif
