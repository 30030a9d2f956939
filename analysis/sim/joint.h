/* Joints between two bodies in maximal coordinates: Jacobian rows, the distance from them, and limits.
 *
 * A joint of another kind is a row of the table `methods` in joint.c.
 *
 * A joint holds a frame of the parent and a frame of the child together. Rows act on the velocities (v, omega) of each
 * body's own frame, in world axes: G_p (v_p, omega_p) + G_c (v_c, omega_c) = 0. The frame's origin is where v is taken
 * (the COM in the simulator), the anchor is given from there. The rows are the exact derivative of joint_error, also
 * where the joint has drifted (docs/sources.md, notes 0.5: G = d phi / d q). */
#ifndef KANE_SIM_JOINT_H
#define KANE_SIM_JOINT_H

#include "analysis/math/quat.h"

typedef enum JointKind {
    JOINT_FREE,      /* no rows */
    JOINT_SPHERICAL, /* anchors coincide */
    JOINT_HINGE,     /* and the axes do */
    JOINT_FIXED,     /* and the orientations do */
    JOINT_KIND_COUNT
} JointKind;

enum { JOINT_ROWS = 6 };

/* One side of a joint. */
typedef struct JointSide {
    Vec3 position;    /* m, world, of the body's frame */
    Quat orientation; /* body to world */
    Vec3 anchor;      /* m, world axes, from the frame to the joint */
    Vec3 axis;        /* unit, world axes: of a hinge, as this body carries it */
} JointSide;

typedef struct JointRows {
    int count;
    double parent[JOINT_ROWS][6];
    double child[JOINT_ROWS][6];
} JointRows;

/* phi[row]: three of place, m, parent to child; then of direction, about rad. */
void joint_error(JointKind kind, const JointSide *parent, const JointSide *child, double *phi);

void joint_rows(JointKind kind, const JointSide *parent, const JointSide *child, JointRows *rows);

/* Limits of a joint by roll, pitch and yaw of its turn as seen from a frame on either side. The rows of (0.2) are the
 * wrenches of the limits. An infinite bound is none. */
typedef struct AngleLimits {
    RollPitchYaw least, most; /* rad */
    Quat parent, child;       /* of the frames: the turn is parent* q child, q from the child's axes to the parent's */
} AngleLimits;

/* Bounds at the ends of what the angles can be are infinite. */
RollPitchYaw angle_limits_bounds(RollPitchYaw angles);

/* Roll, pitch and yaw of a turn; their rows on the angular velocity in axes of the turned frame; and rates, with the
 * accelerations that they have at that velocity alone (notes 0.4). */
typedef struct TurnAngles {
    Vec3 angle;  /* rad: roll, pitch, yaw */
    Mat3 rows;
    Vec3 rate, drift; /* rad/s, rad/s2 */
} TurnAngles;
TurnAngles turn_angles(Quat turn, Vec3 velocity);

#endif
