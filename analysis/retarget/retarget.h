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
#include "analysis/math/lane_width.h"
#include "analysis/retarget/contact_edits.h"
#include "analysis/retarget/hands.h"
#include "analysis/retarget/joint_limits.h"
#include "analysis/retarget/joint_map.h"
#include "analysis/retarget/planting.h"
#include "analysis/retarget/props.h"
#include "analysis/retarget/root_placement.h"

typedef struct RetargetDef {
    int source_rest, target_rest; /* REFERENCE_AUTO, REFERENCE_REST, ... or a frame (reference_pose.h) */
    PlantMode plant;              /* default PLANT_KEEP */
    const ContactEdits *contacts;  /* contacts that replace the detected ones; NULL: none */
    PlantDef feet;
    HandReach hands;
    const HandHold *hold;         /* [hold_count] what hands hold besides; NULL: nothing */
    int hold_count;
    int root;                     /* ROOT_AUTO, the default, or a RootMotion (root_placement.h) */
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

/* Gives the target's skeleton the standing pose in which it was compared if that is from a frame, so that a later
 * retargeting of the result compares the same one and finds the same soles. target: that of the job, or a copy. */
Status retarget_keep_pose(const RetargetJob *job, const RetargetDef *def, Skeleton *target, Error *err);

/* Retargets the motion. Fills *out, which the caller frees, and *score. */
Status retarget_motion(const RetargetJob *job, const RetargetDef *def, Motion *out, RetargetScore *score, Error *err);

#endif
