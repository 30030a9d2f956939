/* Puts a clip's motion on another skeleton, feet planted: mapping, alignment, transfer, planting, score.
 *
 * Reference: the same stages as motion editing knows them - M. Gleicher, Retargetting Motion to New Characters (1998);
 * L. Kovar, J. Schreiner, M. Gleicher, Footskate Cleanup for Motion Capture Editing (2002) - written independently. */
#ifndef KANE_RETARGET_RETARGET_H
#define KANE_RETARGET_RETARGET_H

#include "analysis/clip/clip.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/lane_width.h"
#include "analysis/retarget/feet.h"
#include "analysis/retarget/hands.h"
#include "analysis/retarget/joint_map.h"
#include "analysis/retarget/reference_pose.h"

/* Feet and hands of a copied motion: goals from what the source's do, one smooth optimisation for hips, legs and arms,
 * toes that bend where they would sink.
 *
 * Before anything else the body is lifted to where its own feet stand on average, so that what is left to the
 * optimisation is small: feet of another length, hips of another width, thigh and shank of another share. */

typedef struct PlantDef {
    FootGoalDef foot;
    LimbSolveDef solve;
    double strength;  /* 0 .. 1: how far goals lie from the copied motion to the source's; default 1 */
    int free_fall;    /* 1: in flight the body falls with g whatever its size; 0: with g scaled; default 0 */
    double bend_time; /* s: half width of the smooth envelope by which toes bend up; default 0.1 */
} PlantDef;

PlantDef plant_default_def(void);

/* Both bodies in motion, and the poses in which they were compared. */
typedef struct PlantedBody {
    const FootPair *pair;
    const ReferencePose *target, *source;
    int with_hands; /* 1: hands hold what the source's hold (hands.h) */
} PlantedBody;

/* Changes the root's path and the rotations of legs and toes in *motion. */
Status plant_motion(const PlantedBody *body, const PlantDef *def, Motion *motion, Error *err);

/* Raises the root of *motion by a smooth envelope so that no sole is deeper in the ground than the source's: joint
 * limits may have straightened what planting bent. */
Status plant_raise(const PlantedBody *body, Motion *motion, Error *err);

/* Bodies that have no feet in common, a human and a dog: the lowest point of the one's feet is as high as the other's,
 * scaled, so that a standing source gives a standing target. */

/* A body and where its joints are in every frame. */
typedef struct PosedBody {
    const Skeleton *skeleton;
    const Vec3 *position;    /* [frame][joint] m */
    const Quat *orientation; /* [frame][joint] */
    const unsigned char *is_foot; /* [joint] 1: of a foot, paw or hand, which stand; NULL: all count */
} PosedBody;

/* Moves the root of *motion, which the target's poses are of, along the unit vector up; scale: of the target over the
 * source. The way is smooth over 0.05 s to both sides, and no frame sinks for that. */
Status ground_level(const PosedBody *target, const PosedBody *source, Vec3 up, double scale, Motion *motion,
                    Error *err);

typedef struct RetargetDef {
    int source_rest, target_rest; /* REFERENCE_AUTO, REFERENCE_REST or a frame */
    PlantMode plant;              /* default keep */
    const ContactEdits *contacts;  /* NULL: those found; they replace them */
    PlantDef feet;
    HandReach hands;
    const JointLimits *limits;    /* NULL: none; they hold in the result, before feet and hands have their way and
                                     after */
    int score_mirror;             /* 1: the mirrored clip is retargeted too, for the metric mirror_cm; default 1 */
    LaneWidth lanes;
} RetargetDef;

RetargetDef retarget_default_def(void);

/* What is put on what. */
typedef struct RetargetJob {
    ClipView target;        /* skeleton; motion: what it came with, where its rest pose is no pose, or NULL */
    ClipView source;        /* skeleton and motion; with a contact also kinematics: of the motion as the contact stage
                               saw it, smoothed or not */
    const Contact *contact; /* of the source, of the contact stage; NULL: no foot is in contact */
    const JointMap *map;    /* NULL: the one of retarget_map */
} RetargetJob;

/* The map that retarget_motion makes by itself; of a human and what is none, to begin with, joint_map_template's. */
Status retarget_map(const RetargetJob *job, const RetargetDef *def, JointMap *out, Error *err);

/* The contacts of the source's feet that retarget_motion makes by itself; the job needs no target. */
Status retarget_contacts(const RetargetJob *job, const RetargetDef *def, ContactEdits *out, Error *err);

/* Fills *out and *score. */
Status retarget_motion(const RetargetJob *job, const RetargetDef *def, Motion *out, RetargetScore *score, Error *err);

/* Measures a retargeted motion against its source: the metrics of RetargetScore.
 *
 * Feet, bones, knees, hips, wrists and arms; each with the frame in which it is worst. */

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

/* wrist_depth_increase_cm. The pair has a contact. */
void score_wrists(const ScoredPair *pair, RetargetScore *score);

/* overlap_increase_cm: bones as capsules (analysis/body/capsules.h), arms against trunk, head, legs and each other. */
void score_overlap(const ScoredPair *pair, RetargetScore *score);

/* Fills all metrics but scale, those of rest, mirror and residual, hand_reach_cm and limits_hit. */
Status scorecard_measure(const ScoredPair *pair, RetargetScore *score, Error *err);

#endif
