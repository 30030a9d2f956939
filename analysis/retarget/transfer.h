/* The motion of one skeleton put on another: rotations by map and alignment, the root's path scaled by leg length.
 *
 * The path is that of the middle between the hip joints, a place that every skeleton has, whatever its root is. Plain
 * rotation copying: feet slide where the proportions of the legs differ (plant.h mends it). */
#ifndef KANE_RETARGET_TRANSFER_H
#define KANE_RETARGET_TRANSFER_H

#include "analysis/clip/kinematics.h"
#include "analysis/clip/motion.h"
#include "analysis/retarget/alignment.h"

/* pose: world pose of the source in every frame. Fills *out with as many frames as the source. A body that is the
 * source up to scale keeps the translations of its joints; other targets keep their bones' lengths. */
Status transfer_motion(const ReferencePose *target, const ReferencePose *source, const JointMap *map,
                       const Alignment *alignment, const Motion *motion, const Vec3 *position, const Quat *orientation,
                       Motion *out, Error *err);

#endif
