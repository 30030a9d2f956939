/* Internal state of a Scene, shared by its source files. */
#ifndef KANE_SIM_SCENE_STATE_H
#define KANE_SIM_SCENE_STATE_H

#include "analysis/base/arena.h"
#include "analysis/sim/contact_rows.h"
#include "analysis/sim/scene_def.h"
#include "analysis/sim/shape.h"
#include "analysis/solve/gauss_seidel.h"
#include "analysis/solve/lcp.h"

typedef struct SceneContact {
    int first, second; /* bodies */
    int geom[2];
    Collision at;
    ModelFriction friction;
    double min_speed;
    int base[2];       /* first of the six speeds of either body in SceneRows.base; -1: fixed */
    Vec3 arm[2];       /* m, from the COM of either body to the point, world axes */
    Vec3 slip;         /* m/s, in the tangent plane, at the end of the step without contacts */
    Vec3 impulse;      /* Ns, on the second body */
    int turn;          /* its first row in SceneRows.base of dry friction against turning, two per axis */
    Vec3 turn_axis[3]; /* normal and two tangents */
    Vec3 couple;       /* Nms, on the second body */
    unsigned turns;    /* of each axis two bits: 0 held, 1 and 2 at the lower and upper bound */
} SceneContact;

typedef struct SceneContacts {
    SceneContact *contact; /* [room] */
    int count, room;
} SceneContacts;

/* State of a contact in the last problem: warm start of the next one. */
typedef struct SceneContactState {
    int geom[2];
    int state;     /* HoldState (contact_rows.h) */
    unsigned mask;
    unsigned turns; /* of SceneContact */
} SceneContactState;

/* Two geoms that may collide. */
typedef struct ScenePair {
    int first, second;
    ModelFriction friction;
} ScenePair;

/* A geom at the beginning of the step. */
typedef struct SceneGeom {
    Shape shape;
    double reach; /* m, radius of its bounding sphere */
    double speed; /* m/s, bound on the speed of its points */
    char meets;   /* 1: it is in a pair */
    char moves;
} SceneGeom;

/* A row of a contact. */
typedef struct SceneRow {
    Vec3 direction;                  /* of the impulse on the second body; zero: none (slip row of a cone) */
    double added[CONE_CONTACT_ROWS]; /* C, on the impulses of this contact */
} SceneRow;

/* Rows N v + C z >= n of limits and contacts. They act on few bodies, so N acts through a base: the speeds of limits,
 * and six speeds of each body in contact (velocity of its COM and angular velocity, world axes). */
typedef struct SceneRows {
    int count, limit_count, contact_rows; /* rows per contact */
    int dry_start;                        /* from here on two limit rows per speed with dry friction: its impulse,
                                             counted from the lower bound, and its slip at the upper bound (0.5, 0.6) */
    int turn_start;                       /* from here on the same two rows per axis of a contact that resists turning;
                                             its bound is the normal impulse times a length */
    int base_count;                       /* limits first */
    double *base;                         /* [base][v_count] B */
    double *min;                          /* [limit_count] impulse at z = 0: lower bound of a dry friction */
    double *mobility;                     /* [base][base] B M^-1 B': response of these speeds to impulses */
    SceneRow *row;                        /* [count - limit_count] */
    double *n, *z;                        /* [count] */
    double limit_speed;                   /* rad/s or m/s, of the joint whose limits are written */
    double *limit_soft;                   /* [limit_count] compliance */
    int *limit;                           /* [limit_count] its index in Scene.limit_holds */
} SceneRows;

/* Pose of an attached body relative to its carrier. */
typedef struct SceneHeld {
    Vec3 anchor;   /* m, its origin in axes of the carrier */
    Quat relative; /* to the carrier */
    Vec3 rest;     /* m, for the first attachment of a body: offset from the weighted positions of its carriers */
} SceneHeld;

struct Scene {
    const Model *model;
    SceneDef def;
    Arena memory;  /* of the arrays */
    Arena scratch; /* of a step; its first block stays */
    Arena spare[2]; /* memory of equations that are free (scene_system.h) */
    ModelMotion motion;
    int is_set;    /* the motion is that of q, v and a */
    Integrator integrator;
    double time;
    double *q, *v, *a, *control;
    Vec3 *error_sum; /* [controller] time integral of the error, rad s or m s; hinges, slides and angles in x */
    double *q_before, *v_before;      /* at the beginning of the step */
    double *rolling_height; /* [rolling] m, of a wheel's lowest point along its normal */
    double *body_inverse, *speed_inverse; /* [body] 1/kg and [v]: scene_softness.h */
    double *mass, *inertia, *bias;    /* [v][v] or its factor, [v] its diagonal, [v] */
    int has_mass;                     /* 1: mass is that of q */
    int *mass_last;                   /* [v] last column of each row of the factor */
    double h, kick;  /* s: size of the step, or its present part; time over which its forces act */
    int kicks_twice; /* half of the forces act at its beginning and half at its end (SCENE_VARIATIONAL) */
    int damps_ahead; /* damping of joints and drives uses the speeds at the end of the step (scene_damp_ahead) */
    double *probe_q, *probe_v, *rate, *probe_a; /* scratch of the differences */
    ModelLoads loads;                 /* [body] */
    ModelLoads applied;               /* [body] at the COM, for one step */
    ModelLoads held_springs;          /* [body] of springs and tendons, about the body's origin */
    int holds_springs;                /* 1: these act instead of the springs */
    SpringBlocks spring_blocks;       /* analytic Jacobians, for the implicit integrators */
    ModelLoads on_way;                /* [body] linear and angular momentum, about the COM, over the last step */
    char *waits;                      /* [body] */
    double *given_from, *given_to, *given_speed; /* [given] positions at the step's beginning and end, speed at its
                                                    end */
    double *given_force; /* [given] */
    int parts;           /* overlaps are being corrected: driven joints stay */
    double given_share; /* fraction of the step at the end of its present part */
    Vec3 *contact_force, *contact_moment; /* [body] of the last step */
    Vec3 *equality_force, *equality_couple; /* [equality, then attachment, then path, then rolling] */
    double *row_now;          /* [v] impulses of limits and dry friction, of the last solve */
    double *row_impulse;      /* [v] the same over the last step */
    double *equality_impulse; /* [v] of equalities, attachments, paths, given joints and rolling, over the last step */
    double *drive_impulse;    /* [v] the part of paths and given joints */
    SceneHeld *held;          /* [attachment] */
    int *component;           /* [component_count] first attachment of each attached body, in the order of 0.18 */
    int component_count;
    int *follower, *follower_row; /* [follower_count] dependent speeds of attached bodies, and the row of each */
    int follower_count;
    int has_noted; /* the holding forces of this step are known */
    ScenePair *pair;
    int pair_count;
    SceneGeom *geom; /* [geom] */
    SceneContacts contacts; /* that may close within the step */
    SceneContacts near;     /* apart, and not closing at the speeds at its beginning */
    SceneRows rows;
    int start_count, start_room;
    double *start; /* [start_count] impulses of the last problem: warm start */
    SceneContactState *contact_state; /* [contact_state_count] in the order of the contacts */
    int contact_state_count, contact_state_room;
    struct SceneSystem *kept; /* equations of the speeds at q */
    int has_kept;             /* 1: these serve the next step */
    LcpSolver lcp;
    UnsettledSweeps unsettled;
    SceneSolves solves;
    char *limit_holds; /* [side of a joint, then side of an angle] 1: the limit held during the step */
    int lost;        /* body of the speed at which the mass matrix was singular; 0: none */
    int constrained; /* number of constrained solves in this step */
    Status status;   /* of a callback, which the integrator cannot return */
    Error why;       /* of the present step */
    Error *err;
};

/* Number of equalities, attachments, paths and rolling constraints. */
static inline int scene_constraint_count(const Scene *s)
{
    return s->model->equality_count + s->def.attachment_count + s->def.path_count +
           s->def.rolling_count;
}

/* Sets driven joints to the present position and speed of their paths. */
void scene_follow_paths(Scene *s);

/* Adds k times the joint and drive damping of each speed to the diagonal of the mass matrix, with k the time over which
 * forces act: (M + h D) dv = h f(v) is symplectic Euler with damping at the end of the step (0.9.2 with the diagonal of
 * df/dv alone), which is stable on light bodies. Does nothing unless damps_ahead. */
void scene_damp_ahead(Scene *s);

/* Adds the errors of drives with an integral gain to their time integrals. */
void scene_sum_errors(Scene *s);

/* Accelerations by forces without constraints at (q, v); factorises the mass matrix. */
void scene_acceleration(Scene *s, const double *q, const double *v, double *a);

/* Applied forces on the speeds at (q, v), without inertial forces. */
void scene_applied_forces(Scene *s, const double *q, const double *v, double *force);

/* Parts of these, with the loads on bodies in s->loads: actuators and drives of joints; tables, of joints in force;
 * springs and tendons; particles. */
void scene_add_actuators(const Scene *s, const double *q, const double *v, double *force);
void scene_add_driven(const Scene *s, double time, double *force);
void scene_add_springs(Scene *s);
void scene_add_particles(Scene *s);

/* Residual forces at (q, v) with accelerations a; zero for those of scene_acceleration. With the mass matrix of the
 * last scene_acceleration, da = M^-1 d(residual) for any change of q or v. */
void scene_rest_forces(Scene *s, const double *q, const double *v, const double *a, double *force);

/* Derivatives of scene_acceleration at (q, v) by a small displacement in each speed (NULL: skipped) and by each speed,
 * both [v][v]. Springs and tendons use analytic Jacobians (docs/sources.md, notes 0.12 to 0.14, 0.22), everything else
 * central differences with constant spring wrenches. In scratch memory. */
void scene_differentiate(Scene *s, const double *q, const double *v, double *by_position, double *by_velocity);

/* Registers the pairs of bodies that springs and tendons join. */
Status scene_join_springs(Scene *s, Error *err);

/* Jacobians of springs and tendons at the motion, and their wrenches, which then act instead of the springs
 * (holds_springs). */
void scene_differentiate_springs(Scene *s);

/* Couples particles to an implicit step of h: adds their springs to the matrix [v][v] of speed changes and to the
 * accelerations on its right side, with the mass matrix of the last acceleration. scene_finish_particles completes
 * their step with the solved speeds. */
void scene_couple_particles(Scene *s, double h, double theta, double *matrix, double *acceleration);
void scene_finish_particles(Scene *s);

/* Lists the pairs of geoms that may collide. */
Status scene_find_pairs(Scene *s, Error *err);

/* Finds the contacts that may close at q, with the velocities at the beginning of the step. */
Status scene_find_contacts(Scene *s, const double *q, const ContactRule *rule, Error *err);

/* Adds the near contacts that the speeds v at q would overlap within `ahead`: impacts of other contacts can cause these
 * speeds. *added: their number. */
Status scene_add_closing(Scene *s, const double *q, const double *v, double ahead, int *added, Error *err);

/* Adds the impulses of the contacts to their forces over the step. */
void scene_record_contacts(Scene *s);

/* Projects v onto what limits, contacts and equalities allow at q. *held: whether any of them acts. */
Status scene_constrain(Scene *s, const double *q, const ContactRule *rule, double *v, int *held, Error *err);

#endif
