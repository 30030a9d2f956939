/* Kane's equations of a clip in one frame, numerically (thesis 3.2 to 3.6): partial velocities, F_r, F*_r, M and E.
 *
 * The generalised speeds u (3.8) can be those of (3.29) plus the velocities of translating joints, relative angular
 * velocities, the rates of the clip's degrees of freedom, or linear forms of these defined by the user. Fixed frames
 * have no speeds, such as the root of a scene that has no degrees of freedom. */
#ifndef KANE_MODEL_EQUATIONS_H
#define KANE_MODEL_EQUATIONS_H

#include "analysis/clip/clip.h"
#include "analysis/dynamics/kane_method.h"

enum { EQUATION_PARTS = 5 };

typedef enum SpeedKind {
    SPEEDS_ABSOLUTE, /* (3.29): root velocity and angular velocities, world axes; JOINT_vx, JOINT_wx */
    SPEEDS_RELATIVE, /* angular velocities relative to the parent, world axes */
    SPEEDS_DOF       /* rates of the degrees of freedom, with their names */
} SpeedKind;

enum { SPEED_NAME_SIZE = 96 };
typedef char SpeedName[SPEED_NAME_SIZE];

/* User-defined speeds: `count` new speeds replace as many old ones, each a linear form of these. */
typedef struct SpeedForms {
    int count;
    SpeedName *name;     /* [count] of the new */
    int *of;             /* [count] the old speeds that they replace */
    double *coefficient; /* [count][count] new by old */
} SpeedForms;

typedef struct Equations {
    int speed_count;
    SpeedName *name;  /* [speed] */
    int *joint;       /* [speed] the joint whose segment it moves first; -1: user-defined */
    int *axis;        /* [speed] 0 to 2: about or along this world axis; -1: another axis */
    int *is_rotation; /* [speed] 1: an angular velocity */
    double *speed;    /* [speed] u */
    double *rate;     /* [speed] u' */
    double *armature; /* [speed][speed] armature of the degrees of freedom; part of M */
    double *active;   /* [speed] F_r (3.18) */
    double *inertia;  /* [speed] F*_r (3.19) */
    double *torque;   /* [speed] T: the part of F_r from joint torques and the root's residual */
    int has_parts;    /* 1: a simulated scene in rates of its degrees of freedom, with the forces of its solver: */
    double *part[EQUATION_PARTS]; /* [speed] by origin: actuator, passive, applied, constraint, contact */
    double *solver_excess; /* [speed] their sum less T and the contacts in E: what the solver's forces are more than the
                              motion needs */
    double *rest;     /* [speed] E: the other forces of F_r, plus F*_r at zero rates (3.22) */
    double *mass;     /* [speed][speed] M (3.21) */
    KaneSystem system; /* partial velocities (3.36), (3.37) of these speeds */
    Arena memory;
} Equations;

/* Sets speeds, their rates and partial velocities of a frame. The clip has body, kinematics and dynamics.
 * STATUS_BAD_INPUT for SPEEDS_DOF if it has no degrees of freedom with velocities. */
Status equations_init(Equations *e, const Clip *clip, SpeedKind kind, int frame, Error *err);
void equations_free(Equations *e);

/* Replaces speeds by user-defined ones. STATUS_BAD_INPUT if these do not determine the replaced ones. */
Status equations_choose(Equations *e, const SpeedForms *forms, Error *err);

/* Fills forces and M from the stored torques and the loads on the bodies, as inverse dynamics applies them. */
Status equations_solve(Equations *e, const Clip *clip, const Loads *loads, int load_count, int frame, Error *err);

/* (M u')_r */
double equations_moved(const Equations *e, int r);

/* Gravity of a scene, which the clip does not store, from the balance of forces on the whole system in a frame. */
Vec3 equations_gravity(const Equations *e, const Clip *clip, const Loads *loads, int load_count, int frame);

/* Largest residual of F_r + F*_r = 0 and of T = M u' - E over the speeds, the largest T, and the largest excess of the
 * solver. */
typedef struct EquationsCheck {
    double force, torque, largest, solver;
} EquationsCheck;
EquationsCheck equations_check(const Equations *e);

#endif
