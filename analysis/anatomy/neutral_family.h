/* One skeleton, one neutral pose: what the clips of one skeleton (analysis/evidence/family.h) show of it together. */
#ifndef KANE_ANATOMY_NEUTRAL_FAMILY_H
#define KANE_ANATOMY_NEUTRAL_FAMILY_H

#include "analysis/anatomy/neutral_angles.h"
#include "analysis/evidence/family.h"

/* What one clip shows. */
typedef struct NeutralVote {
    NeutralAngles angles; /* count 0: no human, or nothing can be read */
    NeutralDoubt doubt;   /* with one it has no vote */
    double flat;          /* s, as NeutralPose.flat */
    int pelvis, trunk, foot[2]; /* numbers in `angles` of the joints by which poses are compared; -1: there is none */
} NeutralVote;

/* Measures a clip in the pose that its own motion shows. Only STATUS_NO_MEMORY is a failure. */
Status neutral_vote_of(const ClipView *clip, NeutralVote *vote, Error *err);

/* Whether its pose is doubted: then it is no vote. */
int neutral_vote_has_doubt(const NeutralVote *vote);

/* Decides family->neutral: joint by joint the turn with the least sum of distances to the votes', weighed by how long
 * feet lie flat. Its confidence is the part of the weight that does not contradict it; 0: no clip has a vote. */
void neutral_family_decide(const NeutralVote *vote, int count, Family *family);

/* The probability that the clip stands otherwise than the family, and is not only measured otherwise: by the part of
 * pelvis, trunk and feet that is tilted most. */
double neutral_family_contradiction(const NeutralVote *own, const NeutralAngles *family);

#endif
