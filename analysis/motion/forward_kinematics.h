/* The world pose of every joint: orientation and centre along the tree, several frames at once.
 *   Q_j = Q_parent q_j        p_j = p_parent + Q_parent l_j Q_parent*
 * with l_j the joint's offset, or its translation in a motion with translations. Cost: O(joints) per frame. */
#ifndef KANE_MOTION_FORWARD_KINEMATICS_H
#define KANE_MOTION_FORWARD_KINEMATICS_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"

/* Doubles of scratch per lane and joint: orientation and position. */
enum { FORWARD_KINEMATICS_SCRATCH = 7 };

/* Input and output of the lane kernel: flat views, not owned. Arrays are [frame][joint] unless noted otherwise. */
typedef struct ForwardKinematicsView {
    size_t frame_count, joint_count;
    const int *parent;           /* [joint] */
    const Vec3 *offset;          /* [joint] m, parent axes */
    const Quat *rotation;        /* child to parent */
    const Vec3 *translation;     /* m, parent axes, or NULL */
    const Vec3 *root_position;   /* [frame] m */
    const double *mass_fraction; /* [joint] part of the total mass; NULL: no com */
    const Vec3 *mass_centre;     /* [joint] m, joint axes */
    Vec3 *position;
    Quat *orientation;
    Vec3 *com;                 /* [frame] */
    double *scratch;           /* [joint][FORWARD_KINEMATICS_SCRATCH][lane], 64-byte aligned */
} ForwardKinematicsView;

/* Computes the poses of the frames first .. end - 1, and of up to a block of lanes around them within the clip.
 * frame_count is at least the number of lanes. */
typedef void ForwardKinematicsFrames(const ForwardKinematicsView *view, size_t first, size_t end);
LANE_TWINS(ForwardKinematicsFrames, forward_kinematics_frames);

/* Sets mass_fraction[joint], the part of the total mass; a body without mass gives its root the whole. */
void forward_kinematics_mass_fractions(const Body *body, double *mass_fraction);

/* Output arrays, owned by the caller. */
typedef struct WorldPoses {
    Vec3 *position;    /* [frame][joint] m */
    Quat *orientation; /* [frame][joint] joint to world */
    Vec3 *com;         /* [frame] m, of the whole body (without mass: of its root segment); NULL: not computed */
} WorldPoses;

/* Computes the poses from skeleton and motion of the clip, and the COM from its body if requested. */
Status forward_kinematics(const ClipView *clip, LaneWidth lanes, const WorldPoses *out, Error *err);

/* Input and output of the lane kernel of one joint's pose: flat views, not owned. Inputs are [frame][joint], outputs
 * [frame]. */
typedef struct JointPathView {
    size_t frame_count, joint_count;
    int joint;
    const int *parent;         /* [joint] */
    const Vec3 *offset;        /* [joint] m, parent axes */
    const Quat *rotation;      /* child to parent */
    const Vec3 *translation;   /* m, parent axes, or NULL */
    const Vec3 *root_position; /* [frame] m */
    Vec3 *position;            /* [frame] m, world */
    Quat *orientation;         /* [frame] joint to world */
} JointPathView;

/* Computes all frames; frame_count is at least the number of lanes. */
typedef void JointPathFrames(const JointPathView *view);
LANE_TWINS(JointPathFrames, joint_path_frames);

/* Computes the pose of one joint in `count` frames from `first` on, along its path to the root and from the joint up: p
 * = p_root + Q_0 (l_1 + Q_1 (l_2 + ...)). Agrees with forward_kinematics up to rounding; every width gives the same
 * bits. Fills position and orientation of out, [count] each. Cost: O(depth of the joint) per frame. */
void joint_path(const ClipView *clip, int joint, int first, int count, LaneWidth lanes, const WorldPoses *out);

/* Returns STATUS_USAGE if joint counts differ or a parent does not precede its child. The body may be NULL. */
Status forward_kinematics_check(const ClipView *clip, Error *err);

#endif
