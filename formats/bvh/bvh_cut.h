/* Leaves joints and channels of a BVH file out. */
#ifndef KANE_BVH_BVH_CUT_H
#define KANE_BVH_BVH_CUT_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "formats/bvh/bvh.h"

/* Keeps the channels with keep[channel] != 0, and their columns of the rows. Fails only without memory. */
Status bvh_keep_channels(Bvh *bvh, const char *keep, Error *err);

/* Keeps the joints with keep[joint] != 0, with their channels and end sites. The parent of a kept joint, if it has one,
 * must be kept. A joint that loses all its children gets an end site at the first of them, so that its bone keeps its
 * length. */
Status bvh_keep_joints(Bvh *bvh, const char *keep, Error *err);

/* Adds joint 0 at the origin, without channels and above all roots. */
Status bvh_add_root(Bvh *bvh, const char *name, Error *err);

/* Writes the names of the joints with is_listed[joint] != 0: "A, B, C and 3 more". */
enum { BVH_NAMES_SIZE = 120 };
void bvh_list_names(const Bvh *bvh, const char *is_listed, char text[BVH_NAMES_SIZE]);

#endif
