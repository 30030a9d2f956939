/* Transfers the motion of one skeleton to another: rotations by map and alignment, the path scaled by leg length.
 *
 * The path is that of the middle between the hip joints, which every human skeleton has whatever its root is. Rotations
 * are copied, so feet slide where leg proportions differ (retarget.h corrects this). */
#ifndef KANE_RETARGET_TRANSFER_H
#define KANE_RETARGET_TRANSFER_H

#include "analysis/base/status.h"
#include "analysis/motion/forward_kinematics.h"
#include "analysis/retarget/alignment.h"
#include "analysis/retarget/joint_map.h"

/* motion, poses: of the source. Fills *out, which the caller frees, with as many frames. A target with the source's
 * joints in the same axes gets their translations; others keep their bone lengths. */
Status transfer_motion(const BodyPair *pair, const Alignment *alignment, const Motion *motion, const WorldPoses *poses,
                       Motion *out, Error *err);

#endif
