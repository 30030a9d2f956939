/* A fall as a motion: bounded torques towards a protective pose, then limp limbs.
 *
 * Falling forwards or sideways, the arms reach for the ground; falling backwards, chin and trunk curl, so that the seat
 * arrives before the head. A stable PD on the free body drives the joints there with the bounded strength of the
 * motors; once the trunk lies, the stiffness fades and damping alone remains. At the beginning the torques leave those
 * of the last step within FALL_BLEND. */
#ifndef KANE_CONTROL_FALL_H
#define KANE_CONTROL_FALL_H

#include "analysis/control/anatomical_frames.h"
#include "analysis/control/stable_pd.h"

#define FALL_BLEND 0.05 /* s */

typedef enum FallDirection { FALL_FORWARD, FALL_BACK, FALL_LEFT, FALL_RIGHT, FALL_DIRECTION_COUNT } FallDirection;

typedef struct Fall {
    const AnatomicalFrames *frames; /* not owned; protective poses of a human; a creature goes limp */
    int is_limp;                    /* 1: no protective pose */
    FallDirection direction;
    double time, stiffness;         /* s since the beginning; 1/s2 now */
    Quat *goal;                     /* [joint] rotation in its parent */
    Vec3 *from;                     /* [joint] N m, parent axes: torques of the last step before */
    Quat *orientation;              /* [joint] scratch, as are the zeros that follow */
    Vec3 *none;                     /* [joint] */
    Subtree *chain;                 /* [joint] */
    StablePd pd;
    Arena memory;
} Fall;

Status fall_init(Fall *f, const AnatomicalFrames *frames, int joint_count, Error *err);
void fall_free(Fall *f);

/* The body begins to fall from the state of the plant, under torque[joint], world axes. velocity: m/s, of the centre of
 * mass. */
void fall_begin(Fall *f, const ControlPlant *plant, Vec3 velocity, const Vec3 *torque);

/* Writes torque[joint], N m, world axes, not yet bounded. lies: the trunk is on the ground. */
Status fall_torques(Fall *f, const ControlPlant *plant, int lies, Vec3 *torque, Error *err);

#endif
