/* Repairs the rows of a motion file (ChannelRows of analysis/math/quat.h): fills gaps and removes flips of Euler
 * angles. Missing values are NaN. Angles in deg, positions in file units. */
#ifndef KANE_REPAIR_CHANNEL_ROWS_H
#define KANE_REPAIR_CHANNEL_ROWS_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/math/euler.h"

static inline double *channel_row(const ChannelRows *rows, int frame)
{
    return rows->value + (size_t)frame * (size_t)rows->row_size;
}

/* Whether the joint has rotations about three different axes: each rotation then has two triples of angles, and slerp
 * applies. */
static inline int euler_is_triple(const EulerChannels *t)
{
    return t->count == 3 && t->axis[0] != t->axis[1] && t->axis[1] != t->axis[2] && t->axis[0] != t->axis[2];
}

/* Fills missing values in the rows of a motion file, on rotations rather than angles.
 *
 * One or two missing rows are interpolated linearly. A longer gap is a cubic Hermite curve with the velocities on both
 * sides, which decay in a long gap, because no recorded motion stays exactly linear for long. Joints with three
 * different rotation axes are interpolated by rotation vectors on the shortest arc and get the angles nearest to the
 * frame before; other angles take the shorter way. Before the first complete frame and after the last one, that frame
 * is repeated.
 *
 * Replaces every NaN; a rotation with one missing angle is replaced as a whole. STATUS_BAD_INPUT if a column has no
 * number in any frame. */
Status row_gaps_fill(const ChannelRows *rows, Error *err);

/* Flips: jumps of Euler angles without a jump of the rotation.
 *
 * With three different axes every rotation has two triples of angles, (a, b, c) and (a + 180, 180 - b, c + 180), each
 * up to multiples of 360. Recorders switch between them. The pose is the same, but filtering or interpolating the
 * channels gives poses that never occurred.
 *
 * Returns the number of frames in which a joint's angles jump although an equivalent triple is near the frame before;
 * *first is the first such frame. */
int euler_flips_count(const ChannelRows *rows, int joint, int *first);

/* Replaces the angles of every frame by the equivalent ones nearest to the frame before. Exact: only adds 180 and 360
 * deg. */
void euler_flips_remove(const ChannelRows *rows, int joint);

#endif
