/* The rows of a motion file as it holds them, for mending: angles in degrees, positions in file units.
 *
 * What is missing is NaN. Columns that no joint turns by are positions. */
#ifndef KANE_MEND_CHANNEL_ROWS_H
#define KANE_MEND_CHANNEL_ROWS_H

#include "analysis/base/status.h"
#include "analysis/motion/euler.h"

typedef struct ChannelRows {
    int frame_count;
    int row_size;            /* columns */
    int joint_count;
    const EulerTurns *turns; /* [joint] */
    double *value;           /* [frame][column] */
} ChannelRows;

static inline double *channel_row(const ChannelRows *rows, int frame)
{
    return rows->value + (size_t)frame * (size_t)rows->row_size;
}

/* Three turns about three different axes: the rotation has two triples of angles, and slerp applies. */
static inline int turns_are_triple(const EulerTurns *t)
{
    return t->count == 3 && t->axis[0] != t->axis[1] && t->axis[1] != t->axis[2] && t->axis[0] != t->axis[2];
}

#endif
