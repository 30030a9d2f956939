/* Meaning of the position channels of the root, and whether they contain the path of the body. */
#ifndef KANE_DETECT_ROOT_POSITION_H
#define KANE_DETECT_ROOT_POSITION_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/detect/pose_sample.h"
#include "analysis/detect/up_axis.h"

typedef enum RootOffset { ROOT_OFFSET_AUTO = 0, ROOT_OFFSET_ADD, ROOT_OFFSET_REPLACE } RootOffset;

typedef struct RootOffsetDecision {
    RootOffset meaning;
    double confidence; /* 0..1 */
} RootOffsetDecision;

/* Detects whether a ROOT OFFSET is added to the root's position channels or replaced by them, from the ground height
 * under both meanings and from whether the channels begin at the offset (replace) or at zero (add). A zero offset gives
 * replace with confidence 1. sample: poses from the channels alone. */
Status root_offset_from_poses(const Skeleton *skeleton, const Motion *motion, const PoseSample *sample, UpAxis up,
                              RootOffsetDecision *out, Error *err);

/* Returns 1 if the feet move but the root does not throughout the motion: the file then lacks the body's path. A
 * subject who stands and only moves the arms has a path, and so does one on a treadmill, whose root moves up and down.
 * 0 for bodies without feet. sample: of the same motion. */
int root_path_is_missing(const Skeleton *skeleton, const Motion *motion, const PoseSample *sample);

/* The same for an imported clip; smoothing and resampling do not move its root. */
Status root_path_find_missing(const Skeleton *skeleton, const Motion *motion, int *missing, Error *err);

#endif
