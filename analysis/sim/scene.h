/* A scene that moves: a Model under gravity, drives, springs, contacts and constraints, in its own coordinates.
 *
 * The speeds are Kane's generalised speeds of the model's joints, so that joints cannot drift and axes, slides,
 * armatures and couplings need no rows; M v' = M v + h f + G' lambda + N' z with the rows of connects, welds and
 * couplings in G (docs/sources.md, notes 0.6) and those of limits and contacts in N (0.7, 0.10). Steps are those of
 * integrator.h, all four, with the Jacobians of the acceleration by differences. Dense: O(speeds^3) a step. Bodies in
 * maximal coordinates under spherical joints, in linear time, are a World (world.h).
 *
 * Axes of the model, SI. */
#ifndef KANE_SIM_SCENE_H
#define KANE_SIM_SCENE_H

#include "analysis/model/model_motion.h"
#include "analysis/sim/integrator.h"
#include "analysis/sim/particles.h"
#include "analysis/sim/springs.h"
#include "analysis/sim/world.h"

/* A wrench on a body, or a force on a joint, over time: straight lines between rows; before the first and behind the
 * last there is none. */
typedef struct SceneDrive {
    int body;     /* -1: of a joint */
    int joint;    /* hinge or slide; -1: of a body */
    int row_count;
    double *time; /* [row] s, growing */
    Vec3 *force;  /* [row] N, axes of the model; of a joint: x is Nm or N */
    Vec3 *moment; /* [row] Nm, about the world's origin */
} SceneDrive;

/* A drive of a hinge or slide: stiffness (target - q) - damping q'. */
typedef struct SceneController {
    int joint;
    double stiffness, damping, target;
} SceneController;

/* A body that another carries as it lies at the start (docs/sources.md, notes 0.17 to 0.20): its mass joins that of its
 * carrier, which may be attached itself, and nothing gives way or drifts. */
typedef struct SceneAttachment {
    int body;  /* on a free joint; of a point also on three slides */
    int to;    /* 0: the world */
    int turns; /* 1: only the origin of its frame is held; 0: rigid */
} SceneAttachment;

/* Bridson-Marino where bodies move freely, up to limits of their joints, and its Jacobians are cheap. Else symplectic
 * Euler, with the damping of joints and drives at the end of the step: contacts are of first order in any case, and
 * that is the steadier; equalities and attachments close at the step's end under it, and keep their energy; particles
 * take no other steps. */
#define SCENE_INTEGRATOR_AUTO INTEGRATOR_KIND_COUNT

typedef struct SceneDef {
    double step;                  /* s; default that of the model, where this is 0; a part of it for particles */
    IntegratorKind integrator;    /* default SCENE_INTEGRATOR_AUTO */
    FrictionModel friction_model; /* default FRICTION_CONE; FRICTION_GAUSS_SEIDEL: sweeps in place of pivoting */
    double friction;              /* of all contacts; negative (default): that of the geoms */
    double restitution;           /* default 0 */
    double restitution_speed;     /* m/s, below which nothing bounces; default 0.01 */
    double softness;              /* m/N that a contact gives way (0.11); default 0: it is hard */
    double softness_damping;      /* s, beta of (0.7); default 0 */
    double damping_ratio;         /* of position drives; 0 (default): as the model says */
    const Springs *springs;       /* body for joint; outlive the scene; NULL: none */
    const SceneDrive *drive;      /* [drive_count] outlive the scene */
    int drive_count;
    const SceneController *controller; /* [controller_count] outlive the scene */
    int controller_count;
    const SceneAttachment *attachment; /* [attachment_count] outlive the scene */
    int attachment_count;
    Particles *particles; /* moved by the scene, outlive it; NULL: none */
} SceneDef;

SceneDef scene_default_def(void);

typedef struct Scene Scene;

/* At rest in the model's reference configuration; the model outlives the scene. STATUS_BAD_INPUT naming the joint that
 * nothing resists. */
Status scene_create(const Model *model, const SceneDef *def, Scene **out, Error *err);
void scene_destroy(Scene *s);

/* Coordinates, speeds and controls, each NULL: as they are. Attached bodies are held as they lie then. */
void scene_set_state(Scene *s, const double *q, const double *v, const double *control);

/* Whether the geom may collide with another: by their bits, bodies and the pairs that are excluded. */
int scene_meets_any(const Model *model, int geom);

/* Pairs of geoms that would collide, one of them of this shape, were there a way to find where their shapes meet:
 * cylinders and ellipsoids meet planes alone. *example: the first such geom of the shape. */
int scene_unmet_pairs(const Model *model, ModelShape shape, int *example);

/* What there is in a scene for options to act on. */
typedef struct SceneFeatures {
    int collides; /* some geoms may meet */
    int rubs;     /* with friction */
    int limits;   /* some joint has limits */
    int drives;   /* some joint has a drive of positions */
    int moves;    /* bodies have speeds, or there are particles */
} SceneFeatures;
SceneFeatures scene_features(const Scene *s);

/* `body "bob"`, or `body 3` where it has no name, in text; returns text. */
const char *scene_body_name(const Model *m, int body, char *text, size_t size);

/* What overlapped by more than CONTACT_SLOP, which joints were beyond their ranges by more than 1e-6 rad or m, and how
 * both were parted. */
typedef struct SceneOverlap {
    int count;            /* contacts */
    int first, second;    /* bodies of the deepest; 0: the world */
    double deepest, left; /* m, before and after */
    int limit_count;      /* joints beyond their ranges */
    int joint;            /* the farthest */
    double beyond, beyond_left; /* rad or m, before and after */
} SceneOverlap;

/* Moves the bodies apart where they overlap, and joints into their ranges, by the least motion in the metric of the
 * mass that equalities allow, and leaves the speeds. To be called before the first step: within steps overlap is pushed
 * out with speed. Where contacts give way (SceneDef.softness) overlap is theirs: it is only reported. */
Status scene_part_overlaps(Scene *s, SceneOverlap *out, Error *err);

/* STATUS_NO_RESULT where the scene flies apart, naming body, time and reason: it is then as it was. */
Status scene_step(Scene *s, Error *err);

/* Solves of contacts and limits by sweeps that did not settle. */
const UnsettledSweeps *scene_unsettled(const Scene *s);

double scene_time(const Scene *s);
double scene_step_size(const Scene *s);
const double *scene_q(const Scene *s);
const double *scene_v(const Scene *s);

/* Mean acceleration of the last step, [v_count]. */
const double *scene_a(const Scene *s);

/* Poses and velocities as they are, and accelerations as scene_a; valid until the next step. */
const ModelMotion *scene_motion(Scene *s);

/* Sums over the last step: contact force on a body, and its moment about the world's origin. */
Vec3 scene_contact_force(const Scene *s, int body);
Vec3 scene_contact_moment(const Scene *s, int body);

/* Force of connect or weld number i on its second body during the last step, N, and its couple, Nm (of a coupling: the
 * force on its first joint in x). Behind the model's equalities: of the attachments, on the attached body, about the
 * origin of its frame. */
Vec3 scene_equality_force(const Scene *s, int equality);
Vec3 scene_equality_couple(const Scene *s, int equality);

typedef struct SceneEnergy {
    double kinetic, potential, springs; /* J: of motion; of gravity and joint springs; of springs, bushings,
                                           tendons and particles */
} SceneEnergy;
SceneEnergy scene_energy(Scene *s);

#endif
