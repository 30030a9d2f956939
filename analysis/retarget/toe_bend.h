/* Toe flexion that keeps toes from sinking deeper than the source's foot. */
#ifndef KANE_RETARGET_TOE_BEND_H
#define KANE_RETARGET_TOE_BEND_H

#include "analysis/retarget/foot_goal.h"

/* Fills bend[frame], rad, upwards about the sole's toe hinge: a smooth envelope of the bend that keeps the joints and
 * ends of the toes above the floor; time: s, its half width. Zero if the foot has no toe joint. height[frame]: m along
 * the normal, planted height of the ankle; the foot's orientation is that of pair->target. scratch: [frame]. */
void toe_bend_fill(const FootPair *pair, int foot, const double *height, double time, double *bend, double *scratch);

/* Rotates the toes in the target's pose by bend[frame]. Requires outlines. */
void toe_bend_apply(const FootPair *pair, int foot, const double *bend);

#endif
