/* Hands and arms of a retargeted motion: depth under the ground, hands that bear, arms inside the body. */
#ifndef KANE_RETARGET_SCORE_HANDS_H
#define KANE_RETARGET_SCORE_HANDS_H

#include "analysis/retarget/scored_pair.h"

/* wrist_depth_added_cm, hand_contact_kept. The pair has a contact. */
void score_hands(const ScoredPair *pair, RetargetScore *score);

/* hand_body_cm: of wrists that are near trunk, head or legs in the source. */
void score_hand_body(const ScoredPair *pair, RetargetScore *score);

/* overlap_added_cm: bones as capsules (analysis/body/capsules.h), arms against trunk, head, legs and each other. */
void score_overlap(const ScoredPair *pair, RetargetScore *score);

#endif
