/* A stretch of a clip: the same numbers in the frames that stay. */
#ifndef KANE_FORMATS_CLIP_FRAMES_H
#define KANE_FORMATS_CLIP_FRAMES_H

#include "analysis/clip/clip.h"

/* Keeps frames first to first + count - 1, which the clip has, of every array over frames that a container holds. The
 * steps of /tracking are others and stay as they are. Frames that /retarget and the neutral pose name are counted from
 * the new beginning. */
void clip_keep_frames(Clip *clip, int first, int count);

#endif
