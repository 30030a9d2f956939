/* Jumps of Euler angles where the rotation does not jump.
 *
 * Three turns about different axes reach every rotation by two triples, (a, b, c) and (a + 180, 180 - b, c + 180), each
 * up to whole turns. Recorders switch between them. The pose is the same, but what filters or interpolates channels
 * passes through poses that never were. */
#ifndef KANE_MEND_EULER_FLIPS_H
#define KANE_MEND_EULER_FLIPS_H

#include "analysis/mend/channel_rows.h"

/* Number of frames at which a joint's angles jump although another writing of the same rotation lies near the frame
 * before; *first is the first of them. */
int euler_flips_count(const ChannelRows *rows, int joint, int *first);

/* Rewrites every frame by the angles nearest to the frame before. Exact: only 180 and 360 deg are added. */
void euler_flips_remove(const ChannelRows *rows, int joint);

#endif
