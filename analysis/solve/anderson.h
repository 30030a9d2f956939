/* Anderson mixing: a fixed-point iteration x <- x + K r(x) that converges linearly is made as fast as a quasi-Newton
 * method, from what its last steps showed of how r answers x.
 *
 * Pairs (p, q) say that moving x by p changes r by q; the q are kept orthonormal. A mixture takes out of r what the
 * pairs can, and the caller's plain step serves what is left.
 *
 * Reference: H. F. Walker, P. Ni, Anderson Acceleration for Fixed-Point Iterations (2011); as secant pairs: H. Fang,
 * Y. Saad, Two Classes of Multisecant Methods for Nonlinear Acceleration (2009). */
#ifndef KANE_SOLVE_ANDERSON_H
#define KANE_SOLVE_ANDERSON_H

#include "analysis/base/arena.h"

enum { ANDERSON_PAIRS = 16 };

typedef struct Anderson {
    int size;       /* of x and of r */
    int pair_count; /* seen since the beginning; the last ANDERSON_PAIRS are kept */
    int has_last;
    double *p, *q;  /* [ANDERSON_PAIRS][size] */
    double *last_x, *last_r; /* [size] as they were handed over last */
} Anderson;

/* In the arena. 0: no memory. */
int anderson_init(Anderson *a, int size, Arena *arena);

/* Before the first step of an iteration: nothing is known. */
void anderson_begin(Anderson *a);

/* A step and its residual. */
void anderson_note(Anderson *a, const double *x, const double *r);

/* x and its residual r become those of the best mixture of the steps that were noted. */
void anderson_mix(const Anderson *a, double *x, double *r);

#endif
