/* One neutral pose per skeleton, inferred from all clips of that skeleton. */
#ifndef KANE_ANGLES_NEUTRAL_FAMILY_H
#define KANE_ANGLES_NEUTRAL_FAMILY_H

#include "analysis/angles/neutral_pose.h"
#include "analysis/base/status.h"
#include "analysis/clip/clip_view.h"
#include "analysis/clip/skeleton.h"
#include "analysis/detect/import_guess.h"

/* The neutral pose that one clip shows. */
typedef struct NeutralVote {
    NeutralAngles angles; /* count 0: not a human, or no pose found */
    NeutralDoubt doubt;   /* nonzero: the clip has no vote */
    double flat;          /* s, as NeutralPose.flat */
    int pelvis, trunk, foot[2]; /* indices in `angles` of the joints by which poses are compared; -1: none */
} NeutralVote;

/* What was detected of one file of a family: import settings, and the neutral pose that was measured with them. */
typedef struct FamilyMember {
    int is_read;      /* 0: nothing */
    ImportGuess guess;
    NeutralVote pose; /* angles.count 0: not measured */
} FamilyMember;

/* Finds the neutral pose from the clip's own motion. Errors: only STATUS_NO_MEMORY. */
Status neutral_vote_cast(const ClipView *clip, NeutralVote *vote, Error *err);

/* Whether the pose is doubtful, so that the clip has no vote. */
int neutral_vote_has_doubt(const NeutralVote *vote);

/* Sets family->neutral from at most FAMILY_CLIPS votes: per joint the rotation with the least sum of distances to the
 * votes, weighted by the time that feet are flat. neutral_confidence is the fraction of the weight that does not
 * contradict it; 0: no clip has a vote. */
void neutral_family_decide(const NeutralVote *vote, int count, Family *family);

/* Probability that the clip's neutral pose differs from the family's by more than measurement error, from the largest
 * tilt among pelvis, trunk and feet. */
double neutral_family_contradiction(const NeutralVote *own, const NeutralAngles *family);

#endif
