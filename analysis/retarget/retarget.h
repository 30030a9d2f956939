/* Puts a clip's motion on another skeleton, feet planted: mapping, alignment, transfer, planting, score.
 *
 * Reference: the same stages as motion editing knows them - M. Gleicher, Retargetting Motion to New Characters (1998);
 * L. Kovar, J. Schreiner, M. Gleicher, Footskate Cleanup for Motion Capture Editing (2002) - written anew. */
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
#include "analysis/retarget/planting.h"
#include "analysis/retarget/reference_pose.h"

/* Bodies that have no feet in common, a human and a dog: the lowest point of the one's feet is as high as the other's,
 * scaled, so that what stands, stands. */

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
    int score_mirror;             /* 1: the mirrored clip is put on too, for the figure mirror_cm; default 1 */
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

#endif
