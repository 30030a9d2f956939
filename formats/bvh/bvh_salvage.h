/* Recovery of the readable rows of a damaged MOTION section, for kane check. */
#ifndef KANE_BVH_BVH_SALVAGE_H
#define KANE_BVH_BVH_SALVAGE_H

#include "analysis/base/status.h"
#include "formats/bvh/bvh_lexer.h"

/* Fills frame_count, value, location and gap of *out to the end of the file: a cell that is no usable number becomes
 * NaN and a gap, whose first text goes to *texts; a row with a wrong number of values becomes NaN as a whole, and a
 * truncated last row is omitted, with a finding each. Lines
 * are taken as rows if most of them have the right number of values; otherwise the values are one stream. */
Status bvh_salvage_rows(BvhLexer *l, const SourceDef *def, Bvh *out, BvhGapTexts *texts, Error *err);

#endif
