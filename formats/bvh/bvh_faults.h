/* Cells of motion rows that are no usable numbers: one finding per cause, and joints that have none. */
#ifndef KANE_BVH_BVH_FAULTS_H
#define KANE_BVH_BVH_FAULTS_H

#include "analysis/base/status.h"
#include "formats/base/source_format.h"
#include "formats/bvh/bvh.h"

/* What a cell has in place of a number. */
typedef enum BvhFault {
    BVH_FAULT_NONE,
    BVH_FAULT_NAN, /* nan, inf and what programs write for them */
    BVH_FAULT_TEXT,
    BVH_FAULT_LARGE, /* beyond BVH_LARGEST */
    BVH_FAULT_COUNT
} BvhFault;

/* The first cell of each kind, as a message. */
typedef struct BvhFaultTexts {
    char text[BVH_FAULT_COUNT][100];
    int first_line; /* of the first of all; 0: every cell is a number */
} BvhFaultTexts;

/* The kind of a cell that is no number. */
BvhFault bvh_fault_of_word(const char *word, size_t size);

/* Leaves out the joints of def->drop_joints, with all below them. "auto": joints that lack numbers in every row, and
 * have nothing but such joints below them. Without rows (joints alone were read) "auto" leaves out none. */
Status bvh_drop_joints(Bvh *bvh, const SourceDef *def, Error *err);

/* Adds a finding for each kind of cell, apart for joints without any number. Requires fault and location. */
Status bvh_faults_report(Bvh *bvh, const BvhFaultTexts *texts, Error *err);

/* Fills channels without any number with the rest pose: rotation 0, position the OFFSET. Returns how many. */
int bvh_hold_rest(Bvh *bvh);

#endif
