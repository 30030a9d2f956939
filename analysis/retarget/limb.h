/* The bones of a human skeleton by role: where each begins, where it ends, and the joints between. */
#ifndef KANE_RETARGET_LIMB_H
#define KANE_RETARGET_LIMB_H

#include "analysis/clip/skeleton.h"

/* The role at the distal end of a limb's segment: left_knee for left_hip; ROLE_NONE for trunk, hands, feet and head. */
Role limb_next_role(Role role);

/* The joints of a stretch of the tree, proximal one first. */
enum { CHAIN_JOINTS = 32 };
typedef struct JointChain {
    int count;
    int joint[CHAIN_JOINTS];
    int end; /* joint behind the last one; -1: none */
} JointChain;

/* From joint `from` down to the one above `to`; empty where `to` does not descend from it. */
JointChain limb_chain(const Skeleton *s, int from, int to);

/* The trunk: from above the hips and their ancestors up to neck, head, or where the arms part. */
JointChain limb_trunk(const Skeleton *s);

/* Whether a is joint j or lies above it. */
int limb_is_ancestor(const Skeleton *s, int a, int j);

#endif
