/* The feet of a clip for an edit of its motion: soles and contacts. */
#ifndef KANE_STAGES_CLIP_FEET_H
#define KANE_STAGES_CLIP_FEET_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/transition/transition.h"

/* Uses the contacts of the clip or, if it has none, estimates them in *seen, which the caller frees and which must
 * outlive *out. If they cannot be estimated, no foot is known. */
Status clip_feet(const Clip *clip, Clip *seen, StandingFeet *out, Arena *arena, Error *err);

/* Marks the frames without artifacts; NULL (all frames) without /trust, or if most have one: what all frames have
 * does not distinguish them. */
Status clip_usable_frames(const Clip *clip, uint8_t **usable, Arena *arena, Error *err);

#endif
