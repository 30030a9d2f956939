/* Definition of a scene beside its model: options, paths, integrators, drives, controllers and attachments; and the
 * report on overlaps. */
#ifndef KANE_SIM_SCENE_DEF_H
#define KANE_SIM_SCENE_DEF_H

#include "analysis/sim/integrator.h"
#include "analysis/sim/joint_rows.h"
#include "analysis/sim/particles.h"
#include "analysis/sim/scene_path.h"
#include "analysis/springs/springs.h"

typedef enum FrictionModel {
    FRICTION_CONE,         /* Anitescu-Stewart cone (0.10), pivoting */
    FRICTION_BOX,          /* box with bounds from a frictionless solve (0.10), pivoting */
    FRICTION_GAUSS_SEIDEL, /* Gauss-Seidel with the friction step of 0.16: fast, approximate */
    FRICTION_MODEL_COUNT
} FrictionModel;

/* A wrench on a body, or a force on a joint, as a table over time: linear between rows, zero outside. */
typedef struct SceneDrive {
    int body;     /* -1: acts on a joint */
    int joint;    /* hinge or slide; -1: acts on a body */
    int row_count;
    double *time; /* [row] s, increasing */
    Vec3 *force;  /* [row] N, model axes; of a joint: x is N m or N */
    Vec3 *moment; /* [row] N m, about the world's origin */
} SceneDrive;

/* Variable of a drive: the coordinate of a hinge or slide; of a ball one of its angles (notes 0.4) or its whole
 * rotation. */
typedef enum SceneDriven { DRIVEN_COORDINATE, DRIVEN_ROLL, DRIVEN_PITCH, DRIVEN_YAW, DRIVEN_ROTATION } SceneDriven;

/* A PID drive of a joint: stiffness (target - x) - damping x' + integral times the time integral of target - x. For an
 * angle of a ball the torque acts along its row of (0.2), the shorter way round; for the whole rotation it acts about
 * the axis of the remaining rotation. */
typedef struct SceneController {
    int joint;
    double stiffness, damping;
    double target; /* rad or m */
    SceneDriven driven;
    double integral, integral_max; /* the last one bounds the time integral, rad s or m s */
    Quat rotation; /* target of DRIVEN_ROTATION, relative to the file's configuration */
} SceneController;

/* A body attached to another one in its initial pose (docs/sources.md, notes 0.17 to 0.20). Its mass joins that of its
 * carrier, which may be attached itself; the attachment neither yields nor drifts. */
typedef struct SceneAttachment {
    int body;
    int to;        /* 0: the world */
    int turns;     /* 1: only the origin of its frame is attached; 0: rigid */
    double weight; /* weight among several carriers of one body: v = sum of weights times their velocities at its
                      origin (0.18); 0 means 1 */
} SceneAttachment;

/* Conserves momenta (scene_system.h). */
#define SCENE_VARIATIONAL INTEGRATOR_KIND_COUNT

/* Limits of a ball joint by roll, pitch and yaw, relative to the file's configuration unless the frames say
 * otherwise. */
typedef struct SceneAngleLimits {
    int joint;  /* a ball; or the free joint of a body that only constraint rows hold to another one */
    int parent; /* of a free joint: that other body */
    AngleLimits limits;
} SceneAngleLimits;

/* Compliance of a constraint (docs/sources.md, notes 0.11); overrides the file and SceneDef.softness. */
typedef enum SceneSoftPart { SOFT_EQUALITY, SOFT_LIMIT, SOFT_GEOM, SOFT_BODY } SceneSoftPart;

typedef struct SceneCompliance {
    SceneSoftPart part;
    int index;  /* equality or joint; of contacts a geom or body */
    int other;  /* of contacts: the other geom or body; -1: any. Two entries that name no other act in series. */
    int axis;   /* -1: all rows. Of an equality x y z, then rotations, in axes of the first body; of a ball's limit
                   roll, pitch, yaw */
    double compliance; /* alpha: m/N, rad/(N m) */
    double time;       /* beta, s */
} SceneCompliance;

/* A nonholonomic equality on speeds (scene_rolling.h). */
typedef enum SceneRollingKind { ROLLING_EDGE, ROLLING_WHEEL } SceneRollingKind;

typedef struct SceneRolling {
    SceneRollingKind kind;
    int body;
    Vec3 point;    /* m, body axes; of a wheel its centre */
    Vec3 axis;     /* direction in which an edge does not slide; axle of a wheel */
    double radius; /* m, of a wheel */
    Vec3 normal;   /* normal of the plane under a wheel; zero: opposite to gravity */
} SceneRolling;

/* SCENE_VARIATIONAL. */
#define SCENE_INTEGRATOR_AUTO (INTEGRATOR_KIND_COUNT + 1)

typedef struct SceneDef {
    double step;                  /* s; default that of the model if this is 0; substeps of it for particles */
    IntegratorKind integrator;    /* default SCENE_INTEGRATOR_AUTO */
    int kicks_once;               /* 1: forces act at the beginning of a step, as control laws require; default 0:
                                     half of them at its end if nothing can collide (SCENE_VARIATIONAL) */
    FrictionModel friction_model; /* default FRICTION_CONE; FRICTION_GAUSS_SEIDEL: sweeps instead of pivoting */
    int exact;                    /* 1: all islands of contacts are solved exactly; default 0: large ones that exceed
                                     their pivots by Gauss-Seidel */
    double friction;              /* of all contacts; negative (default): that of the geoms */
    double restitution;           /* default 0 */
    double restitution_speed;     /* m/s, below which nothing bounces; default 0.01 */
    double softness;              /* m/N, compliance of contacts (0.11); default 0: rigid */
    double softness_damping;      /* s, beta of (0.7); default 0 */
    double damping_ratio;         /* damping ratio of position drives; 0 (default): as the model says */
    const Springs *springs;       /* act on bodies, or on joints; must outlive the scene; NULL: none */
    const SceneDrive *drive;      /* [drive_count] must outlive the scene */
    int drive_count;
    const SceneController *controller; /* [controller_count] must outlive the scene */
    int controller_count;
    const SceneAttachment *attachment; /* [attachment_count] must outlive the scene */
    int attachment_count;
    const SceneAngleLimits *angle_limits; /* [angle_limit_count] must outlive the scene */
    int angle_limit_count;
    const SceneCompliance *compliance; /* [compliance_count] must outlive the scene */
    int compliance_count;
    const SceneRolling *rolling; /* [rolling_count] must outlive the scene */
    int rolling_count;
    const int *given; /* [given_count] hinges and slides driven along a path (scene_give); must outlive the scene */
    int given_count;
    const ScenePath *path; /* [path_count] driven hinges, slides and free bodies; must outlive the scene */
    int path_count;
    Particles *particles; /* moved by the scene, must outlive it; NULL: none */
} SceneDef;

typedef struct Scene Scene;

/* Counts of the solves of limits and contacts so far, over all islands. An island is a set of bodies joined by them at
 * one instant. */
typedef struct SceneSolves {
    double islands; /* islands solved */
    double pivots;  /* pivots of these */
    double by_rows; /* solved by Lemke's method after the pivot limit */
    double swept;   /* approximated by Gauss-Seidel after the pivot limit, being large */
} SceneSolves;

/* Initial overlaps of more than CONTACT_SLOP, joints more than 1e-6 rad or m beyond their ranges, and what remains of
 * both after the correction. */
typedef struct SceneOverlap {
    int count;            /* contacts */
    int first, second;    /* bodies of the deepest one; 0: the world */
    double deepest, left; /* m, before and after */
    int limit_count;      /* joints beyond their ranges */
    int joint;            /* the one farthest beyond its range */
    double beyond, beyond_left; /* rad or m, before and after */
} SceneOverlap;

#endif
