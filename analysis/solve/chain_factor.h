/* The minimum of a chain program (chain_qp.h) over a window of frames with every force on a given face of its cone: one
 * block Cholesky factorisation along the chain, one substitution back. */
#ifndef KANE_SOLVE_CHAIN_FACTOR_H
#define KANE_SOLVE_CHAIN_FACTOR_H

#include <stddef.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/math/vec.h"
#include "analysis/solve/chain_kernel.h"
#include "analysis/solve/chain_qp.h"
#include "analysis/solve/friction_cone.h"

/* Frames [begin, end), solved with the forces outside held. */
typedef struct ChainWindow {
    int begin, end;
} ChainWindow;

typedef struct ChainFactor {
    const FrictionCone *cone;  /* the caller's, as are the next two */
    const ChainKernel *kernel;
    const int *face;           /* [contact] */
    size_t frames, factors, widest; /* room */
    int *free;                 /* [frame] d_t: reduced unknowns */
    size_t *factor_at;         /* [frame] start of the block below */
    double *factor;            /* [frame] U_t and the right side, packed (chain_kernel.h) */
    double *now, *before;      /* U_t and U_(t-1), d_t and d_(t-1) rows, of the frame being factorised */
    double *coupling;          /* X_t = U_(t-1)'^-1 C_t, d_(t-1) rows */
    double *pull, *unknown;    /* [reduced unknown] of the frame being solved */
    int *begin;                /* [reduced unknown] first row of its column in X_t, of the frame being factorised */
    ChainRun *run;             /* [contact of a frame] the columns of the frame being factorised */
    double *row;               /* a row of H on a face */
    Arena memory;              /* of the arrays */
} ChainFactor;

/* Room for the largest case: every contact free to move in three directions. Keeps what is large enough. */
Status chain_factor_reserve(ChainFactor *factor, const ChainQp *qp, Error *err);
void chain_factor_free(ChainFactor *factor);

/* target[contact] of the window receives the minimum; force is read beside the window. 0 when the program is not
 * positive definite there. */
int chain_factor_minimize(ChainFactor *factor, const ChainQp *qp, ChainWindow window, const Vec3 *force, Vec3 *target);

/* Subtracts smooth f over the slots that frames t and other share: the pull of a neighbour on frame t. */
void chain_add_pull(const ChainQp *qp, int t, int other, const Vec3 *force, Vec3 *gradient);

static inline Vec3 vec3_times(Vec3 a, Vec3 b) { return vec3(a.x * b.x, a.y * b.y, a.z * b.z); }

#endif
