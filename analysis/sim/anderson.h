/* Anderson mixing: accelerates a linearly convergent fixed-point iteration x <- x + K r(x) to the speed of a
 * quasi-Newton method, from the changes of x and r in its last steps.
 *
 * In a pair (p, q), moving x by p changes r by q; the q are orthonormal. Mixing removes from r its component in the
 * span of the q; the caller's plain step reduces the rest.
 *
 * Reference: H. F. Walker, P. Ni, Anderson Acceleration for Fixed-Point Iterations (2011); as secant pairs: H. Fang, Y.
 * Saad, Two Classes of Multisecant Methods for Nonlinear Acceleration (2009). */
#ifndef KANE_SIM_ANDERSON_H
#define KANE_SIM_ANDERSON_H

#include "analysis/base/arena.h"

enum { ANDERSON_PAIRS = 16 };

typedef struct Anderson {
    int size;       /* entries of x and of r */
    int pair_count; /* pairs since anderson_begin; the last ANDERSON_PAIRS are kept */
    int has_last;
    double *p, *q;  /* [ANDERSON_PAIRS][size] */
    double *last_x, *last_r; /* [size] of the last anderson_note */
} Anderson;

/* Allocates in the arena. 0: out of memory. */
int anderson_init(Anderson *a, int size, Arena *arena);

/* Discards all pairs. Call it before the first step of an iteration. */
void anderson_begin(Anderson *a);

/* Records x and its residual r. */
void anderson_note(Anderson *a, const double *x, const double *r);

/* Replaces x and its residual r by those of the mixture of the recorded steps that minimizes |r|. */
void anderson_mix(const Anderson *a, double *x, double *r);

#endif
