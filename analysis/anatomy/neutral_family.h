/* One skeleton, one neutral pose: what the clips of one skeleton (analysis/detect/family.h) show of it together. */
#ifndef KANE_ANATOMY_NEUTRAL_FAMILY_H
#define KANE_ANATOMY_NEUTRAL_FAMILY_H

#include "analysis/anatomy/coordinates.h"
#include "analysis/body/anthropometry.h"
#include "analysis/clip/skeleton.h"
#include "analysis/detect/family.h"

/* The neutral pose as numbers and as a text: "0,0,0/1.5,-20.1,0/...", a rotation vector per joint in degrees. */

/* Joints whose rotations are stored, listed into joint[NEUTRAL_JOINTS]; 0: there are more. */
int neutral_angles_joints(const Skeleton *skeleton, int *joint);

/* Of a pose. count 0: the skeleton has too many joints, or neither hips nor shoulders. */
NeutralAngles neutral_angles_of(const NeutralPose *pose);

/* The turn of joint number i of the list. */
Quat neutral_angles_turn(const NeutralAngles *angles, int i);

/* The same of a turn. */
void neutral_angles_set(NeutralAngles *angles, int i, Quat turn);

/* The pose of these angles: trunk and feet as they state, legs and arms hanging. STATUS_USAGE where they are of another
 * number of joints. The arrays are taken from the arena. */
Status neutral_pose_given(NeutralPose *pose, const ClipView *clip, const NeutralAngles *angles, Arena *arena,
                          Error *err);

enum { NEUTRAL_TEXT_SIZE = 21 * NEUTRAL_JOINTS + 1 };
void neutral_angles_print(const NeutralAngles *angles, char text[NEUTRAL_TEXT_SIZE]);

/* 0: it is no such text. More digits than tenths of a degree are rounded. */
int neutral_angles_scan(const char *text, NeutralAngles *out);

/* The masses of a body that moves: what body_from_skeleton makes of it, a human measured in its neutral pose. */

/* Whether its segments are measured in a pose of the motion: a human with frames, whose masses no table gives. */
int body_is_measured(const ClipView *clip, const BodyDef *def);

/* Reads skeleton and motion; without frames the rest pose is the neutral one. def->turn is not read; STATUS_USAGE where
 * def->neutral is of another skeleton. doubt: of that pose, zeros where it is not used; may be NULL. Errors of
 * body_from_skeleton. */
Status body_from_clip(const ClipView *clip, const BodyDef *def, Body *out, NeutralDoubt *doubt, Error *err);

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
