/* The channels of a joint in the order of its file, as one number.
 *
 * Its decimal digits, from the left, are the channels: 1 2 3 are X Y Z position, 4 5 6 X Y Z rotation. "Xposition
 * Yposition Zposition Zrotation Xrotation Yrotation" is 123645; 0 is a joint without channels. Skeleton.channels and
 * /skeleton/channels of a container hold these numbers. */
#ifndef KANE_FORMATS_BVH_CHANNELS_H
#define KANE_FORMATS_BVH_CHANNELS_H

#include "formats/bvh/bvh.h"

enum { BVH_MAX_CHANNELS = 6 };

/* count 0 to BVH_MAX_CHANNELS. */
int bvh_channels_pack(const BvhChannel *channel, int count);

/* Returns how many, -1 where the number is no list of channels. */
int bvh_channels_unpack(int packed, BvhChannel channel[BVH_MAX_CHANNELS]);

/* Which channels a list must have in the end. */
typedef struct BvhChannelNeed {
    int positions; /* 1: all three */
    int rotations; /* 1: all three */
} BvhChannelNeed;

/* The list without repetitions and with what it needs: positions that lack come first, rotations that lack last, in the
 * order Z X Y. In place; returns how many. */
int bvh_channels_complete(BvhChannel channel[BVH_MAX_CHANNELS], int count, BvhChannelNeed need);

#endif
