/* The equations of a scene's speeds at a pose, M^ v - G' lambda = b and G v = g, factorised once; the variational
 * step on them, and the mixing that accelerates its rounds. G are the rows of the equalities; attached bodies are
 * folded into their carriers. */
#ifndef KANE_SIM_SCENE_SYSTEM_H
#define KANE_SIM_SCENE_SYSTEM_H

#include "analysis/base/arena.h"
#include "analysis/sim/scene_attachment.h"
#include "analysis/sim/scene_rows.h"
#include "analysis/sim/scene_state.h"
#include "analysis/solve/kkt.h"

typedef struct SceneSystem SceneSystem;

struct SceneSystem {
    int size, bilateral;
    double *mass, *rows; /* [size][size] M^ and [bilateral][size] G of all speeds */
    double *target;      /* [bilateral] g */
    double *soft;        /* [bilateral] compliance of the rows */
    double *pushed;      /* [bilateral] impulses of equalities by scene_system_push */
    Carried carried;
    Kkt kkt;
    Arena memory;        /* owns the arrays except M^ */
};

/* Sets up the system at q, the pose of the motion. The equalities close within `ahead`; 0: they prescribe speeds only.
 * M^ and the attachments stay in the scene's memory. */
Status scene_system_init(Scene *s, const double *q, double ahead, SceneSystem *out, Error *err);
void scene_system_free(Scene *s, SceneSystem *y);

/* Recomputes G and g of a system without attachments; the factors stay. */
void scene_system_aim(Scene *s, const double *q, double ahead, SceneSystem *y);

/* M^ v on all speeds. */
void scene_system_momentum(const SceneSystem *y, const double *v, double *momentum);

/* Folds b[size] onto the independent speeds. */
void scene_system_fold(const Scene *s, const SceneSystem *y, double *b);

/* Replaces (b, g), with b folded, by (v, lambda). */
void scene_system_solve(const Scene *s, const SceneSystem *y, double *b);

/* Adds G' lambda to all speeds. */
void scene_system_add_impulses(const SceneSystem *y, const double *lambda, double *to);

/* Adds the impulses lambda of the equalities to their forces and to the impulses on the speeds. */
void scene_note_held(Scene *s, const SceneSystem *y, const double *lambda);

/* Projects v onto what limits and the found contacts allow under `ask`. Along the equalities v keeps its speed; their
 * impulses are added to their forces. impulse[size] receives the sum of all impulses on the speeds. */
Status scene_system_push(Scene *s, SceneSystem *y, const SceneRowsAsk *ask, double *v, double *impulse, Error *err);

/* Allocates complementarity problems of so many rows. */
Status scene_make_room(Scene *s, int rows, Error *err);

/* Sets the forces of equalities and attachments to zero. */
void scene_clear_held(Scene *s);

/* Whether a row is a spring and damper. */
int scene_system_is_soft(const SceneSystem *y, int row);

/* Whether some joint has limits. */
int scene_has_limits(const Scene *s);

/* Whether some joint has dry friction, which acts once per step. */
int scene_is_dry(const Scene *s);

#endif
