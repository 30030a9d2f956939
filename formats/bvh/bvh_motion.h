/* The MOTION section of a BVH file: frame count, frame time and the rows. */
#ifndef KANE_FORMATS_BVH_MOTION_H
#define KANE_FORMATS_BVH_MOTION_H

#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_lexer.h"

/* Fills frame_time, frame_count and value of *out, whose hierarchy is read, and reads to the end of the file. */
Status bvh_read_motion(BvhLexer *l, const BvhDef *def, Bvh *out, Error *err);

#endif
