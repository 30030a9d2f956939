/* The equations of a scene's speeds at a pose, M^ v - G' lambda = b and G v = g, factorised once; the variational
 * step on them, and the mixing that accelerates its rounds. G are the rows of the equalities; attached bodies are
 * folded into their carriers. */
#ifndef KANE_SIM_SCENE_SYSTEM_H
#define KANE_SIM_SCENE_SYSTEM_H

#include "analysis/base/arena.h"
#include "analysis/sim/scene_attachment.h"
#include "analysis/sim/scene_rows.h"
#include "analysis/sim/scene_state.h"

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

/* Projects v onto what limits and the found contacts allow under `ask`. Along the equalities v keeps its speed; their
 * impulses are added to their forces. impulse[size] receives the sum of all impulses on the speeds. */
Status scene_system_push(Scene *s, SceneSystem *y, const SceneRowsAsk *ask, double *v, double *impulse, Error *err);

/* Allocates complementarity problems of so many rows. */
Status scene_make_room(Scene *s, int rows, Error *err);

/* Adds the speeds along the base that impulses along it cause. */
void scene_add_moved(const SceneRows *r, const double *push, double *base_speed);

/* Sets the forces of equalities and attachments to zero. */
void scene_clear_held(Scene *s);

/* Whether a row is a spring and damper. */
int scene_system_is_soft(const SceneSystem *y, int row);

/* Whether some joint has limits. */
int scene_has_limits(const Scene *s);

/* Whether some joint has dry friction, which acts once per step. */
int scene_is_dry(const Scene *s);

/* Variational step of a scene: it carries the momenta of the generalised speeds from pose to pose, and constraints
 * close at the end of the step (Lee, Liu, Park, Srinivasa 2016: the discrete Euler-Lagrange equations in joint
 * coordinates, solved by fixed-point iterations with one factorised mass matrix).
 *
 * With pi the momenta at the pose q, and for a displacement that leads from q to q+ within h
 *     p = m (c+ - c) / h,  omega = 2 log(R+ R*) / h,  L = I(R at mid-step) omega  of each body, the speeds u that
 *     move q to q+ solve
 *     J(q)' (p, L) + A u + k D u = pi + k (Q + D v) + G' lambda + N' z,   phi(q+) = 0, and the next momenta are pi+
 *     = J(q+)' (p, L) + A u. A: armatures; D: damping evaluated at the end of the step; k: time over which forces
 *     act. Where contacts are possible, k = h; otherwise k = h / 2 and half of the forces act at q+, which makes
 *     the step second order. Limits and contacts are solved on u after an iteration without them, so that they see
 *     the rotation of the bodies. Energy stays bounded and momenta are conserved to rounding at any step size for
 *     which the iterations converge. */

/* Steps from s->q_before and s->v_before, the present state, through s->h; advances the time and records contact forces
 * (scene_record_contacts). STATUS_NO_RESULT if the iterations diverge in the smallest part of a step. */
Status scene_momentum_step(Scene *s, Error *err);

/* Anderson mixing: accelerates a linearly convergent fixed-point iteration x <- x + K r(x) to the speed of a
 * quasi-Newton method, from the changes of x and r in its last steps.
 *
 * In a pair (p, q), moving x by p changes r by q; the q are orthonormal. Mixing removes from r its component in the
 * span of the q; the caller's plain step reduces the rest.
 *
 * Reference: H. F. Walker, P. Ni, Anderson Acceleration for Fixed-Point Iterations (2011); as secant pairs: H. Fang, Y.
 * Saad, Two Classes of Multisecant Methods for Nonlinear Acceleration (2009). */

enum { ANDERSON_PAIRS = 16 };

typedef struct Anderson {
    int size;       /* entries of x and of r */
    int pair_count; /* pairs since anderson_begin; the last ANDERSON_PAIRS are kept */
    int has_last;
    double *p, *q;  /* [ANDERSON_PAIRS][size] */
    double *last_x, *last_r; /* [size] of the last anderson_note */
} Anderson;

/* Allocates in the arena. 0: out of memory. */
int anderson_init(Anderson *a, int size, Arena *arena);

/* Discards all pairs. Call it before the first step of an iteration. */
void anderson_begin(Anderson *a);

/* Records x and its residual r. */
void anderson_note(Anderson *a, const double *x, const double *r);

/* Replaces x and its residual r by those of the mixture of the recorded steps that minimizes |r|. */
void anderson_mix(const Anderson *a, double *x, double *r);

#endif
