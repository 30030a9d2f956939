/* The equations of a scene's speeds at a pose, M^ v - G' lambda = b and G v = g, factored once: G of the equalities,
 * attached bodies folded into their carriers. */
#ifndef KANE_SIM_SCENE_SYSTEM_H
#define KANE_SIM_SCENE_SYSTEM_H

#include "analysis/sim/scene_attachment.h"
#include "analysis/sim/scene_rows.h"

typedef struct SceneSystem SceneSystem;

struct SceneSystem {
    int size, bilateral;
    double *mass, *rows; /* [size][size] M^ and [bilateral][size] G of all speeds */
    double *target;      /* [bilateral] g */
    double *soft;        /* [bilateral] how far rows give way */
    double *pushed;      /* [bilateral] impulses of equalities that scene_system_push has made */
    Carried carried;
    Kkt kkt;
    Arena memory;        /* of the arrays, but for M^ */
};

/* At the pose of the motion, which is that of q; the equalities close within `ahead`, 0: they only hold their speed.
 * M^ and attachments are in memory of the scene. */
Status scene_system_init(Scene *s, const double *q, double ahead, SceneSystem *out, Error *err);
void scene_system_free(SceneSystem *y);

/* Recomputes G and g of a system without attachments whose factors stay. */
void scene_system_aim(Scene *s, const double *q, double ahead, SceneSystem *y);

/* M^ v on all speeds. */
void scene_system_momentum(const SceneSystem *y, const double *v, double *momentum);

/* b[size] onto the speeds that are not attached. */
void scene_system_fold(const Scene *s, const SceneSystem *y, double *b);

/* (v, lambda) in place of (b, g), b folded. */
void scene_system_solve(const Scene *s, const SceneSystem *y, double *b);

/* Adds G' lambda on all speeds. */
void scene_system_add_impulses(const SceneSystem *y, const double *lambda, double *to);

/* Moves v into what limits and the contacts that were found allow at `ask`, with the speed that it has in the
 * equalities, whose impulses join their forces. The impulses of all on the speeds are added to impulse[size]. */
Status scene_system_push(Scene *s, SceneSystem *y, const SceneRowsAsk *ask, double *v, double *impulse, Error *err);

/* Room for complementarity problems of so many rows. */
Status scene_make_room(Scene *s, int rows, Error *err);

/* Adds the speeds that impulses along the base make to them. */
void scene_add_moved(const SceneRows *r, const double *push, double *base_speed);

/* Equalities and attachments have held nothing yet. */
void scene_clear_held(Scene *s);

/* Whether a row gives way as a spring does. */
int scene_system_is_soft(const SceneSystem *y, int row);

/* Whether some joint has limits. */
int scene_has_limits(const Scene *s);

/* Whether some joint has dry friction, which acts once a step. */
int scene_is_dry(const Scene *s);

#endif
