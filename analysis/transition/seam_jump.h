/* Jumps of pose and velocity between neighbouring frames: at a seam, and the usual ones of a clip. */
#ifndef KANE_TRANSITION_SEAM_JUMP_H
#define KANE_TRANSITION_SEAM_JUMP_H

#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/motion/root_motion.h"

/* RMS over the joints, m. */
typedef struct SeamJump {
    double pose;     /* displacement from one frame to the next */
    double velocity; /* change of that displacement at a frame */
} SeamJump;

/* The 99th percentile over the frames of a clip; zeros for fewer than 3 frames. */
Status seam_jump_usual(const ClipView *clip, SeamJump *out, Error *err);

/* From the last frame of a loop to its first, moved by the step; the velocity changes in both. */
Status seam_jump_loop(const ClipView *loop, const GroundMove *step, SeamJump *out, Error *err);

/* The largest in the frames first to last of a clip. */
Status seam_jump_interval(const ClipView *clip, int first, int last, SeamJump *out, Error *err);

#endif
