/* What a ROOT OFFSET means where the root also has position channels: added to them, or replaced by them. */
#ifndef KANE_EVIDENCE_ROOT_OFFSET_H
#define KANE_EVIDENCE_ROOT_OFFSET_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/motion/pose_sample.h"
#include "analysis/evidence/up_axis.h"

typedef enum RootOffset { ROOT_OFFSET_AUTO = 0, ROOT_OFFSET_ADD, ROOT_OFFSET_REPLACE } RootOffset;

/* Compares the height of the ground under both meanings, and whether the channels start at the offset (replace) or at
 * zero (add). An offset of zero means the same either way: replace, confidence 1. sample holds the channels alone. */
Status root_offset_from_poses(const Skeleton *skeleton, const Motion *motion, const PoseSample *sample, UpAxis up,
                              RootOffset *meaning, double *confidence, Error *err);

#endif
