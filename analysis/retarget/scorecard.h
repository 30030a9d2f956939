/* Metrics of a retargeted motion against its source (RetargetScore): feet, bones, knees, hips, wrists and arms, each
 * with its worst frame. */
#ifndef KANE_RETARGET_SCORECARD_H
#define KANE_RETARGET_SCORECARD_H

#include "analysis/clip/retarget_score.h"
#include "analysis/clip/skeleton.h"
#include "analysis/retarget/foot_contact.h"
#include "analysis/retarget/foot_goal.h"
#include "analysis/retarget/reference_pose.h"

/* One motion by its world pose. */
typedef struct ScoredPose {
    const ReferencePose *reference;
    SoledPose pose; /* sole NULL: unknown */
} ScoredPose;

/* The target and the source it is compared with. */
typedef struct ScoredPair {
    ScoredPose target, source;
    const FootContact *contact; /* of the source's feet; NULL: unknown, metrics of feet and ground stay unset */
    int frame_count;
    double frame_time, scale;
} ScoredPair;

/* World positions of one frame. */
static inline const Vec3 *scored_positions(const ScoredPose *p, int frame)
{
    return p->pose.position + (size_t)frame * (size_t)p->pose.joint_count;
}

static inline const Quat *scored_orientations(const ScoredPose *p, int frame)
{
    return p->pose.orientation + (size_t)frame * (size_t)p->pose.joint_count;
}

/* World vector between the joints of two roles, m; zero if one is missing. */
Vec3 scored_between(const ScoredPose *p, int frame, Role from, Role to);

/* Angle between two vectors, degrees. */
double scored_angle(Vec3 a, Vec3 b);

/* Mean of values, and the frame of the largest. Begin with (ScoreMean){0}. */
typedef struct ScoreMean {
    double sum, count, max;
    int frame;
} ScoreMean;

void score_add(ScoreMean *mean, double value, int frame);

/* NaN without values. score_worst: the frame of the largest value. */
double score_mean(const ScoreMean *mean);
double score_worst(const ScoreMean *mean);

/* Sets wrist_depth_increase_cm. The pair must have a contact. */
void score_wrists(const ScoredPair *pair, RetargetScore *score);

/* Sets all metrics but scale, those of rest pose, mirror and residual, hand_reach_cm and limits_hit. */
Status scorecard_measure(const ScoredPair *pair, RetargetScore *score, Error *err);

#endif
