/* Components whose velocity follows from others (docs/sources.md, notes 0.17 to 0.20): their equations are folded into
 * those of their masters, as added mass and fictitious forces, and only the masters are solved for.
 *
 * The system is dense (dense_system.h), with lambda of the other sign: M v + G' lambda = f, G v = g (0.19). An
 * attachment k says v_k + G_k v = g_k. Masters may be attached themselves, in any order without a loop (0.18). */
#ifndef KANE_SIM_ATTACHMENT_H
#define KANE_SIM_ATTACHMENT_H

#include "analysis/math/vec.h"
#include "analysis/sim/dense_system.h"

typedef struct Attachment {
    int first, count;   /* the entries of v that are attached */
    const double *rows; /* [count][size] G_k, zero in its own entries */
    const double *bias; /* [count] g_k; NULL: zero */
} Attachment;

/* order[count]: those to which nothing is attached first. STATUS_BAD_INPUT where attachments form a loop or two attach
 * the same entry. */
Status attachment_order(const Attachment *attachment, int count, int size, int *order, Error *err);

/* Eliminates one attachment to which no other that is left is attached: M', f', G', g' of (0.27) to (0.35) in the
 * masters' entries, zeros in its own. */
void attachment_reduce(DenseSystem *s, const Attachment *a);

/* v_k = g_k - G_k v, in the reverse of the order of reduction. */
void attachment_velocity(const Attachment *a, int size, double *v);

/* lambda_k of (0.19), the impulse that holds an attachment on which no other hangs: f_k - M_k v - G_k' lambda of the
 * system before reduction. held[count] is written. */
void attachment_reaction(const DenseSystem *before, const Attachment *a, const double *v, const double *lambda,
                         double *held);

/* One constraint row alone, g v = gamma. */
typedef struct ConstraintRow {
    int size;
    const double *row; /* [size] g, one of the system's rows with the attachments reduced */
    double target;     /* gamma */
} ConstraintRow;

/* For sweeps over rows (0.20): moves v by M^-1 g' phi so that g v = gamma, and writes the impulse phi.
 * inverse[size][size]: M^-1, block-diagonal, which M' is as long as no attached mass has two masters (0.18). The
 * impulse is shared by the components as their blocks of M^-1 say: the sum of 0.20 needs no more than these.
 * STATUS_NO_RESULT where nothing moves in the row: v is then as it was. */
Status attachment_project_row(const ConstraintRow *g, const double *inverse, double *v, double *impulse, Error *err);

/* A particle fixed at `point` of a body (0.19): the body's velocity is in its own axes, R turns them to the world,
 * omega is in the body's axes. rows[3][6] and bias[3] for the particle's acceleration in world axes. */
void attachment_particle(Mat3 body_to_world, Vec3 point, Vec3 omega, double *rows, double *bias);

#endif
