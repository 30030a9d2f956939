/* What a World is made of: its options, and the softness of a joint. */
#ifndef KANE_SIM_WORLD_DEF_H
#define KANE_SIM_WORLD_DEF_H

#include "analysis/sim/joint.h"
#include "analysis/sim/rigid_body.h"

typedef enum WorldIntegrator { INTEGRATE_SYMPLECTIC_EULER, INTEGRATE_BRIDSON_MARINO } WorldIntegrator;

typedef enum FrictionModel {
    FRICTION_CONE,         /* Anitescu-Stewart cone (0.10), pivoting */
    FRICTION_BOX,          /* box with bounds from a frictionless solve (0.10), pivoting */
    FRICTION_GAUSS_SEIDEL, /* the friction step of 0.16: fast, rough */
    FRICTION_MODEL_COUNT
} FrictionModel;

typedef struct WorldDef {
    Vec3 gravity;               /* m/s2; default (0, -GRAVITY, 0) */
    WorldIntegrator integrator; /* default symplectic Euler */
    JointKind root;             /* how the root hangs on the world; default JOINT_FREE */
    FrictionModel friction_model; /* default FRICTION_CONE */
    double friction;            /* default 0.8 */
    double restitution;         /* of impacts faster than restitution_speed; default 0.3 */
    double restitution_speed;   /* m/s; default 0.2 */
    double ground_height;       /* m, y where the ground meets the y axis; default -INFINITY: no ground */
    Vec3 ground_normal;         /* unit, upwards; default +Y */
} WorldDef;

typedef struct World World;

/* A joint that gives way as springs and dampers do (0.11); zero stiffness: those rows stay hard. */
typedef struct JointSoftness {
    double stiffness, damping;                 /* N/m, Ns/m, of its place */
    double turning_stiffness, turning_damping; /* Nm/rad, Nms/rad, of the directions it holds */
} JointSoftness;

#endif
