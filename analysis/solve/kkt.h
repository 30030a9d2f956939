/* The system of a body under bilateral constraints (docs/sources.md, notes 0.6 and (0.3); softened as in 0.11):
 *   M v - G' lambda = b,   G v + R lambda = g,
 * M symmetric positive definite, R diagonal (compliance, zero for hard rows). Dense; factored once, solved for many
 * right sides. */
#ifndef KANE_SOLVE_KKT_H
#define KANE_SOLVE_KKT_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"

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

#endif
