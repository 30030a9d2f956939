/* The path of the centre of mass: the clip's, scaled, on a body whose masses lie otherwise about its hips.
 *
 * Transfer scales the path of the hips. What trunk, arms and legs of the clip's body do to its centre of mass, those of
 * the target do a little otherwise, and hips that go on as before make accelerations that nothing bears. */
#ifndef KANE_RETARGET_COM_PATH_H
#define KANE_RETARGET_COM_PATH_H

#include "analysis/base/status.h"
#include "analysis/retarget/foot_goal.h"

/* Adds to shift[frame], m, what the target's hips must move by so that its centre of mass moves as the source's does,
 * scaled: zero in the mean. Both bodies have the masses that their skeletons get by themselves; without such nothing is
 * added. */
Status com_path_add(const FootPair *pair, const ReferencePose *target, const ReferencePose *source, Vec3 *shift,
                    Error *err);

#endif
