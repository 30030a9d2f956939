/* What a scene is made of beside its model: options, drives, controllers and attachments; what parts its overlaps. */
#ifndef KANE_SIM_SCENE_DEF_H
#define KANE_SIM_SCENE_DEF_H

#include "analysis/sim/joint.h"
#include "analysis/sim/particles.h"
#include "analysis/sim/scene_path.h"
#include "analysis/sim/scene_step.h"
#include "analysis/sim/springs.h"

typedef enum FrictionModel {
    FRICTION_CONE,         /* Anitescu-Stewart cone (0.10), pivoting */
    FRICTION_BOX,          /* box with bounds from a frictionless solve (0.10), pivoting */
    FRICTION_GAUSS_SEIDEL, /* the friction step of 0.16: fast, rough */
    FRICTION_MODEL_COUNT
} FrictionModel;

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

/* What a drive acts on: the coordinate of a hinge or slide, or of a ball one of its angles (notes 0.4) or its whole
 * rotation. */
typedef enum SceneDriven { DRIVEN_COORDINATE, DRIVEN_ROLL, DRIVEN_PITCH, DRIVEN_YAW, DRIVEN_ROTATION } SceneDriven;

/* A drive of a joint: stiffness (target - x) - damping x' + integral times the sum of target - x over time. Of an angle
 * of a ball the torque acts along its row of (0.2), the shorter way round; of the whole rotation it acts about the axis
 * of what is left of it. */
typedef struct SceneController {
    int joint;
    double stiffness, damping;
    double target; /* rad or m */
    SceneDriven driven;
    double integral, integral_max; /* the latter bounds the sum, rad s or m s */
    Quat rotation; /* target of DRIVEN_ROTATION: of the ball from the file's configuration */
} SceneController;

/* A body that another carries as it lies at the start (docs/sources.md, notes 0.17 to 0.20): its mass joins that of its
 * carrier, which may be attached itself, and nothing gives way or drifts. */
typedef struct SceneAttachment {
    int body;
    int to;        /* 0: the world */
    int turns;     /* 1: only the origin of its frame is held; 0: rigid */
    double weight; /* of several carriers of one body, each with turns: v = sum of weights times their velocities at its
                      origin (0.18); 0: 1 */
} SceneAttachment;

/* Momenta are kept (scene_momentum.h). */
#define SCENE_VARIATIONAL INTEGRATOR_KIND_COUNT

/* Limits of a ball joint by roll, pitch and yaw: of its turn from the file's configuration where the frames are the
 * body's at rest and none. */
typedef struct SceneAngleLimits {
    int joint;  /* a ball; or a free joint, of a body that rows alone hold to another one */
    int parent; /* of a free joint: that body */
    AngleLimits limits;
} SceneAngleLimits;

/* What gives way (docs/sources.md, notes 0.11), instead of what the file or SceneDef.softness says. */
typedef enum SceneSoftPart { SOFT_EQUALITY, SOFT_LIMIT, SOFT_GEOM, SOFT_BODY } SceneSoftPart;

typedef struct SceneCompliance {
    SceneSoftPart part;
    int index;  /* equality, joint; of contacts a geom or body */
    int other;  /* of contacts: the other geom or body; -1: any. Two parts that name no other are in series. */
    int axis;   /* -1: all rows. Of an equality x y z, then turns, in axes of the first body; of a ball's limit roll,
                   pitch, yaw */
    double compliance; /* alpha: m/N, rad/(Nm) */
    double time;       /* beta, s */
} SceneCompliance;

/* An equality on speeds: scene_rolling.h. */
typedef enum SceneRollingKind { ROLLING_EDGE, ROLLING_WHEEL } SceneRollingKind;

typedef struct SceneRolling {
    SceneRollingKind kind;
    int body;
    Vec3 point;    /* m, axes of the body: of a wheel its centre */
    Vec3 axis;     /* the direction that an edge does not slide along; the axle */
    double radius; /* m, of a wheel */
    Vec3 normal;   /* of the plane under a wheel; zero: against gravity */
} SceneRolling;

/* SCENE_VARIATIONAL. */
#define SCENE_INTEGRATOR_AUTO (INTEGRATOR_KIND_COUNT + 1)

typedef struct SceneDef {
    double step;                  /* s; default that of the model, where this is 0; a part of it for particles */
    IntegratorKind integrator;    /* default SCENE_INTEGRATOR_AUTO */
    int kicks_once;               /* 1: forces act at the beginning of a step, for laws of controllers; default 0: half
                                     of them at its end where nothing can collide (SCENE_VARIATIONAL) */
    FrictionModel friction_model; /* default FRICTION_CONE; FRICTION_GAUSS_SEIDEL: sweeps in place of pivoting */
    int exact;                    /* 1: all islands of contacts are solved exactly; default 0: large ones whose pivots
                                     run out by sweeps */
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
    const SceneAngleLimits *angle_limits; /* [angle_limit_count] outlive the scene */
    int angle_limit_count;
    const SceneCompliance *compliance; /* [compliance_count] outlive the scene */
    int compliance_count;
    const SceneRolling *rolling; /* [rolling_count] outlive the scene */
    int rolling_count;
    const int *given; /* [given_count] hinges and slides that are driven along a path (scene_give); outlive the scene */
    int given_count;
    const ScenePath *path; /* [path_count] of hinges, slides and free bodies that are driven; outlive the scene */
    int path_count;
    Particles *particles; /* moved by the scene, outlive it; NULL: none */
} SceneDef;

typedef struct Scene Scene;

/* What solving limits and contacts took so far, over all islands: bodies that these join, at one instant. */
typedef struct SceneSolves {
    double islands; /* solved */
    double pivots;  /* of them together */
    double by_rows; /* solved by Lemke's method: their pivots ran out */
    double swept;   /* approximated by Gauss-Seidel: the same, and they are large */
} SceneSolves;

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

#endif
