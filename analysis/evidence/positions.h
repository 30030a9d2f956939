/* What the position channels of a file mean.
 *
 * A ROOT OFFSET where the root has position channels too: they are added to it, or stand in for it. */
#ifndef KANE_EVIDENCE_POSITIONS_H
#define KANE_EVIDENCE_POSITIONS_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/evidence/up_axis.h"
#include "analysis/motion/pose_sample.h"

typedef enum RootOffset { ROOT_OFFSET_AUTO = 0, ROOT_OFFSET_ADD, ROOT_OFFSET_REPLACE } RootOffset;

typedef struct RootOffsetDecision {
    RootOffset meaning;
    double confidence; /* 0..1 */
} RootOffsetDecision;

/* Compares the height of the ground under both meanings, and whether the channels start at the offset (replace) or at
 * zero (add). An offset of zero means the same either way: replace, confidence 1. sample holds the channels alone. */
Status root_offset_from_poses(const Skeleton *skeleton, const Motion *motion, const PoseSample *sample, UpAxis up,
                              RootOffsetDecision *out, Error *err);

#endif
