/* Attached bodies of a scene (docs/sources.md, notes 0.17 to 0.20): their speeds are folded into those of their
 * carriers before the solve, and their positions follow from the carriers', so that nothing drifts. */
#ifndef KANE_SIM_SCENE_ATTACHMENT_H
#define KANE_SIM_SCENE_ATTACHMENT_H

#include "analysis/base/status.h"
#include "analysis/sim/attachment.h"
#include "analysis/sim/scene_state.h"

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
