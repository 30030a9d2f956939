/* Puts a clip's motion on another skeleton, feet planted: mapping, alignment, transfer, planting, score.
 *
 * Reference: the same stages as motion editing knows them - M. Gleicher, Retargetting Motion to New Characters (1998);
 * L. Kovar, J. Schreiner, M. Gleicher, Footskate Cleanup for Motion Capture Editing (2002) - written anew. */
#ifndef KANE_RETARGET_RETARGET_H
#define KANE_RETARGET_RETARGET_H

#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/retarget_score.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/lane_width.h"
#include "analysis/retarget/hands.h"
#include "analysis/retarget/joint_limits.h"
#include "analysis/retarget/joint_map.h"
#include "analysis/retarget/plant.h"

typedef struct RetargetDef {
    int source_rest, target_rest; /* REFERENCE_AUTO, REFERENCE_REST or a frame */
    int plant;                    /* 1: feet stay in place */
    PlantDef feet;
    HandReach hands;
    const JointLimits *limits;    /* NULL: none; they hold in the result, before feet and hands have their way and after */
    LaneWidth lanes;
} RetargetDef;

/* A skeleton with the motion it came with, for skeletons whose rest pose is no pose; motion may be NULL. */
typedef struct RetargetBody {
    const Skeleton *skeleton;
    const Motion *motion;
} RetargetBody;

RetargetDef retarget_default_def(void);

/* The map that retarget_motion makes by itself. */
Status retarget_map(const RetargetBody *target, const RetargetBody *source, const RetargetDef *def, JointMap *out,
                    Error *err);

/* Fills *out and *score. map NULL: the one of retarget_map. contact: of the source as the contact stage found it on
 * `seen`, the source's motion as it was differentiated (smoothed, or not); NULL: no foot is in contact. */
Status retarget_motion(const RetargetBody *target, const RetargetBody *source, const JointMap *map,
                       const Contact *contact, const Kinematics *seen, const RetargetDef *def, Motion *out,
                       RetargetScore *score, Error *err);

#endif
