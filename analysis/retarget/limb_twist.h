/* How limbs are rotated about their bones in a reference pose that is a frame of a motion.
 *
 * A frame shows where bones point. The rotation about them differs from frame to frame: shanks by 20 degrees, hands by
 * 50. What the skeleton and the whole motion show does not: the side to which knees and elbows bend, and the straight
 * limb in which files with bones along an axis have zero rotations. */
#ifndef KANE_RETARGET_LIMB_TWIST_H
#define KANE_RETARGET_LIMB_TWIST_H

#include "analysis/clip/motion.h"
#include "analysis/retarget/reference_pose.h"

/* Sets r->local of hips and shoulders so that thighs and upper arms are in the body's frontal plane, knees bend
 * backward and elbows forward; of knees, elbows and wrists so that limbs are straight and untwisted where zero
 * rotations are that. If a limb hardly bends, or bends to no one side, its side is the axis of its joint that is
 * closest in the frame; if none is close, it keeps its rotation. The pose must be placed, and must be placed again. */
void limb_twist_set(ReferencePose *r, const Motion *motion);

/* Straightens trunk, neck and head where zero rotations are straight, and makes the pelvis upright with them: how far a
 * frame nods or leans is not the body's. As limb_twist_set. */
void limb_twist_trunk(ReferencePose *r, const Motion *motion);

/* Finds the direction, in the axes of hip, shoulder, elbow or wrist joint, that faces front where the limb hangs
 * straight down: the side to which elbows bend, the opposite for knees. Reads the skeleton and the motion alone.
 * Returns 0 if they do not show it. */
int limb_twist_front(const ReferencePose *r, const Motion *motion, Role joint, Vec3 *front);

#endif
