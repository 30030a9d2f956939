/* The inside of a World, shared by the files that make it, step it and find its contacts. */
#ifndef KANE_SIM_WORLD_STATE_H
#define KANE_SIM_WORLD_STATE_H

#include "analysis/base/arena.h"
#include "analysis/sim/contact_rows.h"
#include "analysis/sim/joint_tree.h"
#include "analysis/sim/springs.h"
#include "analysis/sim/world_def.h"
#include "analysis/solve/anderson.h"
#include "analysis/solve/mixed_lcp.h"

/* In the tree body 0 is the frame that the root hangs on; body b of the world is number b + 1. */
#define FRAME_BODIES 1

typedef struct WorldJoint {
    JointKind kind;
    int parent;         /* -1: the world's frame */
    Vec3 parent_anchor; /* m, from the parent's COM, its axes */
    Vec3 child_anchor;  /* m, from the child's COM, its axes */
    Vec3 axis;          /* of a hinge, in the child's axes */
    Vec3 parent_axis;   /* the same in the parent's */
    Quat held;          /* of a fixed joint: child to parent */
    int limited;
    AngleLimits limits;
    JointSoftness softness;
    Vec3 torque;        /* Nm, for the next step */
    Vec3 force, moment; /* of the last step */
} WorldJoint;

typedef struct Capsule {
    int body;
    Vec3 from, to; /* m, from the COM, body axes */
    double radius;
} Capsule;

typedef struct GroundPoint {
    int body;
    Vec3 point; /* m, from the COM, body axes */
} GroundPoint;

typedef struct Frame {
    Vec3 position;
    Quat orientation;
    Vec3 velocity, angular_velocity;
} Frame;

/* What a kick does about contacts: how far ahead it looks, and whether fast ones bounce. */
typedef struct ContactPhase {
    double ahead; /* s; 0: the pose is that of the step's end */
    int bounce;
} ContactPhase;

struct World {
    WorldDef def;
    Arena memory; /* of the arrays [joint] and [body] */
    Arena system; /* of the arrays that are as large as the tree's system */
    double time;
    UnsettledSweeps unsettled;
    int joint_count, body_count;
    WorldJoint *joint;   /* [joint] */
    Vec3 *rest_offset;   /* [joint] m, joint centre from the parent's joint centre, parent axes */
    RigidBody *body;     /* [body] */
    RigidBody *origin;   /* [body] as the step found them */
    RigidBody *start;    /* [body] as the attempt at it, or at a part of it, found them */
    Vec3 *middle;        /* [body] rad/s, angular velocities in the middle of the step */
    double *radius;      /* [body] of balls, 0: a segment */
    Vec3 *force;         /* [body] N, for the next step */
    Vec3 *couple;        /* [body] Nm, about the COM, for the next step */
    Vec3 *contact_force; /* [body] N, of the last step */
    Vec3 *contact_impulse; /* [body] Ns, of the attempt */
    Vec3 *load, *moment; /* [body] of this evaluation: all forces and couples about the COM */
    Frame frame, frame_target;
    const Springs *springs; /* not owned; NULL: none */
    Vec3 *spring_row;       /* [5][joint] position, velocity, angular velocity, force, moment; of the joints */
    Quat *spring_turn;      /* [joint] */
    Capsule *capsule;
    int capsule_count;
    GroundPoint *point;
    int point_count;
    JointTree tree;
    double *right_side;  /* [6 (bodies + 1) + rows] */
    double *solution;    /* the same */
    double *impulse;     /* [rows] of the joints, summed over a step */
    Anderson closing;    /* of the impulses that close the joints at a step's end */
    double *closing_impulse, *closing_change; /* [rows] their sum so far, and a step of it */
    UnilateralRows rows;
    int *slot;           /* [body + 1] place of a body of the tree among those touched, -1: none */
    int *touched;        /* [touched_count] bodies of the tree that contacts or limits act on */
    int touched_count;
    char *holds_touched; /* [body + 1] a touched body, or one that a touched body hangs on */
    int has_mobility;
    double *mobility;    /* [6 touched][6 touched] velocities of the touched bodies by impulses on them */
    size_t mobility_room; /* numbers */
    ContactPair *contact; /* first and second are places among the touched */
    int contact_count, contact_room;
    int limit_row_count;
    ContactPhase phase;  /* that the contacts were found for */
    double *z;           /* [complementary rows] */
    int z_count, z_room; /* of the last problem, of the array */
    MixedLcpSolver lcp;
};

/* Contacts that close within phase->ahead, and the rows of contacts and limits. */
Status world_find_contacts(World *w, const ContactPhase *phase, Error *err);

/* Counts the rows of limits that are nearer than what their joints may turn within phase->ahead; with `write`, writes
 * them as the first of w->rows. */
int world_put_limits(World *w, const ContactPhase *phase, int write);

/* Velocities, joint impulses and contact impulses that satisfy joints, contacts and limits: right_side to solution.
 * The tree is factored. Contact impulses are added to contact_impulse. */
Status world_solve(World *w, Error *err);

#endif
