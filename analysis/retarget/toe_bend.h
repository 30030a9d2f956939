/* Toes of the target that bend up where the foot would press their tip deeper into the ground than the source's is. */
#ifndef KANE_RETARGET_TOE_BEND_H
#define KANE_RETARGET_TOE_BEND_H

#include "analysis/retarget/foot_goal.h"

/* ankle[frame]: m, world, where it is placed; its foot turns as in the pose of the pair. bend[frame] (rad, upwards,
 * about the sole's toe hinge): a smooth envelope of what the ground asks for; bend_time: s, its half width. Zero of a
 * foot whose toe is its ankle. scratch: [frame]. */
void toe_bend_fill(const FootPair *pair, int foot, const Vec3 *ankle, double bend_time, double *bend, double *scratch);

#endif
