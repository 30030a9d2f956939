/* Rows that a recorder wrote twice or lost, seen from the steps of the pose between frames.
 *
 * A step is the vector of all joints' turns and positions from one frame to the next. Over a few frames it hardly
 * changes, in length or in direction. A row like the one before followed by a step as usual is one too many; followed
 * by a step of twice the usual it stands for a lost one; a single step of n times the usual lacks n - 1 rows. A pose
 * that is held, and a movement that really jumps, do not fit the steps around them and are left alone. */
#ifndef KANE_MOTION_ROW_STEPS_H
#define KANE_MOTION_ROW_STEPS_H

#include "analysis/motion/channel_rows.h"

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
