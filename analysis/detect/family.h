/* One skeleton, one answer: what the files of one skeleton say together of unit, up axis and positions.
 *
 * A file alone may be misread; the files of one skeleton were written by one program and mean the same. A decision of
 * the family is made from the first FAMILY_CLIPS files by path, and holds for all of them but for a file whose own
 * measurements contradict it with a confidence of FAMILY_DISSENT or more. */
#ifndef KANE_DETECT_FAMILY_H
#define KANE_DETECT_FAMILY_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/detect/take.h"

enum { FAMILY_CLIPS = 32, FAMILY_KEY_SIZE = 17 };

/* 16 hexadecimal digits of what makes a skeleton, in file units and axes: names, parents, channels and OFFSETs of its
 * joints, OFFSETs to a thousandth of the largest. The root's OFFSET, and that of its only child, are left out: they
 * are where the person stood. End sites are left out too. */
void family_key(const Skeleton *skeleton, char key[FAMILY_KEY_SIZE]);

/* What one file states. */
typedef struct FamilyVote {
    int is_read;         /* 0: the file has no vote */
    ImportGuess evidence;
    ImportGuessDef def;     /* what options fixed is no measurement, and no vote */
} FamilyVote;

/* Reads file number `clip` as a member of the family as far as it is decided: vote->def.family is set. What is wrong
 * with the file leaves is_read 0; other failures end the decision. */
typedef Status ReadVote(void *context, int clip, FamilyVote *vote, Error *err);

/* Decides what *family leaves open (confidence 0) from files 0 to count - 1: positions first, then the up axis among
 * bodies whose positions are settled, then the unit. Files that the family overrules are read again for what follows.
 * A decision's confidence is the mean of its votes as logarithms of odds. */
Status family_decide(ReadVote *read, void *context, int count, Family *family, Error *err);

#endif
