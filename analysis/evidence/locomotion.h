/* How the body moves along, from the motion of the feet relative to the pelvis: with a path; in place; on a treadmill;
 * on pedals. Forces of the feet on a moving or missing ground are not those of the recorded path. */
#ifndef KANE_EVIDENCE_LOCOMOTION_H
#define KANE_EVIDENCE_LOCOMOTION_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/evidence/body_track.h"
#include "analysis/evidence/evidence.h"
#include "analysis/math/vec.h"

typedef enum LocomotionKind {
    LOCOMOTION_PATH,      /* the steps make the path, or there are no steps */
    LOCOMOTION_IN_PLACE,  /* steps without a path: it was removed, and with it the accelerations along the ground */
    LOCOMOTION_TREADMILL, /* steps on ground that moves evenly */
    LOCOMOTION_CYCLING    /* the feet go round */
} LocomotionKind;

typedef struct LocomotionJudgement {
    LocomotionKind kind;
    Vec3 belt;         /* velocity of the ground, units of the motion per s of the labelled rate; treadmill only */
    double path;       /* path per step over the distance between the ankles, median; 1 in walking */
    Evidence evidence; /* for LOCOMOTION_PATH; confidence: its probability */
} LocomotionJudgement;

/* up: a unit vector. */
Status locomotion_judge(const BodyTrack *track, Vec3 up, LocomotionJudgement *out, Error *err);

/* What a body with human hips and knees lacks below them. */
typedef enum LegsLack {
    LEGS_LACK_NOTHING,
    LEGS_LACK_FEET,   /* the legs end at the ankles */
    LEGS_LACK_SHANKS, /* a leg ends at the knee: the body has no contact with the ground */
} LegsLack;

LegsLack locomotion_legs_lack(const Skeleton *skeleton);

#endif
