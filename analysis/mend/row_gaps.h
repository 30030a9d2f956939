/* Fills what is missing in the rows of a motion file: on rotations, never on their angles.
 *
 * A joint with three different turns is interpolated from rotation to rotation on the shortest arc (Shoemake 1985,
 * "Animating rotation with quaternion curves") and gets the angles nearest to the frame before; other angles go the
 * shorter way round; positions go straight. Before the first whole frame and behind the last one, that frame holds. */
#ifndef KANE_MEND_ROW_GAPS_H
#define KANE_MEND_ROW_GAPS_H

#include "analysis/mend/channel_rows.h"

/* Replaces every NaN; a rotation of which one angle is missing is replaced as a whole. STATUS_BAD_INPUT where a column
 * has no number in any frame. */
Status row_gaps_fill(const ChannelRows *rows, Error *err);

#endif
