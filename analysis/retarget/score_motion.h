/* How knees, hips and head of a retargeted motion move, against the source's. */
#ifndef KANE_RETARGET_SCORE_MOTION_H
#define KANE_RETARGET_SCORE_MOTION_H

#include "analysis/retarget/scored_pair.h"

/* knee_acceleration, hip_acceleration, hip_jerk, hip_drop_cm and head_deg. Rates are those of differences after a
 * zero-lag Butterworth filter of 12 Hz, their 99th percentile over the source's, scaled. */
Status score_motion(const ScoredPair *pair, RetargetScore *score, Error *err);

#endif
