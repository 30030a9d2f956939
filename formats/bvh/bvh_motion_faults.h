/* Findings about the motion that a file makes: what no body does, with frame and joint (analysis/trust), bones that
 * change their length, feet that never come down, and what of them a repair can mend. */
#ifndef KANE_FORMATS_BVH_MOTION_FAULTS_H
#define KANE_FORMATS_BVH_MOTION_FAULTS_H

#include "analysis/clip/clip.h"
#include "analysis/trust/fault.h"
#include "formats/bvh/bvh.h"

/* The kind of finding that a fault of the motion is. */
BvhFault bvh_fault_of(const Fault *fault);

/* clip: of the file as import makes it, without its first `dropped` rows. Needs place. */
Status bvh_find_motion_faults(Bvh *bvh, const Clip *clip, int dropped, Error *err);

/* Makes NaN of the values at fault that can be interpolated: teleports and flips that come back, and held stretches. */
Status bvh_forget_motion_faults(Bvh *bvh, const Clip *clip, int dropped, Error *err);

/* Sets `mended` of the teleports, flips and held stretches that the rows do not show any more; clip: of the mended
 * rows. */
Status bvh_tell_mended_faults(Bvh *bvh, const Clip *clip, int dropped, Error *err);

/* Appends a finding for every joint of a file of the same family that this one lacks. */
Status bvh_compare_family(Bvh *bvh, const Bvh *other, Error *err);

#endif
