/* The HIERARCHY section of a BVH file.
 *
 * Joint names become valid UTF-8 without control characters: bytes that are not UTF-8 are read as Latin-1, with a
 * warning; so is a name that two joints share. */
#ifndef KANE_FORMATS_BVH_HIERARCHY_H
#define KANE_FORMATS_BVH_HIERARCHY_H

#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_lexer.h"

/* Fills the joints, channels and ends of *out and stops behind the word MOTION. On failure *out holds what was read,
 * to be freed. Without recursion: parent[] is the stack. */
Status bvh_read_hierarchy(BvhLexer *l, const BvhDef *def, Bvh *out, Error *err);

#endif
