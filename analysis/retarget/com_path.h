/* Path of the centre of mass: that of the source, scaled, although the target's mass is distributed differently.
 *
 * Transfer scales the path of the hips. Trunk, arms and legs move the centre of mass relative to the hips differently
 * on both bodies, so unchanged hips would give accelerations that no contact force supports. */
#ifndef KANE_RETARGET_COM_PATH_H
#define KANE_RETARGET_COM_PATH_H

#include "analysis/base/status.h"
#include "analysis/retarget/foot_goal.h"
#include "analysis/retarget/reference_pose.h"

/* Adds to shift[frame], m, the displacement of the target's hips that makes its centre of mass move as the source's,
 * scaled; zero in the mean. Both bodies have the default masses of their skeletons; if a skeleton has none, nothing is
 * added. */
Status com_path_add(const FootPair *pair, const ReferencePose *target, const ReferencePose *source, Vec3 *shift,
                    Error *err);

#endif
