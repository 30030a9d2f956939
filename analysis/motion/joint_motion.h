/* Motion of a frame through a joint with axes: of a model's joints (analysis/model/model.h), and of the degrees of
 * freedom of a clip (dof_motion.h).
 *
 * As in Kane's method, the velocity of a frame is a sum of partial velocities times speeds (docs/sources.md, thesis 3.9
 * to 3.12). A speed is one degree of freedom: rotation about an axis or translation along one. */
#ifndef KANE_MOTION_JOINT_MOTION_H
#define KANE_MOTION_JOINT_MOTION_H

#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

typedef enum ModelJointKind { MODEL_HINGE, MODEL_SLIDE, MODEL_BALL, MODEL_FREE, MODEL_JOINT_KIND_COUNT } ModelJointKind;

/* Numbers of coordinates and of speeds of a joint kind. */
int model_joint_coordinates(ModelJointKind kind);
int model_joint_speeds(ModelJointKind kind);

/* Position of a joint in axes of its body. */
typedef struct ModelJointAxis {
    ModelJointKind kind;
    Vec3 anchor, axis; /* m; unit, of hinge and slide */
    double reference;  /* coordinate at which the joint does not displace its body, rad or m */
} ModelJointAxis;

typedef struct ModelSpeed {
    int body, joint;
    int before;  /* next speed towards the world; -1: none */
    int turns;   /* 1: rotation about `axis` through `anchor`; 0: translation along `axis` */
    Vec3 axis;   /* world */
    Vec3 anchor; /* m, world */
} ModelSpeed;

/* A frame while it is passed through the joints of a body: position, orientation and rates, in inertial axes. */
typedef struct ModelFrame {
    Vec3 x, v, omega, a, alpha;
    Quat q;
} ModelFrame;

/* State of a joint: its coordinates and rates (v, a NULL: zero), and the speeds to fill. */
typedef struct ModelJointState {
    const double *q, *v, *a;
    ModelSpeed *speed;
} ModelJointState;

/* Moves the origin of a frame by an offset (inertial axes) within the rigid body. */
void model_frame_shift(ModelFrame *f, Vec3 offset);

/* Applies a joint to a frame and fills its speeds. */
void model_pass_joint(ModelFrame *f, const ModelJointAxis *j, const ModelJointState *at);

#endif
