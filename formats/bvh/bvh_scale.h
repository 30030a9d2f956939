/* Scale channels (Xscale Yscale Zscale) of a BVH file. */
#ifndef KANE_BVH_BVH_SCALE_H
#define KANE_BVH_BVH_SCALE_H

#include "analysis/base/status.h"
#include "formats/bvh/bvh.h"

enum { BVH_LINE_CHANNELS = 9 }; /* largest number of a CHANNELS line: six and a scale along each axis */

/* Removes the scale channels. Values other than 1 are an error with joint and place, in a tolerant file a finding:
 * bones are rigid. */
Status bvh_remove_scale(Bvh *bvh, int is_tolerant, Error *err);

#endif
