/* A model in motion: where its bodies are, how fast and with what acceleration, and what forces that takes.
 *
 * World axes of the model. The motion is Kane's: every body's velocity is a sum of partial velocities times speeds
 * (docs/sources.md, thesis 3.9 to 3.12), and a speed is one dof, a turn about an axis or a slide along one. Forces
 * on speeds are the generalised forces of thesis 3.18. */
#ifndef KANE_MODEL_MODEL_MOTION_H
#define KANE_MODEL_MODEL_MOTION_H

#include "analysis/model/model.h"

typedef struct ModelSpeed {
    int body, joint;
    int before;  /* the next speed on the way to the world; -1: none */
    int turns;   /* 1: about `axis` through `anchor`; 0: along `axis` */
    Vec3 axis;   /* world */
    Vec3 anchor; /* m, world */
} ModelSpeed;

/* A frame on its way through the joints of a body: place, orientation and their rates, in axes that do not move. */
typedef struct ModelFrame {
    Vec3 x, v, omega, a, alpha;
    Quat q;
} ModelFrame;

/* What a joint is at: its coordinates and rates (v, a NULL: zero), and the speeds to describe. */
typedef struct ModelJointState {
    const double *q, *v, *a;
    ModelSpeed *speed;
} ModelJointState;

/* Takes a frame through a joint. */
void model_pass_joint(ModelFrame *f, const ModelJoint *j, const ModelJointState *at);

typedef struct ModelMotion {
    int body_count, speed_count;
    Vec3 *position;             /* [body] m, of the body's frame */
    Quat *orientation;          /* [body] to the world */
    Vec3 *velocity;             /* [body] m/s */
    Vec3 *angular_velocity;     /* [body] rad/s */
    Vec3 *acceleration;         /* [body] m/s2, without gravity */
    Vec3 *angular_acceleration; /* [body] rad/s2 */
    ModelSpeed *speed;          /* [speed] */
    Vec3 *force, *moment;       /* [body] scratch of model_inverse: of the body and all beyond, about the origin */
    double *composite;          /* [body][10] scratch of model_mass */
    Arena memory;
} ModelMotion;

Status model_motion_init(ModelMotion *s, const Model *m, Error *err);
void model_motion_free(ModelMotion *s);

/* Poses, and velocities and accelerations of rates v and a, each [v_count]; NULL: zero. q is [q_count] with unit
 * quaternions. */
void model_motion_set(ModelMotion *s, const Model *m, const double *q, const double *v, const double *a);

/* Poses alone: velocities, accelerations and speeds stay what they were. */
void model_pose_set(ModelMotion *s, const Model *m, const double *q);

/* World place and velocity of a point given in axes of a body. */
Vec3 model_point(const ModelMotion *s, int body, Vec3 point);
Vec3 model_point_velocity(const ModelMotion *s, int body, Vec3 point);

/* Forces on bodies: force[body], N, and moment[body] about the world's origin, Nm. */
typedef struct ModelLoads {
    Vec3 *force, *moment;
} ModelLoads;

/* Adds to force[v_count] what wrenches on bodies do on speeds (of ModelMotion) by the recursion of thesis 3.46; each
 * body's wrench becomes that of all bodies beyond it. */
void model_add_wrenches(const Model *m, const ModelSpeed *speed, const ModelLoads *wrench, double *force);

/* force[v_count] that moves the model so, under gravity and loads (NULL: none): inverse dynamics of the motion that was
 * set with the accelerations a (NULL: zero), by the recursion of thesis 3.46. */
void model_inverse(const Model *m, const ModelMotion *s, const double *a, const ModelLoads *loads, double *force);

/* mass[v_count][v_count], symmetric: M of thesis 3.23, by composite bodies, with the armatures. */
void model_mass(const Model *m, ModelMotion *s, double *mass);

/* Adds what springs and dampers of the joints exert on the speeds. */
void model_add_passive(const Model *m, const double *q, const double *v, double *force);

/* row[v_count]: the partial velocities of a wrench on a body, force . velocity of the point + moment . angular
 * velocity. Added with `scale`. */
typedef struct ModelWrench {
    int body;
    Vec3 point;         /* m, world */
    Vec3 force, moment; /* world axes */
} ModelWrench;
void model_add_row(const Model *m, const ModelMotion *s, const ModelWrench *w, double scale, double *row);

/* q moves with the speeds v for h s: quaternions turn about axes of their bodies. */
void model_advance(const Model *m, double h, const double *v, double *q);

/* Kinetic energy, and the potential energy of gravity and of the joints' springs, J. */
double model_kinetic_energy(const Model *m, const ModelMotion *s, const double *v);
double model_potential_energy(const Model *m, const ModelMotion *s, const double *q);

/* Momentum, and angular momentum about the world's origin, of all bodies, without the armatures. */
void model_momentum(const Model *m, const ModelMotion *s, Vec3 *linear, Vec3 *angular);

#endif
