/* Motion of a model: poses, velocities and accelerations of its bodies, and the forces they require.
 *
 * World axes of the model. Speeds: analysis/motion/joint_motion.h. Forces on speeds are the generalised forces of
 * thesis 3.18 (docs/sources.md). */
#ifndef KANE_MODEL_MODEL_MOTION_H
#define KANE_MODEL_MODEL_MOTION_H

#include "analysis/model/model.h"

typedef struct ModelMotion {
    int body_count, speed_count;
    Vec3 *position;             /* [body] m, of the body's frame */
    Quat *orientation;          /* [body] body to world */
    Vec3 *velocity;             /* [body] m/s */
    Vec3 *angular_velocity;     /* [body] rad/s */
    Vec3 *acceleration;         /* [body] m/s2, without gravity */
    Vec3 *angular_acceleration; /* [body] rad/s2 */
    ModelSpeed *speed;          /* [speed] */
    Vec3 *force, *moment;       /* [body] scratch of model_inverse: wrench of the body and its descendants, about the
                                   origin */
    double *composite;          /* [body][10] scratch of model_mass */
    Arena memory;
} ModelMotion;

Status model_motion_init(ModelMotion *s, const Model *m, Error *err);
void model_motion_free(ModelMotion *s);

/* Computes poses, velocities and accelerations from q[q_count] (unit quaternions), v[v_count] and a[v_count]; v, a
 * NULL: zero. */
void model_motion_set(ModelMotion *s, const Model *m, const double *q, const double *v, const double *a);

/* Computes poses only; velocities, accelerations and speeds stay unchanged. */
void model_pose_set(ModelMotion *s, const Model *m, const double *q);

/* World position and velocity of a point given in axes of a body. */
Vec3 model_point(const ModelMotion *s, int body, Vec3 point);
Vec3 model_point_velocity(const ModelMotion *s, int body, Vec3 point);

/* Forces on bodies: force[body], N, and moment[body] about the world's origin, N m. */
typedef struct ModelLoads {
    Vec3 *force, *moment;
} ModelLoads;

/* Adds to force[v_count] the generalised forces of wrenches on bodies, with the speeds of ModelMotion, by the recursion
 * of thesis 3.46. Each wrench is replaced by that of the body and its descendants. */
void model_add_wrenches(const Model *m, const ModelSpeed *speed, const ModelLoads *wrench, double *force);

/* Inverse dynamics by the recursion of thesis 3.46: force[v_count] of the motion set with the accelerations a (NULL:
 * zero), under gravity and loads (NULL: none). */
void model_inverse(const Model *m, const ModelMotion *s, const double *a, const ModelLoads *loads, double *force);

/* Fills mass[v_count][v_count], symmetric: M of thesis 3.23, by composite bodies, including armatures. */
void model_mass(const Model *m, ModelMotion *s, double *mass);

/* Adds the forces of joint springs and dampers to force[v_count]. */
void model_add_passive(const Model *m, const double *q, const double *v, double *force);

/* A wrench on a body. model_add_row adds `scale` times its generalised forces per speed to row[v_count]: force .
 * velocity of the point + moment . angular velocity. */
typedef struct ModelWrench {
    int body;
    Vec3 point;         /* m, world */
    Vec3 force, moment; /* world axes */
} ModelWrench;
void model_add_row(const Model *m, const ModelMotion *s, const ModelWrench *w, double scale, double *row);

/* Advances q by the speeds v over h seconds; quaternions rotate about axes of their bodies. */
void model_advance(const Model *m, double h, const double *v, double *q);

/* Kinetic energy, and the potential energy of gravity and of the joints' springs, J. */
double model_kinetic_energy(const Model *m, const ModelMotion *s, const double *v);
double model_potential_energy(const Model *m, const ModelMotion *s, const double *q);

/* Linear momentum, and angular momentum about the world's origin, of all bodies, without armatures. */
void model_momentum(const Model *m, const ModelMotion *s, Vec3 *linear, Vec3 *angular);

#endif
