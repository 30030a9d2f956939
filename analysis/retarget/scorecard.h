/* Measures a retargeted motion against its source: the figures of RetargetScore.
 *
 * Feet, bones, knees, hips, wrists and arms; each with the frame in which it is worst. */
#ifndef KANE_RETARGET_SCORECARD_H
#define KANE_RETARGET_SCORECARD_H

#include "analysis/clip/clip.h"
#include "analysis/retarget/feet.h"
#include "analysis/retarget/reference_pose.h"

/* What a scorecard compares: two motions by their world poses, and the means of what is measured frame by frame. */

/* One motion by its world pose. */
typedef struct ScoredPose {
    const ReferencePose *reference;
    SoledPose pose; /* sole NULL: soles are not known */
} ScoredPose;

/* What is measured against what. */
typedef struct ScoredPair {
    ScoredPose target, source;
    const FootContact *contact; /* of the source's feet; NULL: not known, and nothing of feet and ground is measured */
    int frame_count;
    double frame_time, scale;
} ScoredPair;

/* Of one frame. */
static inline const Vec3 *scored_places(const ScoredPose *p, int frame)
{
    return p->pose.position + (size_t)frame * (size_t)p->pose.joint_count;
}

static inline const Quat *scored_turns(const ScoredPose *p, int frame)
{
    return p->pose.orientation + (size_t)frame * (size_t)p->pose.joint_count;
}

/* From the joint of one role to that of another; zero where one is missing. */
Vec3 scored_between(const ScoredPose *p, int frame, Role from, Role to);

/* Degrees. */
double scored_angle(Vec3 a, Vec3 b);

/* The mean of values, and the frame of the largest: (ScoreMean){0} to begin. */
typedef struct ScoreMean {
    double sum, count, most;
    int frame;
} ScoreMean;

void score_add(ScoreMean *mean, double value, int frame);

/* NaN where there was none. */
double score_mean(const ScoreMean *mean);
double score_worst(const ScoreMean *mean);

/* wrist_depth_added_cm. The pair has a contact. */
void score_wrists(const ScoredPair *pair, RetargetScore *score);

/* overlap_added_cm: bones as capsules (analysis/body/capsules.h), arms against trunk, head, legs and each other. */
void score_overlap(const ScoredPair *pair, RetargetScore *score);

/* Fills all figures but scale, those of rest, mirror and residual, hand_reach_cm and limits_hit. */
Status scorecard_measure(const ScoredPair *pair, RetargetScore *score, Error *err);

#endif
