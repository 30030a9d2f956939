/* Which limbs support the body, by their motion: one of two feet stands still nearly all the time, hands swing. */
#ifndef KANE_BODY_LIMB_SUPPORT_H
#define KANE_BODY_LIMB_SUPPORT_H

#include "analysis/body/limb_pairs.h"

/* How a pair moves: means over the frames of the logarithm of a speed, of which only differences have a meaning. */
typedef struct LimbUnrest {
    double limbs;   /* the slower limb's last joint */
    double carrier; /* the joint from which both branch */
} LimbUnrest;

/* Fills unrest[pair], zeros without motion. Unit, up axis and frame rate need not be known. */
void limb_support_find(const Skeleton *s, const Motion *motion, const LimbPair *pair, int count, LimbUnrest *unrest,
                       Arena *arena);

#endif
