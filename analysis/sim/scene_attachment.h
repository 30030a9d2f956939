/* Bodies of a scene that are carried by others (docs/sources.md, notes 0.17 to 0.20): their speeds are folded into
 * those of their carriers before anything is solved (attachment.h), and their places follow, so that nothing drifts. */
#ifndef KANE_SIM_SCENE_ATTACHMENT_H
#define KANE_SIM_SCENE_ATTACHMENT_H

#include "analysis/sim/attachment.h"
#include "analysis/sim/scene_state.h"

/* A weld or connect of each attachment, and the order of their reduction. STATUS_BAD_INPUT naming the body that cannot
 * be carried so. The motion is set. */
Status scene_attach(Scene *s, Error *err);

/* From now on they are held as they lie, and go with what carries them. Uses the scratch memory. */
void scene_hold_attached(Scene *s);

/* The coordinates of all attached bodies by those of their carriers. */
void scene_place_attached(Scene *s, double *q);

/* The attachments of a problem on its way, and the system as it was before they were folded. */
typedef struct Carried {
    Attachment *attachment; /* [attachment_count], in the order of reduction */
    double *weld;           /* rows of each, [6][v_count], on all speeds */
    DenseSystem whole;      /* M v - G' lambda = f: a copy */
} Carried;

/* Folds the system's; what is folded stands alone in it, with the mass 1 and no force. */
Status scene_fold_attached(Scene *s, DenseSystem *system, Carried *out, Error *err);

/* Folds rows on the speeds, [count][v_count]. */
void scene_fold_rows(const Scene *s, const Carried *c, int count, double *row);

/* The speeds of what is attached. */
void scene_spread_speeds(const Scene *s, const Carried *c, double *v);

/* Adds what holds them to their forces over the step: v answers `force`, the momenta and impulses M v + h f on all
 * speeds, with those of equalities, limits and contacts. `force` is spent. */
void scene_note_attached(Scene *s, const Carried *c, const double *v, double *force);

#endif
