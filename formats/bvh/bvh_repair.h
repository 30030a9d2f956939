/* Mends a BVH file that was read with def.tolerant and inspected (formats/bvh/bvh_findings.h). */
#ifndef KANE_FORMATS_BVH_REPAIR_H
#define KANE_FORMATS_BVH_REPAIR_H

#include "analysis/evidence/evidence.h"
#include "formats/bvh/bvh.h"

/* Does what bvh_fault_info says for every finding and sets `mended` of those that are gone from what bvh_write would
 * write. From def: fps becomes the frame time; metres_per_unit given, lengths become centimetres; up given,
 * the motion is turned to +Y up, exactly: channels are renamed and change their sign. On failure *bvh can only be
 * freed. */
Status bvh_repair(Bvh *bvh, const EvidenceDef *def, Error *err);

#endif
