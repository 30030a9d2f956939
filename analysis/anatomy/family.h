/* What the clips of one skeleton share: one detection, and one neutral pose. */
#ifndef KANE_ANATOMY_FAMILY_H
#define KANE_ANATOMY_FAMILY_H

#include "analysis/anatomy/coordinates.h"
#include "analysis/base/status.h"
#include "analysis/body/body_model.h"
#include "analysis/clip/skeleton.h"
#include "analysis/detect/take.h"

/* One detection per skeleton: unit, up axis and meaning of positions, from all files of one skeleton.
 *
 * A single file may be misread, but files of one skeleton were written by the same program and have the same
 * conventions. The family's decision is made from the first FAMILY_CLIPS files by path. It applies to all of them,
 * except to a file whose own measurements contradict it with a confidence of at least FAMILY_DISSENT. */

enum { FAMILY_CLIPS = 32, FAMILY_KEY_SIZE = 17 };

/* 16 hexadecimal digits that identify a skeleton in file units and axes: hash of names, parents, channels and OFFSETs
 * of its joints, OFFSETs quantized to a thousandth of the largest. Excludes the OFFSET of the root, and that of its
 * only child, which are the initial position of the subject, and end sites. */
void family_key(const Skeleton *skeleton, char key[FAMILY_KEY_SIZE]);

/* Detections from one file. */
typedef struct FamilyVote {
    int is_read;         /* 0: the file has no vote */
    ImportGuess guess;
    ImportGuessDef def;     /* values set by options give no vote */
} FamilyVote;

/* Reads file number `clip` with the decisions of the family so far, vote->def.family. An invalid file leaves is_read 0;
 * other failures end the decision. */
typedef Status ReadVote(void *context, int clip, FamilyVote *vote, Error *err);

/* Decides what is open in *family (confidence 0) from files 0 to count - 1: first positions, then the up axis with
 * settled positions, then the unit. Files that the family overrules are read again for the later decisions. The
 * confidence of a decision follows from the mean log odds of its votes. */
Status family_decide(ReadVote *read, void *context, int count, Family *family, Error *err);

/* One neutral pose per skeleton, inferred from all clips of that skeleton. */

/* The neutral pose as numbers and as text: "0,0,0/1.5,-20.1,0/...", a rotation vector per joint in degrees. */

/* Lists the joints whose rotations are stored in joint[NEUTRAL_JOINTS]; returns their number, 0 if there are too
 * many. */
int neutral_angles_joints(const Skeleton *skeleton, int *joint);

/* The angles of a pose. count 0: the skeleton has too many joints, or neither hips nor shoulders. */
NeutralAngles neutral_angles_of(const NeutralPose *pose);

/* The rotation of joint number i of the list. */
Quat neutral_angles_rotation(const NeutralAngles *angles, int i);

/* Sets the rotation of joint number i, rounded to tenths of a degree. */
void neutral_angles_set(NeutralAngles *angles, int i, Quat rotation);

/* The pose with these angles: trunk and feet as given, legs and arms hanging. STATUS_USAGE if the number of joints
 * differs. Allocates in the arena. */
Status neutral_pose_given(NeutralPose *pose, const ClipView *clip, const NeutralAngles *angles, Arena *arena,
                          Error *err);

enum { NEUTRAL_TEXT_SIZE = 21 * NEUTRAL_JOINTS + 1 };
void neutral_angles_print(const NeutralAngles *angles, char text[NEUTRAL_TEXT_SIZE]);

/* Returns 0 if the text is invalid. Rounds to tenths of a degree. */
int neutral_angles_scan(const char *text, NeutralAngles *out);

/* Segment masses of a body in motion: those of body_from_skeleton, a human measured in its neutral pose. */

/* Whether segments are measured in a pose from the motion: for a human with frames whose masses no table gives. */
int body_is_measured(const ClipView *clip, const BodyDef *def);

/* Reads skeleton and motion; without frames the rest pose is the neutral pose. Ignores def->orientation. STATUS_USAGE
 * if def->neutral belongs to another skeleton. doubt (or NULL): of the neutral pose, zero if it is not used. Other
 * errors: those of body_from_skeleton. */
Status body_from_clip(const ClipView *clip, const BodyDef *def, Body *out, NeutralDoubt *doubt, Error *err);

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
Status neutral_vote_of(const ClipView *clip, NeutralVote *vote, Error *err);

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
