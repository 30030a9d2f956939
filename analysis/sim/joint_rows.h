/* Joints between two bodies in maximal coordinates: Jacobian rows, position error, and limits.
 *
 * Each joint kind is a row of the table `methods` in joint_rows.c.
 *
 * A joint couples a frame of the parent to a frame of the child. Rows act on the velocities (v, omega) of each body's
 * frame, in world axes: G_p (v_p, omega_p) + G_c (v_c, omega_c) = 0. v is the velocity of the frame's origin (the COM
 * in the simulator), and the anchor is measured from there. The rows are the exact derivative of joint_error, also if
 * the joint has drifted (docs/sources.md, notes 0.5: G = d phi / d q). */
#ifndef KANE_SIM_JOINT_ROWS_H
#define KANE_SIM_JOINT_ROWS_H

#include "analysis/math/euler.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

typedef enum JointKind {
    JOINT_FREE,      /* no rows */
    JOINT_SPHERICAL, /* anchors coincide */
    JOINT_HINGE,     /* anchors and axes coincide */
    JOINT_FIXED,     /* anchors and orientations coincide */
    JOINT_KIND_COUNT
} JointKind;

enum { JOINT_ROWS = 6 };

/* One side of a joint. */
typedef struct JointSide {
    Vec3 position;    /* m, world, of the body's frame */
    Quat orientation; /* body to world */
    Vec3 anchor;      /* m, world axes, from the frame's origin to the joint */
    Vec3 axis;        /* unit, world axes: the hinge axis as fixed in this body */
} JointSide;

typedef struct JointRows {
    int count;
    double parent[JOINT_ROWS][6];
    double child[JOINT_ROWS][6];
} JointRows;

/* phi[row]: three of position, m, parent to child; then of direction, approximately rad. */
void joint_error(JointKind kind, const JointSide *parent, const JointSide *child, double *phi);

/* The Jacobian rows of both sides, in the order of phi. */
void joint_rows(JointKind kind, const JointSide *parent, const JointSide *child, JointRows *rows);

/* Limits of a joint by roll, pitch and yaw of its rotation between a frame on either side. The rows of (0.2) are the
 * wrenches of the limits. An infinite bound is no bound. */
typedef struct AngleLimits {
    RollPitchYaw min, max;    /* rad */
    Quat parent, child;       /* the frames: the rotation is parent* q child, with q from the child's axes to the
                                 parent's */
} AngleLimits;

/* Bounds at the ends of the angles' ranges become infinite. */
RollPitchYaw angle_limits_bounds(RollPitchYaw angles);

/* Roll, pitch and yaw of a rotation; their rows on the angular velocity in axes of the rotated frame; and their rates,
 * with the part of their accelerations that depends on the velocity alone (notes 0.4). */
typedef struct TurnAngles {
    Vec3 angle;  /* rad: roll, pitch, yaw */
    Mat3 rows;
    Vec3 rate, drift; /* rad/s, rad/s2 */
} TurnAngles;
TurnAngles turn_angles(Quat turn, Vec3 velocity);

#endif
