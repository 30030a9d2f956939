/* What the lane kernel of forward kinematics needs of a clip: flat views, no ownership. */
#ifndef KANE_MOTION_FORWARD_KINEMATICS_KERNEL_H
#define KANE_MOTION_FORWARD_KINEMATICS_KERNEL_H

#include <stddef.h>

#include "analysis/clip/body.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"

/* Doubles a lane of scratch for one joint: its orientation and position. */
enum { FORWARD_KINEMATICS_SCRATCH = 7 };

/* Arrays are [frame][joint] unless a comment says otherwise. */
typedef struct ForwardKinematicsView {
    size_t frame_count, joint_count;
    const int *parent;         /* [joint] */
    const Vec3 *offset;        /* [joint] m, parent axes */
    const Quat *rotation;      /* child to parent */
    const Vec3 *translation;   /* m, parent axes, or NULL */
    const Vec3 *root_position; /* [frame] m */
    const double *share;       /* [joint] of the total mass, or NULL: no com */
    const Vec3 *mass_centre;   /* [joint] m, joint axes */
    Vec3 *position;
    Quat *orientation;
    Vec3 *com;                 /* [frame] */
    double *scratch;           /* [joint][FORWARD_KINEMATICS_SCRATCH][lane], 64-byte aligned */
} ForwardKinematicsView;

/* Poses of the frames first .. end - 1 and up to a block of lanes around them, as frame_count allows; frame_count is
 * at least the number of lanes. */
typedef void ForwardKinematicsFrames(const ForwardKinematicsView *view, size_t first, size_t end);
LANE_TWINS(ForwardKinematicsFrames, forward_kinematics_frames);

/* share[joint] of the total mass; a body without mass counts its root alone. */
void forward_kinematics_shares(const Body *body, double *share);

#endif
