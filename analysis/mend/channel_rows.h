/* The rows of a motion file (ChannelRows of analysis/motion/euler.h), mended: gaps filled, flips of angles taken out.
 * What is missing is NaN. */
#ifndef KANE_MEND_CHANNEL_ROWS_H
#define KANE_MEND_CHANNEL_ROWS_H

#include "analysis/base/status.h"
#include "analysis/motion/euler.h"

static inline double *channel_row(const ChannelRows *rows, int frame)
{
    return rows->value + (size_t)frame * (size_t)rows->row_size;
}

/* Three turns about three different axes: the rotation has two triples of angles, and slerp applies. */
static inline int turns_are_triple(const EulerTurns *t)
{
    return t->count == 3 && t->axis[0] != t->axis[1] && t->axis[1] != t->axis[2] && t->axis[0] != t->axis[2];
}

/* Fills what is missing in the rows of a motion file: on rotations, never on their angles.
 *
 * One or two rows lie on a straight line between those beside them; a longer gap is Hermite's cubic with the speeds on
 * either side, which tire over a long one: no recording goes straight, to the last digit, for long. A joint with three
 * different turns goes along rotation vectors on the shortest arc and gets the angles nearest to the frame before;
 * other angles go the shorter way round. Before the first whole frame and behind the last one, that frame holds.
 *
 * Replaces every NaN; a rotation of which one angle is missing is replaced as a whole. STATUS_BAD_INPUT where a column
 * has no number in any frame. */
Status row_gaps_fill(const ChannelRows *rows, Error *err);

/* Flips: jumps of Euler angles where the rotation does not jump.
 *
 * Three turns about different axes reach every rotation by two triples, (a, b, c) and (a + 180, 180 - b, c + 180), each
 * up to whole turns. Recorders switch between them. The pose is the same, but what filters or interpolates channels
 * passes through poses that never were.
 *
 * Number of frames at which a joint's angles jump although another writing of the same rotation lies near the frame
 * before; *first is the first of them. */
int euler_flips_count(const ChannelRows *rows, int joint, int *first);

/* Rewrites every frame by the angles nearest to the frame before. Exact: only 180 and 360 deg are added. */
void euler_flips_remove(const ChannelRows *rows, int joint);

#endif
