/* A file with several ROOTs: which of them are read. */
#ifndef KANE_BVH_BVH_ROOTS_H
#define KANE_BVH_BVH_ROOTS_H

#include "analysis/base/status.h"
#include "formats/base/source_format.h"
#include "formats/bvh/bvh.h"

/* Keeps the ROOT that def->root names. Without a name the only one that is a body, with a warning of the others; an
 * error that lists the ROOTs if none or several are. "all" keeps every one, below a new root at the origin that never
 * moves: an object beside the body is a joint whose motion in the world is that of its channels. Afterwards only joint
 * 0 has no parent. */
Status bvh_choose_roots(Bvh *bvh, const SourceDef *def, Error *err);

#endif
