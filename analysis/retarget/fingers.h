/* Pairs the joints of fingers of two hands by topology and order, by names second.
 *
 * The chains of joints below a wrist are fingers; twist, helper, prop and IK joints and what hangs on them are not. The
 * thumb is the chain whose base is nearest the wrist, whose tip reaches least and whose direction differs from the
 * others'; the others follow in their order across the palm. In a chain, phalanges count from the knuckle; a joint
 * before the knuckle is a metacarpal. Names decide where the shape does not: a hand of several chains in one line, or
 * which fingers a hand of fewer than five has. */
#ifndef KANE_RETARGET_FINGERS_H
#define KANE_RETARGET_FINGERS_H

#include "analysis/retarget/reference_pose.h"

enum { FINGERS = 5, FINGER_JOINTS = 4, FINGER_LINKS = 6, FINGER_CHAINS = 12 };

typedef struct FingerPairs {
    int count;                /* 0: a hand has no fingers, or neither shape nor names show their order */
    int target[FINGER_CHAINS * FINGER_LINKS]; /* joints of the target's fingers */
    int source[FINGER_CHAINS * FINGER_LINKS]; /* -1: no counterpart */
    int against_names;        /* 1: the names of both hands are those of fingers, in another order */
} FingerPairs;

/* Whether the name is that of a joint beside the fingers: twist, helper, prop, weapon, IK, tip. */
int finger_name_is_helper(const char *name);

/* The finger that a name names, 0 thumb to 4 little finger; -1: none. */
int finger_from_name(const char *name);

/* wrist: ROLE_LEFT_WRIST or ROLE_RIGHT_WRIST. */
void finger_pairs(const ReferencePose *target, const ReferencePose *source, Role wrist, FingerPairs *out);

#endif
