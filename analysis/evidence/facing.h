/* Which way the body faces, and whether the sides in its names agree: knees, toes, elbows and the walking direction
 * show the front, up and front show the left. In a mirror image with its names kept, and where left and right are
 * exchanged, the names give the opposite front. */
#ifndef KANE_EVIDENCE_FACING_H
#define KANE_EVIDENCE_FACING_H

#include "analysis/evidence/body_track.h"
#include "analysis/evidence/evidence.h"
#include "analysis/math/vec.h"

/* Log odds of sides in names. */
#define FACING_NAMES 4

typedef struct FacingJudgement {
    int is_shown;        /* 0: no hips and shoulders, or nothing shows the front */
    int is_contradicted; /* 1: the front that the names give is behind */
    double pelvis_turn;  /* rad, about up between the lines of hips and shoulders, where knees and elbows bend as the
                            latter say and not as the former do; otherwise 0 */
    Evidence evidence;   /* for the names; confidence: probability that they are right */
} FacingJudgement;

/* up: a unit vector. prior: log odds that left and right are right before the motion is seen. */
FacingJudgement facing_judge(const BodyTrack *track, Vec3 up, double rate_factor, double prior);

#endif
