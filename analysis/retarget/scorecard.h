/* Measures a retargeted motion against its source: the figures of RetargetScore. */
#ifndef KANE_RETARGET_SCORECARD_H
#define KANE_RETARGET_SCORECARD_H

#include "analysis/clip/retarget_score.h"
#include "analysis/retarget/foot_contact.h"

/* One motion by its world pose. */
typedef struct ScoredPose {
    const ReferencePose *reference;
    const Sole *sole;        /* [foot] */
    const Vec3 *position;    /* [frame][joint] m */
    const Quat *orientation; /* [frame][joint] */
} ScoredPose;

/* Fills the figures of feet and bones; score->scale is set. contact NULL: of bones only. */
void scorecard_measure(const ScoredPose *target, const ScoredPose *source, const FootContact *contact,
                       int frame_count, RetargetScore *score);

#endif
