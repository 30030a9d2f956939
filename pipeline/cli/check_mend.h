/* The files that kane check --repair writes: FILE.bvh mended and FILE.bvh.log. */
#ifndef KANE_PIPELINE_CHECK_MEND_H
#define KANE_PIPELINE_CHECK_MEND_H

#include "formats/bvh/bvh.h"

/* Writes a repaired BVH and its log; target is a file, or a folder in which the source's name is kept. err names the
 * file. STATUS_USAGE where the target is the source itself. */
Status check_mend_write(const Bvh *bvh, const char *source, const char *target, Error *err);

#endif
