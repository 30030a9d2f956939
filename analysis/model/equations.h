/* Kane's equations of a clip at one frame, in numbers (thesis 3.2 to 3.6): partial velocities, F_r, F*_r, M and E.
 *
 * Generalised speeds u (3.8) are chosen: (3.29) with the velocities of joints that translate, relative angular
 * velocities, the rates of the clip's degrees of freedom, or linear forms of those that a user names. Frames that do
 * not move have no speeds: of a scene whose root has no degrees of freedom, the root's. */
#ifndef KANE_MODEL_EQUATIONS_H
#define KANE_MODEL_EQUATIONS_H

#include "analysis/clip/clip.h"
#include "analysis/dynamics/kane_method.h"

typedef enum SpeedKind {
    SPEEDS_ABSOLUTE, /* (3.29): root velocity and angular velocities, world components; JOINT_vx, JOINT_wx */
    SPEEDS_RELATIVE, /* angular velocities as the parent sees them, world components */
    SPEEDS_DOF       /* rates of the degrees of freedom, by their names */
} SpeedKind;

enum { SPEED_NAME_SIZE = 96 };
typedef char SpeedName[SPEED_NAME_SIZE];

/* A user's speeds: `count` new ones in place of as many old, each a sum of coefficient times old speed. */
typedef struct SpeedForms {
    int count;
    SpeedName *name;     /* [count] of the new */
    int *of;             /* [count] the old that they replace */
    double *coefficient; /* [count][count] new by old */
} SpeedForms;

typedef struct Equations {
    int speed_count;
    SpeedName *name;  /* [speed] */
    int *joint;       /* [speed] joint whose segment moves with it first; -1: of a user's speed */
    int *axis;        /* [speed] 0 to 2: about or along this axis of the world; -1: another */
    int *turns;       /* [speed] 1: an angular velocity */
    double *speed;    /* [speed] u */
    double *rate;     /* [speed] u' */
    double *armature; /* [speed][speed] of what drives the degrees of freedom; part of M */
    double *active;   /* [speed] F_r (3.18) */
    double *inertia;  /* [speed] F*_r (3.19) */
    double *torque;   /* [speed] T: what the torques of the joints, and the root's residual, are of F_r */
    double *rest;     /* [speed] E: the other forces of F_r, and F*_r while no speed changes (3.22) */
    double *mass;     /* [speed][speed] M (3.21) */
    KaneSystem system; /* partial velocities (3.36), (3.37) of these speeds */
    Arena memory;
} Equations;

/* Speeds, their rates and partial velocities of a frame; STATUS_USAGE for SPEEDS_DOF of a clip without. The clip has
 * body, kinematics and dynamics. */
Status equations_init(Equations *e, const Clip *clip, SpeedKind kind, int frame, Error *err);
void equations_free(Equations *e);

/* Puts a user's speeds in the place of those that they are made of. STATUS_BAD_INPUT where they do not determine
 * them. */
Status equations_choose(Equations *e, const SpeedForms *forms, Error *err);

/* Fills forces and M, with the loads on the bodies, each as inverse dynamics takes them, and the stored torques. */
Status equations_solve(Equations *e, const Clip *clip, const Loads *loads, int load_count, int frame, Error *err);

/* (M u')_r */
double equations_moved(const Equations *e, int r);

/* What is left of F_r + F*_r = 0, and of T = M u' - E, at most over the speeds; and the largest T. */
typedef struct EquationsCheck {
    double force, torque, largest;
} EquationsCheck;
EquationsCheck equations_check(const Equations *e);

#endif
