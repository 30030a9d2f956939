/* Recovery of the readable rows of a damaged MOTION section, for kane check. */
#ifndef KANE_BVH_BVH_SALVAGE_H
#define KANE_BVH_BVH_SALVAGE_H

#include "analysis/base/status.h"
#include "formats/bvh/bvh_lexer.h"

/* Fills frame_count, value and location of *out to the end of the file, with a warning for each defect: a word that is
 * not a number becomes NaN, a row with a wrong number of values NaN as a whole, a truncated last row is omitted. Lines
 * are taken as rows if most of them have the right number of values; otherwise the values are one stream. */
Status bvh_salvage_rows(BvhLexer *l, const SourceDef *def, Bvh *out, Error *err);

#endif
