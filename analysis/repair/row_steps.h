/* Rows that a recorder repeated or lost, detected from the steps of the pose between frames (pose_steps.h).
 *
 * Over a few frames a step hardly changes. An artifact causes a relation between a step and its neighbours that the
 * noise of the recording does not explain but a different number of frames does: a step of n times the mean of its
 * neighbours lacks n - 1 rows. A body that starts or stops abruptly has such a step at one end, and a held pose has
 * small steps; neither is flagged, nor is anything within seven frames of an end.
 *
 * Steps found are left out of the noise around others, and the search repeated. If rows are lost at a regular interval,
 * as by a recorder that drops every tenth, less certainty suffices where the interval expects a loss, also near the
 * ends. Where rows are lost in three places or more, less certainty suffices for others. Where a lost row would change
 * the torques but is not certain, the step is doubtful. */
#ifndef KANE_REPAIR_ROW_STEPS_H
#define KANE_REPAIR_ROW_STEPS_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/math/euler.h"

typedef enum RowStep {
    ROW_STEP_PLAIN,
    ROW_STEP_SURPLUS, /* the frame repeats the one before and should be deleted */
    ROW_STEP_HELD,    /* the frame repeats the one before and replaces a lost one */
    ROW_STEP_MISSING, /* rows are missing before the frame */
    ROW_STEP_DOUBTFUL, /* rows may be missing before the frame, and accelerations there are wrong if they are */
} RowStep;

/* Fills step[frame] and missing[frame], the number of rows missing before each. Frames with NaN are plain. length: a
 * typical bone in file units, which weights positions against rotations. frame_time: s. Errors: no memory. */
Status row_steps_find(const ChannelRows *rows, double length, double frame_time, RowStep *step, int *missing,
                      Error *err);

/* The same for the frames of a motion. */
Status motion_steps_find(const Motion *m, double length, RowStep *step, int *missing, Error *err);

#endif
