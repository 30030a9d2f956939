/* A convex quadratic program over time with a friction cone per contact:
 *
 *     minimise  sum_t ( 1/2 f_t' H_t f_t + h_t' f_t )  +  sum_t sum_slot 1/2 |f_t - f_(t-1)|^2_smooth
 *     subject to every f in its friction cone,
 *
 * where a slot (a contact point of the body) that is no candidate in a frame carries zero there. Neighbouring frames
 * are coupled by the smoothing term alone, so the Hessian is block tridiagonal. */
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
 * A force is a Vec3 in contact axes: y along the ground normal, x and z in the plane. The pyramid has edges
 * (mu cos k pi/4, 1, mu sin k pi/4), k = 0..7, so it is symmetric about x and about z. Its faces are the apex, the
 * eight edges, the eight facets and the interior; on each the force moves in a linear space with an orthonormal
 * basis of 0, 1, 2 or 3 vectors. */

enum { CONE_SIDES = 8 };

/* A face by number. */
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
    Vec3 edge[CONE_SIDES];    /* unit */
    Vec3 inward[CONE_SIDES];  /* unit normal of facet k, pointing inside */
    int dimension[FACE_COUNT];
    Vec3 basis[FACE_COUNT][3]; /* orthonormal, the first dimension[face] are used */
} FrictionCone;

void friction_cone_init(FrictionCone *cone, double friction);

/* The same as friction_cone_project, for any point. */
Vec3 friction_cone_project_far(const FrictionCone *cone, Vec3 y, int *face);

/* Nearest point of the cone, and the face in whose relative interior it lies. Most points lie inside the round cone
 * that touches the facets, or in the polar of the one through the edges. */
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

enum { TRIDIAGONAL_PADDING = 8 }; /* entries that kernels read, and write as they were, behind an array's end */

typedef struct TridiagonalQp {
    int frame_count;
    int slot_count;
    int held_count;   /* leading frames whose forces are given, not sought; default 0 */
    int *first;       /* [frame + 1] first contact of a frame in the lists below */
    int *slot;        /* [contact] increasing inside a frame */
    uint8_t *grip;    /* [contact] 1: its force may point anywhere, no cone binds it */
    size_t *block;    /* [frame + 1] start of the frame's Hessian */
    double *
        hessian; /* [block[t]] H_t of n contacts, positive definite: tridiagonal_qp_block, padded with zeros */
    Vec3 *linear;     /* [contact] h */
    Vec3 smooth;      /* weights of the differences in time, per component */
    size_t frame_room, contact_room, entry_room;
    Arena memory;     /* of the arrays */
} TridiagonalQp;

/* Entries of each of a contact's three rows of H_t, `left` contacts from this one to the frame's last: whole lanes. */
static inline size_t tridiagonal_row_length(int left) { return (size_t)(3 * left + 7) & ~(size_t)7; }

/* Entries of H_t of n contacts: three rows of tridiagonal_row_length for n, n - 1, ... 1 contacts left. The lengths of
 * eight contacts and more are those of eight fewer, and 24. */
static inline size_t tridiagonal_entries(int n)
{
    static const unsigned char rest[8] = {0, 8, 16, 32, 48, 64, 88, 112};
    int eights = n / 8;
    return (size_t)(3 * (136 * eights + 96 * eights * (eights - 1) + 24 * eights * (n % 8) + rest[n % 8]));
}

/* The block of contacts a and b >= a of frame t, counted in the frame: three rows of three entries; the rows lie
 * tridiagonal_row_length(n - a) apart. Blocks of one a lie three entries apart. */
static inline double *tridiagonal_qp_block(const TridiagonalQp *qp, int t, int a, int b)
{
    int n = qp->first[t + 1] - qp->first[t];
    return qp->hessian + qp->block[t] + tridiagonal_entries(n) - tridiagonal_entries(n - a) + 3 * (b - a);
}

/* Room for a chain of frames with the given total of contacts and of Hessian entries (tridiagonal_entries of each
 * frame). *qp is empty ((TridiagonalQp){0}) or holds an earlier chain, whose room is used again; the contents are not
 * cleared. */
Status tridiagonal_qp_init(TridiagonalQp *qp, int frame_count, int slot_count, size_t contact_count,
                           size_t hessian_count, Error *err);
void tridiagonal_qp_free(TridiagonalQp *qp);

static inline int chain_contacts(const TridiagonalQp *qp, int t) { return qp->first[t + 1] - qp->first[t]; }

/* How many neighbours in time a frame is tied to: 0, 1 or 2. */
static inline int chain_ties(const TridiagonalQp *qp, int t) { return (t > 0) + (t < qp->frame_count - 1); }

/* The minimum of a chain program (tridiagonal_qp.h) with a friction cone per contact.
 *
 * Solved by principal pivoting on the faces of the cones (face_pivoting.h; the linear complementarity form of
 * docs/sources.md, notes 0.3 and 0.7, with whole faces in place of single rows), with one block Cholesky factorisation
 * along the chain for each step. That the faces come to stay is not proven: some made-up programs with a least
 * curvature of 1e-5 of the largest use up their rounds, none with 1e-3 and no clip has. Cost: linear in frames, cubic
 * in the contacts of a frame. */

/* Dense steps of the block factorisation along a chain, compiled once per instruction set (tridiagonal_kernel.c).
 *
 * A block of n unknowns is a matrix of n rows; each row has `stride` = tridiagonal_stride(n) entries, a multiple of
 * eight: n columns, then the right side, then padding. Rows begin on 64-byte boundaries. Each entry is formed by the
 * same operations in the same order at every width, so the bits agree. A factor U holds the inverses of its diagonal
 * there.
 *
 * Factors are kept packed: row i from column tridiagonal_row_begin(i) on, so that a long chain takes little memory.
 *
 * The coupling X of a block with the one before it is a staircase: column j is zero above row begin[j], and begin
 * never falls. That saves two thirds of the work. */

static inline int tridiagonal_stride(int n) { return (n + 8) & ~7; }

/* The first column of row i that a packed factor keeps, and the packed entries before row i in all. */
static inline int tridiagonal_row_begin(int i) { return i & ~7; }
static inline size_t tridiagonal_packed(int stride, int i)
{
    int whole = i / 8;
    return (size_t)(8 * whole * stride - 32 * whole * (whole - 1) + i % 8 * (stride - 8 * whole));
}

/* Where row i of a packed factor has its column 0, or would. */
static inline const double *tridiagonal_packed_row(const double *packed, int stride, int i)
{
    return packed + tridiagonal_packed(stride, i) - tridiagonal_row_begin(i);
}

/* Neighbouring columns of H that become columns of A = B'HB. */
typedef struct TridiagonalRun {
    int from, count;   /* columns of H: of several free contacts, or three of one on a face */
    int to, columns;   /* columns of A; as many as count: copied */
    double basis[2][3]; /* else: of each column */
} TridiagonalRun;

typedef struct TridiagonalKernel {
    /* x[before][tridiagonal_stride(n)] <- U'^-1 x for the factor u of the block before; begin[n]. */
    void (*solve_transposed)(const double *u, int before, double *x, int n, const int *begin);
    /* (A | b)[n] -> (U | U'^-1 (b - X'y)) with A - X'X = U'U; column n of x holds y, the solved right side of the block
     * before. 0 when A - X'X is not positive definite. The lower triangle is scratch. packed receives (U | ...) too. */
    int (*factor)(double *a, int n, const double *x, int before, const int *begin, double *packed);
    /* z[n] <- U^-1 (column n of U + U'^-1 pull), U packed; without the pull where nothing pulls. pull and z have
     * tridiagonal_stride(n) entries; pull is overwritten. */
    void (*back_substitute)(const double *packed, int n, int is_pulled, double *pull, double *z);
    /* y[3n] <- y + H x of n contacts, H as in TridiagonalQp; reads x and writes y as it was up to seven entries
       further */
    void (*multiply_add)(const double *h, int n, const double *x, double *y);
    /* out[length] <- a h[0] + b h[length] + c h[2 length] entry by entry, length a multiple of eight */
    void (*combine_rows)(const double *h, size_t length, const double weight[3], double *out);
    /* The columns of a row of H from column `from` on, on their faces; row and out as if they began at column 0. Writes
     * up to seven entries further. */
    void (*reduce_row)(const double *row, int from, const TridiagonalRun *run, const TridiagonalRun *end, double *out);
} TridiagonalKernel;

typedef TridiagonalKernel TridiagonalKernelOf(void);
LANE_TWINS(TridiagonalKernelOf, tridiagonal_kernel);

typedef struct TridiagonalQpDef {
    double friction;       /* mu; default 0.8 */
    double tolerance;      /* aimed at, of the optimality conditions, in units of the force; default 1e-10 */
    double acceptance;     /* what rounding may leave of it; default 1e-9 */
    int max_rounds;        /* default 40 */
    LaneWidth lanes;       /* default LANES_AUTO; every width gives the same bits */
} TridiagonalQpDef;

typedef struct TridiagonalQpResult {
    double steps;    /* factorisations of the whole chain, counting each frame as often as it was in a window */
    double residual; /* largest |f - project(f - gradient / scale)| at the end, units of the force */
} TridiagonalQpResult;

TridiagonalQpDef tridiagonal_qp_default_def(void);

/* Scratch for programs of any size, one per thread, kept between solves: a chain of one frame, solved again and again,
 * allocates nothing. destroy accepts NULL. */
typedef struct TridiagonalQpSolver TridiagonalQpSolver;
Status tridiagonal_qp_solver_create(TridiagonalQpSolver **solver, Error *err);
void tridiagonal_qp_solver_destroy(TridiagonalQpSolver *solver);

/* force[contact]: in, a start (zero will do) and the forces of held frames; out, the minimum. STATUS_NO_RESULT when
 * max_rounds pass: force then holds the best found. result may be NULL. */
Status tridiagonal_qp_solve(TridiagonalQpSolver *solver, const TridiagonalQp *qp, const TridiagonalQpDef *def,
                            Vec3 *force, TridiagonalQpResult *result, Error *err);

#endif
