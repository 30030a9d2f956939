/* A motion that repeats: the best pair of frames of a clip, and the frames from one to the other with a seam that
 * shows no more than its neighbours. */
#ifndef KANE_TRANSITION_LOOP_H
#define KANE_TRANSITION_LOOP_H

#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/motion/root_motion.h"
#include "analysis/transition/pose_features.h"
#include "analysis/transition/transition.h"

/* Frame `last` shows the pose of frame `first` one period later; the loop has the frames first .. last - 1. */
typedef struct LoopSpan {
    int first, last;
    double distance; /* m, pose_features_distance between both */
} LoopSpan;

typedef struct LoopDef {
    int first, last;   /* given frames; -1: to be found */
    double min_period; /* s; default 0.4 */
    double over;       /* s, the blended interval, half of it on either side of the seam; default 0.5 */
    RootMotion root;   /* default ROOT_MOTION_KEEP */
} LoopDef;

LoopDef loop_default_def(void);

/* Finds the pair with the least distance (times 1 + period / 4 s, so that of equals the shorter is taken, and more near
 * impacts) between which the motion leaves the pose by at least the median distance of all pairs, so that a held pose
 * is no loop. usable[frame]: 0 for frames with artifacts; NULL: all. Cost: pairs of at most 1200 frames, then of their
 * neighbours. STATUS_BAD_INPUT if the clip is shorter than a period or nothing repeats. */
Status loop_find(const PoseFeatures *features, double frame_time, const uint8_t *usable, const LoopDef *def,
                 LoopSpan *out, Error *err);

/* The clip that loops. */
typedef struct LoopSource {
    ClipView clip; /* skeleton and motion */
    const StandingFeet *feet;
} LoopSource;

/* Measures of a loop. */
typedef struct LoopResult {
    GroundMove step;  /* from one repetition to the next */
    double over;      /* s, blended: less than asked where the loop is short */
} LoopResult;

/* Makes the loop. Frames further from the seam than half the blended interval keep their poses to the bit; with
 * ROOT_MOTION_IN_PLACE but for the root, which loses the step evenly over the period, as on a belt. The caller frees
 * *out. */
Status loop_make(const LoopSource *source, LoopSpan span, const LoopDef *def, Motion *out, LoopResult *result,
                 Error *err);

#endif
