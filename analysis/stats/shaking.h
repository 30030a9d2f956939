/* Shakes that last for most of a clip: its motion, or noise of its recording. */
#ifndef KANE_STATS_SHAKING_H
#define KANE_STATS_SHAKING_H

#include "analysis/clip/clip.h"

/* Whether a joint is flagged as shaking (TRUST_FLICKER) for most of the clip. */
int shaking_lasts(const Clip *clip, int joint);

/* Whether joints shake for most of the clip, and few of them: noise shakes most joints. */
int shaking_is_motion(const Clip *clip);

/* Whether the steps of a joint from frame first to last turn back as often as those of noise, of which two in three do.
 * Of a motion before it is smoothed. */
int shaking_is_jitter(const Motion *motion, int joint, int first, int last);

/* Whether most joints of an imported clip jitter over all its frames, by more than the bands of a verdict contain. */
int shaking_is_noise(const Clip *imported);

#endif
