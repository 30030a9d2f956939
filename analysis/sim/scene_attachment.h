/* Bodies of a scene that are carried by others (docs/sources.md, notes 0.17 to 0.20): their speeds are folded into
 * those of their carriers before anything is solved (scene_attachment.h), and their places follow, so that nothing
 * drifts. */
#ifndef KANE_SIM_SCENE_ATTACHMENT_H
#define KANE_SIM_SCENE_ATTACHMENT_H

#include "analysis/base/status.h"
#include "analysis/sim/scene_state.h"

/* Components whose velocity follows from others (docs/sources.md, notes 0.17 to 0.20): their equations are folded into
 * those of their masters, as added mass and fictitious forces, and only the masters are solved for.
 *
 * The system is dense: M v + G' lambda = f, G v = g (0.19). An attachment k says v_k + G_k v = g_k. Masters may be
 * attached themselves, in any order without a loop (0.18). */

/* f holds momenta and impulses, M v_k + h f_k. */
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
    const int *own;     /* [count] these, where they are not first, first + 1, ...; NULL: they are */
} Attachment;

/* order[count]: those to which nothing is attached first. STATUS_BAD_INPUT where attachments form a loop or two attach
 * the same entry. */
Status attachment_order(const Attachment *attachment, int count, int size, int *order, Error *err);

/* Eliminates one attachment to which no other that is left is attached: M', f', G', g' of (0.27) to (0.35) in the
 * masters' entries, zeros in its own. */
void attachment_reduce(DenseSystem *s, const Attachment *a);

/* The same for rows on the system's velocities alone, [row_count][size], and what they ask for: right[row_count], or
 * NULL where no attachment has a bias. */
void attachment_reduce_rows(const Attachment *a, int row_count, int size, double *rows, double *right);

/* v_k = g_k - G_k v, in the reverse of the order of reduction. */
void attachment_velocity(const Attachment *a, int size, double *v);

/* lambda_k of (0.19), the impulse that holds an attachment on which no other hangs: f_k - M_k v - G_k' lambda of the
 * system before reduction, lambda NULL: of its mass alone. held[count] is written. */
void attachment_reaction(const DenseSystem *before, const Attachment *a, const double *v, const double *lambda,
                         double *held);

/* The bodies that are attached, in the order of 0.18, and which speeds follow. STATUS_BAD_INPUT naming the body that
 * cannot be carried so. */
Status scene_attach(Scene *s, Error *err);

/* From now on they are held as they lie, and go with what carries them. */
Status scene_hold_attached(Scene *s, Error *err);

/* Which speeds follow at the present pose: those of the attached bodies' joints where they can, else those next to them
 * on the way to the world, or to that of their carriers. They stay for a step. */
Status scene_choose_followers(Scene *s, Error *err);

/* The coordinates of all attached bodies by those of their carriers. */
void scene_place_attached(Scene *s, double *q);

/* The attachments of a problem on its way, which are eliminated together, and the system as it was before. */
typedef struct Carried {
    Attachment all;
    double *weld;      /* [row][v_count] rows of all of them on all speeds: world axes */
    DenseSystem whole; /* M v - G' lambda = f: a copy */
} Carried;

/* The attachments at q, whose bias is that of accelerations; v becomes consistent. The motion is then that of both,
 * without rates of the speeds. */
Status scene_carry(Scene *s, const double *q, double *v, Carried *out, Error *err);

/* Folds the system's; what is folded stands alone in it, with the mass 1 and no force. */
Status scene_fold_attached(Scene *s, DenseSystem *system, Carried *out, Error *err);

/* Folds rows on the speeds, [count][v_count]. */
void scene_fold_rows(const Scene *s, const Carried *c, int count, double *row);

/* The speeds of what is attached. */
void scene_spread_speeds(const Scene *s, const Carried *c, double *v);

/* Adds to their forces what holds them against forces that are left on the speeds, times scale and the step. */
void scene_note_rest(Scene *s, const Carried *c, double scale, const double *rest);

/* Adds what holds them to their forces over the step: v answers `force`, the momenta and impulses M v + h f on all
 * speeds, with those of equalities, limits and contacts. `force` is spent. */
void scene_note_attached(Scene *s, const Carried *c, const double *v, double *force);

#endif
