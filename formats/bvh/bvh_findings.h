/* What is wrong with a BVH file beyond its syntax, and what every kind of finding means. */
#ifndef KANE_FORMATS_BVH_FINDINGS_H
#define KANE_FORMATS_BVH_FINDINGS_H

#include "analysis/clip/clip.h"
#include "analysis/evidence/evidence.h"
#include "formats/bvh/bvh.h"

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
Status bvh_inspect(Bvh *bvh, const EvidenceDef *def, Error *err);

/* The clip that import would make of the file, missing numbers filled in a copy; whether the first row was dropped
 * stands in the decision. The caller frees the clip. */
Status bvh_whole_clip(const Bvh *bvh, const EvidenceDef *def, Clip *out, Evidence *decision, Error *err);

#endif
