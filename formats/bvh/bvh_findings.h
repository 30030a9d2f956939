/* What is wrong with a BVH file beyond its syntax, and what every kind of finding means. */
#ifndef KANE_BVH_BVH_FINDINGS_H
#define KANE_BVH_BVH_FINDINGS_H

#include "analysis/clip/clip.h"
#include "analysis/detect/import_guess.h"
#include "analysis/quality/artifact.h"
#include "formats/bvh/bvh.h"

/* Findings about the motion that a file makes: what no body does, with frame and joint (analysis/quality), bones that
 * change their length, feet that never come down, and what of them a repair can mend. */

/* The kind of finding that a fault of the motion is. */
BvhFault bvh_fault_of(const Artifact *fault);

/* clip: of the file as import makes it, without its first `dropped` rows. Needs place. */
Status bvh_find_motion_faults(Bvh *bvh, const Clip *clip, int dropped, Error *err);

/* Makes NaN of the values at fault that can be interpolated: teleports and flips that come back, and held stretches. */
Status bvh_forget_motion_faults(Bvh *bvh, const Clip *clip, int dropped, Error *err);

/* Sets `mended` of the teleports, flips and held stretches that the rows do not show any more; clip: of the mended
 * rows. */
Status bvh_tell_mended_faults(Bvh *bvh, const Clip *clip, int dropped, Error *err);

/* Appends a finding for every joint of a file of the same family that this one lacks. */
Status bvh_compare_family(Bvh *bvh, const Bvh *other, Error *err);

typedef struct BvhFaultInfo {
    const char *name;    /* "euler-flip": for scripts */
    const char *meaning; /* one sentence for a person */
    const char *repair;  /* what bvh_repair does; NULL: nothing */
    int is_note;         /* 1: nothing that kane computes feels it */
    int is_refused;      /* 1: kane import refuses the file */
} BvhFaultInfo;

/* Valid for the life of the program. */
const BvhFaultInfo *bvh_fault_info(BvhFault fault);

/* Appends findings about the values of a file that was read with def.tolerant: repeated and missing rows, Euler
 * flips, a first frame that does not belong to the take, frame time, unit and up axis that cannot be told. Needs
 * place. */
Status bvh_inspect(Bvh *bvh, const ImportGuessDef *def, Error *err);

/* The clip that import would make of the file, missing numbers filled in a copy; whether the first row was dropped
 * stands in the decision. The caller frees the clip. */
Status bvh_whole_clip(const Bvh *bvh, const ImportGuessDef *def, Clip *out, ImportGuess *decision, Error *err);

#endif
