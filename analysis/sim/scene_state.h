/* The inside of a Scene, shared by its files. */
#ifndef KANE_SIM_SCENE_STATE_H
#define KANE_SIM_SCENE_STATE_H

#include "analysis/base/arena.h"
#include "analysis/sim/contact_rows.h"
#include "analysis/sim/scene_def.h"
#include "analysis/sim/shape_contact.h"
#include "analysis/solve/mixed_lcp.h"

typedef struct SceneContact {
    int first, second; /* bodies */
    int geom[2];
    Collision at;
    double friction, least_speed;
    int base[2];       /* of either body: the first of its six speeds among SceneRows.base; -1: it does not move */
    Vec3 arm[2];       /* m, from the COM of either body to the point, world axes */
    Vec3 slip;         /* m/s, across the normal, that the step would end with without contacts */
    Vec3 impulse;      /* Ns, on the second body */
} SceneContact;

/* What a contact did in the last problem: where the next begins. */
typedef struct SceneContactState {
    int geom[2];
    int state;     /* HoldState (contact_states.h) */
    unsigned mask;
} SceneContactState;

/* Two geoms that may meet. */
typedef struct ScenePair {
    int first, second;
    double friction;
} ScenePair;

/* A row of a contact. */
typedef struct SceneRow {
    Vec3 direction;                  /* of the impulse on the second body; zero: none (the slip of a cone) */
    double added[CONE_CONTACT_ROWS]; /* C, on the impulses of this contact */
} SceneRow;

/* Rows N v + C z >= n of limits and contacts. They act on few of the bodies, so N is by way of a base: the speeds of
 * limits, and six speeds of each body that a contact touches, of its COM and angular in world axes. */
typedef struct SceneRows {
    int count, limit_count, contact_rows; /* rows of each contact */
    int dry_start;                        /* limit rows from here on are two a speed with dry friction: its impulse,
                                             which z counts from the lower bound, and its slip at the upper one
                                             (0.5, 0.6) */
    int base_count;                       /* limits first */
    double *base;                         /* [base][v_count] B */
    double *least;                        /* [limit_count] impulse at z = 0: of dry friction its lower bound */
    double *mobility;                     /* [base][base] B M^-1 B': what impulses do to these speeds */
    SceneRow *row;                        /* [count - limit_count] */
    double *n, *z;                        /* [count] */
    double limit_speed;                   /* rad/s or m/s, of the joint whose limits are written */
    double *limit_soft;                   /* [limit_count] how far it gives way */
    int *limit;                           /* [limit_count] which of Scene.limit_holds it is */
} SceneRows;

/* How an attached body lies. */
typedef struct SceneHeld {
    Vec3 anchor;   /* m, its origin in axes of the carrier */
    Quat relative; /* to the carrier */
    Vec3 rest;     /* m, of the first attachment of a body: what the carriers' weighted places miss */
} SceneHeld;

struct Scene {
    const Model *model;
    SceneDef def;
    Arena memory;  /* of the arrays */
    Arena scratch; /* of a step */
    ModelMotion motion;
    int is_set;    /* the motion is that of q, v and a */
    Integrator integrator;
    double time;
    double *q, *v, *a, *control;
    Vec3 *error_sum; /* [controller] rad s or m s, of hinges, slides and angles in x */
    double *q_before, *v_before;      /* at the step's beginning */
    double *rolling_height; /* [rolling] m, of a wheel's lowest point along its normal */
    double *body_inverse, *speed_inverse; /* [body] 1/kg and [v]: scene_softness.h */
    double *mass, *inertia, *bias;    /* [v][v] or its factor, [v] its diagonal, [v] */
    int *mass_last;                   /* [v] where the factor's rows end */
    double h, kick;  /* s: of the step, or the part of it, that is taken; in which its forces act */
    int kicks_twice; /* they act at its beginning and at its end, half of it each (SCENE_VARIATIONAL) */
    int damps_ahead; /* joints and drives are damped by the speeds at the step's end (scene_damp_ahead) */
    double *probe_q, *probe_v, *rate, *probe_a; /* of differences */
    ModelLoads loads;                 /* [body] */
    ModelLoads applied;               /* [body] at the COM, for one step */
    ModelLoads held_springs;          /* [body] of springs and tendons, about the body's origin, */
    int holds_springs;                /* where these act in place of the springs themselves */
    SpringBlocks spring_blocks;       /* their derivatives, for the implicit integrators */
    ModelLoads on_way;                /* [body] linear and angular momentum, about the COM, on the last way */
    char *waits;                      /* [body] */
    double *given_from, *given_to, *given_speed; /* [given] where the step begins and ends, how fast then */
    double *given_force; /* [given] */
    int parts;           /* overlaps are parted: nothing goes on its path */
    double given_share; /* of the way from one to the other, at the end of the part of the step that is taken */
    Vec3 *contact_force, *contact_moment; /* [body] of the last step */
    Vec3 *equality_force, *equality_couple; /* [equality, then attachment, then path, then rolling] */
    SceneHeld *held;          /* [attachment] */
    int *component;           /* [component_count] first attachment of each attached body, in the order of 0.18 */
    int component_count;
    int *follower, *follower_row; /* [follower_count] speeds that attached bodies take from others, and by which row */
    int follower_count;
    int has_noted; /* what holds them is known of this step */
    ScenePair *pair;
    int pair_count;
    SceneContact *contact;
    int contact_count, contact_room;
    SceneRows rows;
    int start_count, start_room;
    double *start; /* [start_count] impulses of the last problem: where the next begins */
    SceneContactState *contact_state; /* [contact_state_count] in the order of the contacts */
    int contact_state_count, contact_state_room;
    struct SceneSystem *kept; /* equations of the speeds at q, */
    int has_kept;             /* where they serve the next step */
    LcpSolver lcp;
    UnsettledSweeps unsettled;
    SceneSolves solves;
    char *limit_holds; /* [side of a joint, then side of an angle] 1: on the way of the step */
    int lost;        /* body of the speed in which the mass matrix was singular; 0: it was not */
    int constrained; /* how often in this step */
    Status status;   /* of what the integrator cannot hand on */
    Error why;       /* of the step that is taken */
    Error *err;
};

/* Of equalities, attachments, paths and rolling together. */
static inline int scene_constraint_count(const Scene *s)
{
    return s->model->equality_count + s->def.attachment_count + s->def.path_count +
           s->def.rolling_count;
}

/* Driven joints are where their paths are now, and as fast. */
void scene_follow_paths(Scene *s);

/* Moves coordinates with speeds for h, and what is attached with its carriers. */
void scene_move(Scene *s, double h, const double *v, double *q);

/* Adds the time of the kick times what damps each speed at its joint, by the model and by drives, to the diagonal of
 * the mass:
 * (M + h D) dv = h f(v) is symplectic Euler with its damping at the end of the step (0.9.2 with df/dv alone, and of
 * that what is diagonal), which does not blow up on light bodies. Nothing where the damping is not ahead. */
void scene_damp_ahead(Scene *s);

/* What drives with an integral gain have left to their targets joins their sums. */
void scene_sum_errors(Scene *s);

/* Accelerations that forces, without constraints, give at (q, v); the mass is then factored. */
void scene_acceleration(Scene *s, const double *q, const double *v, double *a);

/* Forces on the speeds at (q, v), without those of inertia. */
void scene_applied_forces(Scene *s, const double *q, const double *v, double *force);

/* What forces are left at (q, v) when the accelerations are a: zero for those of scene_acceleration. M is that of the
 * last acceleration, so that da = M^-1 d(rest) by any change of q or v. */
void scene_rest_forces(Scene *s, const double *q, const double *v, const double *a, double *force);

/* Derivatives of scene_acceleration at (q, v) by a small move in each speed (NULL: not asked for) and by each speed,
 * each [v][v]: springs and tendons by their own (docs/sources.md, notes 0.12 to 0.14, 0.22), all else by central
 * differences, in which springs keep their wrenches. In scratch memory. */
void scene_differentiate(Scene *s, const double *q, const double *v, double *by_position, double *by_velocity);

/* The bodies that springs and tendons join. */
Status scene_join_springs(Scene *s, Error *err);

/* The derivatives of springs and tendons at the motion, and their wrenches, which are held where holds_springs says
 * so. */
void scene_differentiate_springs(Scene *s);

/* Particles in an implicit step of h: their springs join the matrix [v][v] of changes of speed, and the accelerations
 * on its right side; the mass is that of the last acceleration. Then they take the step that goes with the speeds. */
void scene_couple_particles(Scene *s, double h, double theta, double *matrix, double *acceleration);
void scene_finish_particles(Scene *s);

/* Pairs of geoms that may meet. */
Status scene_find_pairs(Scene *s, Error *err);

/* Contacts that may close at q, with the velocities of the step's beginning. */
Status scene_find_contacts(Scene *s, const double *q, const ContactRule *rule, Error *err);

/* Adds the impulses of the contacts to their forces over the step. */
void scene_record_contacts(Scene *s);

/* Velocity of a body at a place in the world, of the motion as it is set. */
Vec3 scene_speed_at(const Scene *s, int body, Vec3 place);

/* Moves v into what limits, contacts and equalities allow at q. *held: whether any does. */
Status scene_constrain(Scene *s, const double *q, const ContactRule *rule, double *v, int *held, Error *err);

#endif
