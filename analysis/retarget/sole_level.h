/* Feet and toes of the target lie as flat as the source's when those lie flat.
 *
 * The pose in which two skeletons are compared may be one in which a foot is not flat. Each foot is therefore turned by
 * one constant about its lateral axis, and then its toes, by the mean difference of both soles' slopes over the frames
 * in which heel and ball of the source are down: nothing where a body is put on itself. */
#ifndef KANE_RETARGET_SOLE_LEVEL_H
#define KANE_RETARGET_SOLE_LEVEL_H

#include "analysis/retarget/foot_goal.h"

/* Turns ankle and toe joints of one foot in the pose of the pair's target, which is that of these arrays:
 * [frame][joint]. */
void sole_level(const FootPair *pair, int foot, Vec3 *position, Quat *orientation);

#endif
