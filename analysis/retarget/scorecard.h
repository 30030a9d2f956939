/* Measures a retargeted motion against its source: the figures of RetargetScore.
 *
 * Feet and bones are measured here, knees, hips and head in score_motion.h, hands and arms in score_hands.h. */
#ifndef KANE_RETARGET_SCORECARD_H
#define KANE_RETARGET_SCORECARD_H

#include "analysis/retarget/scored_pair.h"

/* Fills all figures but scale, those of rest, mirror and residual, hand_reach_cm and limits_hit. */
Status scorecard_measure(const ScoredPair *pair, RetargetScore *score, Error *err);

#endif
