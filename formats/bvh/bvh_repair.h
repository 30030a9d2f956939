/* Repair of a BVH file that was read with def.tolerant and inspected. */
#ifndef KANE_BVH_BVH_REPAIR_H
#define KANE_BVH_BVH_REPAIR_H

#include "analysis/base/status.h"
#include "analysis/detect/findings.h"
#include "analysis/detect/import_guess.h"
#include "analysis/detect/take.h"
#include "formats/bvh/bvh.h"

/* Descriptions of the kinds specific to BVH. */
extern const FindingInfo bvh_own_findings[BVH_ERROR_COUNT - FINDING_KIND_COUNT];

/* Repairs every finding as bvh_repair_words describes, and sets `repaired` of those that bvh_write no longer writes. If
 * def has fps, it becomes the frame time; with meters_per_unit lengths are converted to centimetres; with up the motion
 * is rotated to +Y up exactly, by renaming channels and changing signs. After a failure *bvh can only be freed. */
Status bvh_repair(Bvh *bvh, const ImportGuessDef *def, Error *err);

/* Returns what bvh_repair does about a kind: "interpolates the row"; NULL: nothing. */
const char *bvh_repair_words(int kind);

/* Makes the take of a file that was read with def.tolerant: missing numbers are filled, rows and positions are those of
 * the file. *bvh must outlive *out. Free *out also after failure. */
Status take_of_tolerant_bvh(Bvh *bvh, Take *out, Error *err);

#endif
