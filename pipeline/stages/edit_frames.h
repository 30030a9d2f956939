/* Frames of a clip that take the poses of an edited motion. */
#ifndef KANE_STAGES_EDIT_FRAMES_H
#define KANE_STAGES_EDIT_FRAMES_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

typedef struct FrameSpan {
    int first, count; /* count 0: none */
} FrameSpan;

/* Gives frames from `at` on the poses of an edited motion where they differ by more than the rounding of 32-bit floats
 * (1e-5 rad, 1e-5 m), and clears the flags of the recording there. *changed: from the first frame that differs to the
 * last. All other frames keep their bits: after a whole turn within the edited ones, signs of quaternions are opposite.
 * STATUS_BAD_INPUT if frames or translations have no place in the clip. */
Status edit_frames_put(const Motion *edited, int at, Clip *clip, FrameSpan *changed, Error *err);

#endif
