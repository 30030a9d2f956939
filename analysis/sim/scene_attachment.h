/* Attached bodies of a scene (docs/sources.md, notes 0.17 to 0.20): their speeds are folded into those of their
 * carriers before the solve, and their positions follow from the carriers', so that nothing drifts. */
#ifndef KANE_SIM_SCENE_ATTACHMENT_H
#define KANE_SIM_SCENE_ATTACHMENT_H

#include "analysis/base/status.h"
#include "analysis/sim/scene_state.h"

/* Components whose velocity follows from that of others (docs/sources.md, notes 0.17 to 0.20). Their equations are
 * folded into those of their masters as added mass and fictitious forces; only the masters are solved for.
 *
 * The system is dense: M v + G' lambda = f, G v = g (0.19). Attachment k states v_k + G_k v = g_k. Masters may be
 * attached themselves, in any order without a loop (0.18). */

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

/* Sets the attached bodies, in the order of 0.18, and selects the dependent speeds. STATUS_BAD_INPUT naming the body
 * that cannot be attached so. */
Status scene_attach(Scene *s, Error *err);

/* Fixes the attached bodies to their carriers in the present pose. */
Status scene_hold_attached(Scene *s, Error *err);

/* Selects the dependent speeds at the present pose: those of the attached bodies' joints if possible, else those of
 * their nearest ancestors. They stay the same for a step. */
Status scene_choose_followers(Scene *s, Error *err);

/* Computes the coordinates of all attached bodies from those of their carriers. */
void scene_place_attached(Scene *s, double *q);

/* Moves coordinates by the speeds for h, and attached bodies with their carriers. */
void scene_move(Scene *s, double h, const double *v, double *q);

/* The attachments during a solve, eliminated together, and the system before elimination. */
typedef struct Carried {
    Attachment all;
    double *weld;      /* [row][v_count] their rows on all speeds, world axes */
    DenseSystem whole; /* copy of M v - G' lambda = f */
} Carried;

/* Sets up the attachments at q with acceleration bias and makes v consistent. The motion is then set to both, without
 * speed rates. */
Status scene_carry(Scene *s, const double *q, double *v, Carried *out, Error *err);

/* Folds the system; the dependent speeds are then decoupled, with unit mass and no force. */
Status scene_fold_attached(Scene *s, DenseSystem *system, Carried *out, Error *err);

/* Folds rows on the speeds, [count][v_count]. */
void scene_fold_rows(const Scene *s, const Carried *c, int count, double *row);

/* Computes the dependent speeds from the others. */
void scene_spread_speeds(const Scene *s, const Carried *c, double *v);

/* Adds to the attached bodies' forces those that balance a residual force on the speeds, times scale and the step. */
void scene_note_rest(Scene *s, const Carried *c, double scale, const double *rest);

/* Adds the forces that hold attached bodies over the step. v solves M v = `force`, which contains momenta and impulses
 * M v + h f on all speeds, including those of equalities, limits and contacts. `force` is overwritten. */
void scene_note_attached(Scene *s, const Carried *c, const double *v, double *force);

#endif
