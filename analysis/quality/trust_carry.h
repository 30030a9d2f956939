/* Flags set by import stay with their frames when a stage resamples the motion or changes the skeleton. Only bits of
 * TRUST_SOURCE and TRUST_ADJACENT_JOINT are copied: flags set by a stage on the old motion are dropped. */
#ifndef KANE_QUALITY_TRUST_CARRY_H
#define KANE_QUALITY_TRUST_CARRY_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/clip/trust.h"

/* To a motion of the same joints over part of the same time, at any rate: a frame takes the reasons of all frames that
 * its values derive from or that it represents. On failure *out is empty. */
Status trust_carry_frames(const Trust *from, const Motion *old, const Motion *now, Trust *out, Error *err);

/* Carries the clip's own trust, before the clip takes the motion `now`. Does nothing for a clip without trust. */
Status trust_follow(Clip *clip, const Motion *now, Error *err);

/* To one frame of a clip of the same joints, in addition to the flags that it has. */
void trust_carry_frame(const Trust *from, int source, Trust *to, int frame);

/* To another skeleton that moves with the same frames: a joint takes the reasons of the joint with its role or, if it
 * has none, its name. */
Status trust_carry_joints(const Trust *from, const Skeleton *old, const Skeleton *now, Trust *out, Error *err);

#endif
