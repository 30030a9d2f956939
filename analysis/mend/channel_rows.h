/* The rows of a motion file (ChannelRows) for mending. What is missing is NaN. */
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

#endif
