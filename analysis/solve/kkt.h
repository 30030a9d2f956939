/* The system of a body under bilateral constraints (docs/sources.md, notes 0.6 and (0.3); softened as in 0.11):
 *
 *     M v - G' lambda = b,   G v + R lambda = g,
 *
 * M symmetric positive definite, R diagonal (compliance, zero for hard rows). Dense; factorised once, solved for many
 * right sides. */
#ifndef KANE_SOLVE_KKT_H
#define KANE_SOLVE_KKT_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"

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

/* (v, lambda) in place of y[size + bilateral] = (b, g). `kkt` is a Kkt: the shape MixedLcp asks for. */
void kkt_solve(const void *kkt, double *y);

#endif
