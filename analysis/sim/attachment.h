/* Components whose velocity follows from that of others (docs/sources.md, notes 0.17 to 0.20). Their equations are
 * folded into those of their masters as added mass and fictitious forces; only the masters are solved for.
 *
 * The system is dense: M v + G' lambda = f, G v = g (0.19). Attachment k states v_k + G_k v = g_k. Masters may be
 * attached themselves, in any order without a loop (0.18). */
#ifndef KANE_SIM_ATTACHMENT_H
#define KANE_SIM_ATTACHMENT_H

#include "analysis/base/status.h"

/* f contains momenta and impulses, M v_k + h f_k. */
typedef struct DenseSystem {
    int size, row_count;
    double *mass;  /* [size][size] M */
    double *force; /* [size] f */
    double *rows;  /* [row_count][size] G */
    double *right; /* [row_count] g */
} DenseSystem;

typedef struct Attachment {
    int first, count;   /* the entries of v that are attached */
    const double *rows; /* [count][size] G_k, zero in its own entries */
    const double *bias; /* [count] g_k; NULL: zero */
    const int *own;     /* [count] indices of these, if they are not first, first + 1, ...; else NULL */
} Attachment;

/* Writes order[count]: components to which nothing is attached come first. STATUS_BAD_INPUT if attachments form a loop
 * or two attach the same entry. */
Status attachment_order(const Attachment *attachment, int count, int size, int *order, Error *err);

/* Eliminates one attachment to which none of the remaining ones is attached: writes M', f', G', g' of (0.27) to (0.35)
 * into the masters' entries and zeros into its own. */
void attachment_reduce(DenseSystem *s, const Attachment *a);

/* The same for rows on the system's velocities, [row_count][size], and their targets: right[row_count], or NULL if no
 * attachment has a bias. */
void attachment_reduce_rows(const Attachment *a, int row_count, int size, double *rows, double *right);

/* v_k = g_k - G_k v, in the reverse of the order of reduction. */
void attachment_velocity(const Attachment *a, int size, double *v);

/* lambda_k of (0.19), the impulse that holds an attachment on which no other depends: f_k - M_k v - G_k' lambda of the
 * system before reduction; lambda NULL: without equalities. Writes held[count]. */
void attachment_reaction(const DenseSystem *before, const Attachment *a, const double *v, const double *lambda,
                         double *held);

#endif
