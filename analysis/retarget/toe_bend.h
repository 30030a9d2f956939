/* Toe flexion that keeps the tip from sinking deeper than the source's. */
#ifndef KANE_RETARGET_TOE_BEND_H
#define KANE_RETARGET_TOE_BEND_H

#include "analysis/retarget/foot_goal.h"

/* Fills bend[frame], rad, upwards about the sole's toe hinge: a smooth envelope of the bend that the ground requires;
 * bend_time: s, its half width. Zero if the foot has no toe joint. ankle[frame]: m, world, planted position; the foot's
 * orientation is that of pair->target. scratch: [frame]. */
void toe_bend_fill(const FootPair *pair, int foot, const Vec3 *ankle, double bend_time, double *bend, double *scratch);

#endif
