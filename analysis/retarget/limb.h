/* Bones of a human skeleton by role: their ends and the joints between. */
#ifndef KANE_RETARGET_LIMB_H
#define KANE_RETARGET_LIMB_H

#include "analysis/clip/skeleton.h"

/* The role at the distal end of a limb's segment: left_knee for left_hip. ROLE_NONE for trunk, hands, toes and head. */
Role limb_next_role(Role role);

/* A chain of joints, proximal first. */
enum { TRIDIAGONAL_JOINTS = 32 };
typedef struct JointChain {
    int count;
    int joint[TRIDIAGONAL_JOINTS];
    int end; /* joint after the last one; -1: none */
} JointChain;

/* The joints from `from` down to the parent of `to`; empty if `to` is not a descendant. */
JointChain limb_chain(const Skeleton *s, int from, int to);

/* The trunk: joints above the hips, and below neck, head or the first joint of an arm. */
JointChain limb_trunk(const Skeleton *s);

/* Whether a is joint j or an ancestor of it. */
int limb_is_ancestor(const Skeleton *s, int a, int j);

#endif
