/* A clip as BVH in the space of another file with the same joints: its HIERARCHY to the last character, its unit, its
 * up axis, its channels. */
#ifndef KANE_FORMATS_BVH_LIKE_H
#define KANE_FORMATS_BVH_LIKE_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* Unit and axis are found by comparing the clip's offsets with the file's; what the file's ROOT OFFSET means is decided
 * as import does. STATUS_BAD_INPUT, with the place, where joints or proportions are not the file's, or where the motion
 * needs channels that the file does not list. */
Status bvh_write_like(const Clip *clip, const char *path, FILE *stream, Error *err);

#endif
