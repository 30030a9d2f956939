/* Pose of every joint in the world: orientation and centre along the tree, several frames at once.
 *
 *     Q_j = Q_parent q_j        p_j = p_parent + Q_parent l_j Q_parent*
 * with l_j the joint's offset, or its translation where joints translate. Cost: O(joints) a frame. */
#ifndef KANE_MOTION_FORWARD_KINEMATICS_H
#define KANE_MOTION_FORWARD_KINEMATICS_H

#include "analysis/base/status.h"
#include "analysis/clip/body.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/lane_width.h"

/* position, orientation: [frame][joint], m, joint to world. com: [frame] m, of the whole body; used only when body is
 * not NULL (of a body without mass: its root segment). All owned by the caller. */
Status forward_kinematics(const Skeleton *skeleton, const Motion *motion, const Body *body, LaneWidth lanes,
                          Vec3 *position, Quat *orientation, Vec3 *com, Error *err);

/* STATUS_USAGE where joint counts differ or a parent does not precede its child; body may be NULL. */
Status forward_kinematics_check(const Skeleton *skeleton, const Motion *motion, const Body *body, Error *err);

#endif
