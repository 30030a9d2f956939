/* The rows of a MOTION section that is partly broken: what can be read of it, for kane check. */
#ifndef KANE_FORMATS_BVH_SALVAGE_H
#define KANE_FORMATS_BVH_SALVAGE_H

#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_lexer.h"

/* Fills frame_count, value and place of *out to the end of the file. A word that is no number becomes NaN, a row
 * of a wrong number of values NaN as a whole, a cut last row is left out; each with a warning. Where the lines of a
 * sound file end does not matter; in a broken one most lines must be rows, else the values are one stream. */
Status bvh_salvage_rows(BvhLexer *l, const BvhDef *def, Bvh *out, Error *err);

#endif
