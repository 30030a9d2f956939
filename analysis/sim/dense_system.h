/* A constrained system written out dense: what a tree does without ever forming a matrix, for systems of any shape and
 * as its check.
 *
 *     M v - G' lambda = f,   G v + R lambda = g           (docs/sources.md, notes 0.6)
 *
 * f holds momenta and impulses, M v_k + h f_k. Attachments are reduced before (attachment.h). */
#ifndef KANE_SIM_DENSE_SYSTEM_H
#define KANE_SIM_DENSE_SYSTEM_H

#include "analysis/base/status.h"

typedef struct DenseSystem {
    int size, row_count;
    double *mass;             /* [size][size] M */
    double *force;            /* [size] f */
    double *rows;             /* [row_count][size] G */
    double *right;            /* [row_count] g */
    const double *compliance; /* [row_count] R; NULL: zero */
} DenseSystem;

/* Components that move as they are told, and what it takes to move them (0.21): M v - G' lambda = f + d. The driving
 * impulse d is zero in the entries that are free, where v is found, and found in the driven ones (driven[size] is 1),
 * where v is given. Divide by h for a force (docs/sources.md "Errata of the notes").
 *
 * v[size]: in, the driven entries; out, all. lambda[row_count] and impulse[size] are written. STATUS_NO_RESULT where
 * the free part is singular. */
Status driven_solve(const DenseSystem *s, const char *driven, double *v, double *lambda, double *impulse, Error *err);

/* Constraints as projections (0.5): P_f = 1 - G' (G M^-1 G')^-1 G M^-1 takes from forces what the constraints G v = 0
 * hold; P_v = P_f' does so with velocities. Reads M and G; force[size][size] and velocity[size][size] are written.
 * STATUS_NO_RESULT where M is not positive definite or rows depend on each other. */
Status projection_matrices(const DenseSystem *s, double *force, double *velocity, Error *err);

/* Inverse of (M -G'; G 0) by its blocks, [size + row_count][size + row_count]: M^-1 P_f, M^-1 G' S; -S G M^-1, S with
 * S = (G M^-1 G')^-1. Reads M and G. Fails as above. */
Status projection_kkt_inverse(const DenseSystem *s, double *inverse, Error *err);

#endif
