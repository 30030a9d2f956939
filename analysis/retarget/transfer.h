/* The motion of one skeleton put on another: rotations by map and alignment, the root's path scaled by leg length.
 *
 * The path is that of the middle between the hip joints, a place that every skeleton has, whatever its root is. Plain
 * rotation copying: feet slide where the proportions of the legs differ (planting.h mends it). */
#ifndef KANE_RETARGET_TRANSFER_H
#define KANE_RETARGET_TRANSFER_H

#include "analysis/motion/forward_kinematics.h"
#include "analysis/retarget/alignment.h"

/* motion, poses: of the source. Fills *out with as many frames as the source. A body with
 * the source's joints in the same axes keeps their translations; other targets keep their bones' lengths. */
Status transfer_motion(const BodyPair *pair, const Alignment *alignment, const Motion *motion, const WorldPoses *poses,
                       Motion *out, Error *err);

#endif
