/* Pose of every joint in the world: orientation and centre along the tree, several frames at once.
 *
 *     Q_j = Q_parent q_j        p_j = p_parent + Q_parent l_j Q_parent*
 * with l_j the joint's offset, or its translation where joints translate. Cost: O(joints) a frame. */
#ifndef KANE_MOTION_FORWARD_KINEMATICS_H
#define KANE_MOTION_FORWARD_KINEMATICS_H

#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/math/lane_width.h"

/* Arrays of the caller that take the poses. */
typedef struct WorldPoses {
    Vec3 *position;    /* [frame][joint] m */
    Quat *orientation; /* [frame][joint] joint to world */
    Vec3 *com;         /* [frame] m, of the whole body (of one without mass: of its root segment); NULL: not wanted */
} WorldPoses;

/* Reads skeleton and motion of the clip, and its body where the COM is wanted. */
Status forward_kinematics(const ClipView *clip, LaneWidth lanes, const WorldPoses *out, Error *err);

/* STATUS_USAGE where joint counts differ or a parent does not precede its child; the body may be NULL. */
Status forward_kinematics_check(const ClipView *clip, Error *err);

#endif
