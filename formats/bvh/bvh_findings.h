/* What is wrong with a BVH file beyond its syntax, and what every kind of finding means. */
#ifndef KANE_BVH_BVH_FINDINGS_H
#define KANE_BVH_BVH_FINDINGS_H

#include "analysis/clip/clip.h"
#include "analysis/detect/take.h"
#include "formats/bvh/bvh.h"

/* What the kinds of BVH mean. */
extern const FindingInfo bvh_own_findings[BVH_FAULT_COUNT - FINDING_KIND_COUNT];

/* What bvh_repair does about a kind: "interpolates the row"; NULL: nothing. */
const char *bvh_repair_words(int kind);

/* The take of a file that was read with def.tolerant: missing numbers filled, with the file's rows and places. *bvh
 * must outlive it. *out is to be freed, also on failure. */
Status take_of_tolerant_bvh(Bvh *bvh, Take *out, Error *err);

/* Makes NaN of the values at fault that can be interpolated: teleports and flips that come back, and held stretches.
 * clip: of the file as import makes it, without its first `dropped` rows. Needs place. */
Status bvh_forget_motion_faults(Bvh *bvh, const Clip *clip, int dropped, Error *err);

/* Sets `mended` of the teleports, flips and held stretches that the rows do not show any more; clip: of the mended
 * rows. */
Status bvh_tell_mended_faults(Bvh *bvh, const Clip *clip, int dropped, Error *err);

/* The clip that import would make of the file, missing numbers filled in a copy; whether the first row was dropped
 * stands in the decision. The caller frees the clip. */
Status bvh_whole_clip(const Bvh *bvh, const ImportGuessDef *def, Clip *out, ImportGuess *decision, Error *err);

#endif
