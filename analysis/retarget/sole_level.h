/* Levels feet and toes of the target to the source's.
 *
 * In the pose in which two skeletons are compared, a foot may not be flat. Each foot is therefore rotated by a constant
 * angle about its lateral axis, then its toes, by the mean difference of both soles' slopes over the frames in which
 * heel and ball of the source are down. For a motion on its own skeleton the angle is zero. */
#ifndef KANE_RETARGET_SOLE_LEVEL_H
#define KANE_RETARGET_SOLE_LEVEL_H

#include "analysis/math/quat.h"
#include "analysis/retarget/foot_goal.h"

/* Rotates ankle and toe joints of one foot in the target's pose. Requires outlines. */
void sole_level(const FootPair *pair, int foot);

#endif
