/* One detection per skeleton: unit, up axis and meaning of positions, from all files of one skeleton.
 *
 * A single file may be misread, but files of one skeleton were written by the same program and have the same
 * conventions. The family's decision is made from the first FAMILY_CLIPS files by path. It applies to all of them,
 * except to a file whose own measurements contradict it with a confidence of at least FAMILY_DISSENT. */
#ifndef KANE_ANGLES_FAMILY_H
#define KANE_ANGLES_FAMILY_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/detect/import_guess.h"

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

#endif
