/* Meaning of the position channels of joints below the root. */
#ifndef KANE_DETECT_POSITIONS_H
#define KANE_DETECT_POSITIONS_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/detect/position_meaning.h"

typedef struct PositionDecision {
    PositionMeaning meaning;
    double confidence; /* 0..1 */
    int is_overruled;  /* 1: replaces the detection from the file alone (import_guess.h, Family) */
} PositionDecision;

/* Returns "local", "added" or "world". */
const char *position_meaning_name(PositionMeaning meaning);

/* Detects the meaning under which bone lengths are constant, and agree with the offsets, for the most joints. Each
 * joint's vote has a limited weight, so that none outweighs the others. motion->translation contains the raw channels,
 * root_position those of the root. Without translation: local, confidence 1. */
Status positions_decide(const Skeleton *skeleton, const Motion *motion, PositionDecision *out, Error *err);

#endif
