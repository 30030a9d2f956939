/* Rows that a recorder lost, put back into a motion. */
#ifndef KANE_REPAIR_LOST_ROWS_H
#define KANE_REPAIR_LOST_ROWS_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"

/* A frame after the rows were put back. */
typedef struct FilledFrame {
    int row;       /* of the recording: its own, or of a frame put back the one behind it */
    int is_filled; /* 1: it was lost */
} FilledFrame;

/* Inserts missing[f] frames before each frame f of *m, on the cubics in time through the two recorded frames on either
 * side (at an end, one): positions, and quaternions, which are normalised. *frame: [m->frame_count afterwards], which
 * the caller frees; NULL, and *m as before, if no row is missing or after a failure. Frames stay frame_time apart. */
Status motion_fill_lost_rows(Motion *m, const int *missing, FilledFrame **frame, Error *err);

#endif
