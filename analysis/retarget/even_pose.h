/* A reference pose that shows the body and not the frame that it was taken from. */
#ifndef KANE_RETARGET_EVEN_POSE_H
#define KANE_RETARGET_EVEN_POSE_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/retarget/reference_pose.h"

/* Replaces what a pose from a motion owes to its frame. The pose becomes symmetric, because people do not stand
 * symmetrically: the mean of itself and its mirror image, with level hips (not of an asymmetric skeleton). Limbs are
 * straightened and rotated about their bones as limb_twist.h says. Feet are as flat as on the ground. Leaves the rest
 * pose unchanged. */
Status even_pose(ReferencePose *r, const Motion *motion, Error *err);

#endif
