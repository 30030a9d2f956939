/* What import found goes with the frames where a stage takes others of them, or another skeleton.
 *
 * Only bits of TRUST_SOURCE and TRUST_NEIGHBOUR are carried: what a stage found on the old motion falls with it. */
#ifndef KANE_TRUST_TRUST_CARRY_H
#define KANE_TRUST_TRUST_CARRY_H

#include "analysis/clip/clip.h"

/* To a motion of the same joints over part of the same time, at any rate: a frame takes the reasons of all frames that
 * its values come from or that it stands for. On failure *out is empty. */
Status trust_carry_frames(const Trust *from, const Motion *old, const Motion *now, Trust *out, Error *err);

/* The clip's own, before it takes the motion `now`. Does nothing where nobody has judged it. */
Status trust_follow(Clip *clip, const Motion *now, Error *err);

/* To another skeleton that moves with the same frames: a joint takes the reasons of the one with its role or, where it
 * has none, its name. */
Status trust_carry_joints(const Trust *from, const Skeleton *old, const Skeleton *now, Trust *out, Error *err);

#endif
