/* Pairs of limbs in the tree of a skeleton: two branches of one joint whose bones have equal lengths.
 *
 * The two branches are compared bone by bone along the path that both have in common, so that helper joints and an end
 * site of one side alone do not hide a pair. Helpers within a limb, near the joint before, are no points. Unit and axes
 * need not be known. */
#ifndef KANE_BODY_LIMB_PAIRS_H
#define KANE_BODY_LIMB_PAIRS_H

#include "analysis/base/arena.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"

enum { LIMB_PAIRS_MAX = 16, LIMB_CHAIN_MAX = 32 };

/* Two limbs from their first joints to their tips, along the longest path that both have. */
typedef struct LimbPair {
    int joint;                    /* from which both branch */
    int count;                    /* points: joints, then possibly an end site */
    int point[2][LIMB_CHAIN_MAX]; /* [limb][point] joint; -1 for the end site */
    double bone[2][LIMB_CHAIN_MAX]; /* [limb][point] length from the point before, or `joint` */
    int top;                      /* point of the hip or shoulder, where the two long bones begin */
    double reach;                 /* mean length along the bones from the first joints to the tips */
} LimbPair;

/* Writes the pairs, longest first; returns their number. Pairs within the limbs of another are left out (fingers).
 * straight: of limb_pairs_find_straight; NULL: not known. */
int limb_pairs_find(const Skeleton *s, const unsigned char *straight, LimbPair pair[LIMB_PAIRS_MAX], Arena *arena);

/* Fills straight[joint]: 1 if the bone to the joint stays in line with the bone before it in all frames, as beyond a
 * twist joint. */
void limb_pairs_find_straight(const Skeleton *s, const Motion *motion, unsigned char *straight);

/* Length of the two long bones, mean of both limbs. */
double limb_pair_length(const LimbPair *pair);

/* Mean length of the bone that ends at a point, of both limbs. */
double limb_pair_bone(const LimbPair *pair, int point);

#endif
