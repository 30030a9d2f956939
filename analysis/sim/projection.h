/* Constraints as projections of forces and velocities (docs/sources.md, notes 0.5), dense: what the tree does without
 * ever forming a matrix, written out for systems of any shape and as its check. */
#ifndef KANE_SIM_PROJECTION_H
#define KANE_SIM_PROJECTION_H

#include "analysis/base/status.h"

/* P_f = 1 - G' (G M^-1 G')^-1 G M^-1 takes from forces what the constraints G v = 0 hold; P_v = P_f' does so with
 * velocities. mass[size][size], rows[count][size]; force[size][size] and velocity[size][size] are written.
 * STATUS_NO_RESULT where M is not positive definite or rows depend on each other. */
Status projection_matrices(const double *mass, const double *rows, int size, int count, double *force,
                           double *velocity, Error *err);

/* Inverse of (M -G'; G 0) by its blocks, [size + count][size + count]: M^-1 P_f, M^-1 G' S; -S G M^-1, S with
 * S = (G M^-1 G')^-1. Fails as above. */
Status projection_kkt_inverse(const double *mass, const double *rows, int size, int count, double *inverse,
                              Error *err);

#endif
