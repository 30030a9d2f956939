/* What a clip in the world's axes shows of its frame rate, its world, the sides in its names and its path, against what
 * its file states. */
#ifndef KANE_EVIDENCE_MOTION_EVIDENCE_H
#define KANE_EVIDENCE_MOTION_EVIDENCE_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/evidence/body_track.h"
#include "analysis/evidence/facing.h"
#include "analysis/evidence/lean.h"
#include "analysis/evidence/locomotion.h"
#include "analysis/evidence/rate_evidence.h"

typedef struct MotionEvidenceDef {
    Vec3 up;              /* unit vector */
    double metre;         /* units of the motion per metre; 0: uncertain, from the leg */
    int rate_is_unstated; /* 1: the file states no rate */
    int rate_is_given;    /* 1: the user has set it: it is not doubted */
    double sides;         /* log odds that left and right are right before the motion is seen (facing.h) */
} MotionEvidenceDef;

typedef struct MotionEvidence {
    RateJudgement rate;
    LeanJudgement lean;
    FacingJudgement facing;
    LocomotionJudgement locomotion;
    LegsLack legs_lack;
} MotionEvidence;

/* track: of the motion; on a treadmill its path over the ground is restored. */
Status motion_evidence_judge(const Skeleton *skeleton, BodyTrack *track, const MotionEvidenceDef *def,
                             MotionEvidence *out, Error *err);

/* Adds the path -belt t to a motion on ground that moves with the velocity belt, units per s. */
void motion_take_off_belt(Motion *motion, Vec3 belt);

#endif
