/* Cells of motion rows that are no usable numbers: one finding per cause, and joints that have none. */
#ifndef KANE_BVH_BVH_GAPS_H
#define KANE_BVH_BVH_GAPS_H

#include "analysis/base/status.h"
#include "formats/base/source_format.h"
#include "formats/bvh/bvh.h"

/* What a cell has in place of a number. */
typedef enum BvhGap {
    BVH_GAP_NONE,
    BVH_GAP_NAN, /* nan, inf and what programs write for them */
    BVH_GAP_TEXT,
    BVH_GAP_LARGE, /* beyond BVH_LARGEST */
    BVH_GAP_COUNT
} BvhGap;

/* The first cell of each kind, as a message. */
typedef struct BvhGapTexts {
    char text[BVH_GAP_COUNT][100];
    int first_line; /* of the first of all; 0: every cell is a number */
} BvhGapTexts;

/* The kind of a cell that is no number. */
BvhGap bvh_gap_of_word(const char *word, size_t size);

/* Leaves out the joints of def->drop_joints, with all below them. "auto": joints that lack numbers in every row, and
 * have nothing but such joints below them. Without rows (joints alone were read) "auto" leaves out none. */
Status bvh_drop_joints(Bvh *bvh, const SourceDef *def, Error *err);

/* Adds a finding for each kind of cell, apart for joints without any number. Requires gap and location. */
Status bvh_gaps_report(Bvh *bvh, const BvhGapTexts *texts, Error *err);

/* Fills channels without any number with the rest pose: rotation 0, position the OFFSET. Returns how many. */
int bvh_set_rest(Bvh *bvh);

#endif
