/* Retargets a clip's motion to another skeleton and plants its feet: mapping, alignment, transfer, planting, score.
 * World axes, m, rad.
 *
 * Reference: the stages are those of M. Gleicher, Retargetting Motion to New Characters (1998), and L. Kovar, J.
 * Schreiner, M. Gleicher, Footskate Cleanup for Motion Capture Editing (2002); implemented independently. */
#ifndef KANE_RETARGET_RETARGET_H
#define KANE_RETARGET_RETARGET_H

#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/retarget_score.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/lane_width.h"
#include "analysis/retarget/feet.h"
#include "analysis/retarget/hands.h"
#include "analysis/retarget/joint_map.h"
#include "analysis/retarget/reference_pose.h"

/* Plants feet and hands of a copied motion: goals from the source's feet and hands, one smooth optimization of hips,
 * legs and arms, and toes that bend where they would sink.
 *
 * The body is first shifted to the mean height of its own feet, so that the optimization only corrects small
 * differences in foot length, hip width and thigh to shank ratio. */

typedef struct PlantDef {
    FootGoalDef foot;
    LimbSolveDef solve;
    double strength;  /* 0 .. 1: goals interpolate from the copied motion (0) to the source's (1); default 1 */
    int free_fall;    /* 1: in flight the body falls with g at any size; 0: with g scaled; default 0 */
    double bend_time; /* s: half width of the smooth envelope of toe bend; default 0.1 */
} PlantDef;

PlantDef plant_default_def(void);

/* Both bodies in motion and the poses in which they are compared. */
typedef struct PlantedBody {
    const FootPair *pair;
    const ReferencePose *target, *source;
    int with_hands; /* 1: hands hold the same parts as the source's (hands.h) */
} PlantedBody;

/* Changes the root's path and the rotations of legs, toes and arms in *motion. */
Status plant_motion(const PlantedBody *body, const PlantDef *def, Motion *motion, Error *err);

/* Raises the root of *motion by a smooth envelope so that no sole is deeper in the ground than the source's: joint
 * limits may straighten legs after planting. */
Status plant_raise(const PlantedBody *body, Motion *motion, Error *err);

/* Bodies without corresponding feet, such as a human and a dog: the lowest point of the target's feet gets the height
 * of the source's, scaled. */

/* A body and the world poses of its joints. */
typedef struct PosedBody {
    const Skeleton *skeleton;
    const Vec3 *position;    /* [frame][joint] m */
    const Quat *orientation; /* [frame][joint] */
    const unsigned char *is_foot; /* [joint] 1: foot, paw or hand that stands on the ground; NULL: all joints count */
} PosedBody;

/* Shifts the root of *motion, whose poses are those of target, along the unit vector up; scale: target over source. The
 * shift is a smooth envelope with a half width of 0.05 s, below which no frame lies. */
Status ground_level(const PosedBody *target, const PosedBody *source, Vec3 up, double scale, Motion *motion,
                    Error *err);

typedef struct RetargetDef {
    int source_rest, target_rest; /* REFERENCE_AUTO, REFERENCE_REST, ... or a frame (reference_pose.h) */
    PlantMode plant;              /* default PLANT_KEEP */
    const ContactEdits *contacts;  /* contacts that replace the detected ones; NULL: none */
    PlantDef feet;
    HandReach hands;
    const JointLimits *limits;    /* NULL: none; applied before planting and again to the result */
    int score_mirror;             /* 1: also retargets the mirrored clip, for the metric mirror_cm; default 1 */
    LaneWidth lanes;
} RetargetDef;

RetargetDef retarget_default_def(void);

/* Source and target of a retargeting; not owned. */
typedef struct RetargetJob {
    ClipView target;        /* skeleton; motion: its own motion, used if its rest pose does not stand, or NULL */
    ClipView source;        /* skeleton and motion; with a contact also kinematics: of the motion as the contact
                               stage read it, smoothed or not */
    const Contact *contact; /* of the source, from the contact stage; NULL: no foot is in contact */
    const JointMap *map;    /* NULL: that of retarget_map */
} RetargetJob;

/* The map that retarget_motion uses by default. For a human and a creature it is joint_map_template's, to be edited. */
Status retarget_map(const RetargetJob *job, const RetargetDef *def, JointMap *out, Error *err);

/* The contacts of the source's feet that retarget_motion uses by default; the job needs no target. */
Status retarget_contacts(const RetargetJob *job, const RetargetDef *def, ContactEdits *out, Error *err);

/* Retargets the motion. Fills *out, which the caller frees, and *score. */
Status retarget_motion(const RetargetJob *job, const RetargetDef *def, Motion *out, RetargetScore *score, Error *err);

/* Metrics of a retargeted motion against its source (RetargetScore): feet, bones, knees, hips, wrists and arms, each
 * with its worst frame. */

/* World poses of both motions, and means of per-frame values. */

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
    double sum, count, most;
    int frame;
} ScoreMean;

void score_add(ScoreMean *mean, double value, int frame);

/* NaN without values. score_worst: the frame of the largest value. */
double score_mean(const ScoreMean *mean);
double score_worst(const ScoreMean *mean);

/* Sets wrist_depth_increase_cm. The pair must have a contact. */
void score_wrists(const ScoredPair *pair, RetargetScore *score);

/* Sets overlap_increase_cm: bones as capsules (analysis/body/capsules.h), arms against trunk, head, legs and each
 * other. */
void score_overlap(const ScoredPair *pair, RetargetScore *score);

/* Sets all metrics but scale, those of rest pose, mirror and residual, hand_reach_cm and limits_hit. */
Status scorecard_measure(const ScoredPair *pair, RetargetScore *score, Error *err);

#endif
