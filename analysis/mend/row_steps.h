/* Rows that a recorder wrote twice or lost, seen from the steps of the pose between frames.
 *
 * Over a few frames a step hardly changes. What a fault makes of it is a relation between a step and its neighbours
 * that the noise of the recording does not explain, while the same relation for another number of frames explains it:
 * a step of n times the mean of its neighbours lacks n - 1 rows. A body that starts or stops at once has a step like
 * that behind or before it, a pose that is held has small ones; both are left alone, and so is what lies within seven
 * frames of an end. Where little moves beside the noise, nothing is found; nothing is harmed there either. */
#ifndef KANE_MEND_ROW_STEPS_H
#define KANE_MEND_ROW_STEPS_H

#include "analysis/mend/channel_rows.h"

typedef enum RowStep {
    ROW_STEP_PLAIN,
    ROW_STEP_SURPLUS, /* the frame repeats the one before and belongs out */
    ROW_STEP_HELD,    /* the frame repeats the one before in place of a lost one */
    ROW_STEP_MISSING, /* rows are missing before the frame */
} RowStep;

/* step[frame] and missing[frame], the number of rows missing before each. Frames with a NaN are plain. length is a
 * typical bone in file units: it weighs positions against turns. */
Status row_steps_find(const ChannelRows *rows, double length, RowStep *step, int *missing, Error *err);

#endif
