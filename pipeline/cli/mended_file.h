/* What check --repair writes: FILE.bvh mended, and FILE.bvh.log with what was done to it. */
#ifndef KANE_MENDED_FILE_H
#define KANE_MENDED_FILE_H

#include "analysis/evidence/evidence.h"
#include "formats/bvh/bvh.h"
#include "pipeline/cli/output_file.h"

/* Mends the BVH by bvh_repair and writes both. target: a file, or a folder (made where it ends in "/") in which the
 * source's name is kept; err names the file. */
Status mended_file_write(const OutputCall *call, const EvidenceDef *def, Bvh *bvh, const char *source,
                         const char *target, Error *err);

/* STATUS_USAGE where a file cannot be called so; asked before any is read. */
Status mended_file_check(const char *target, Error *err);

#endif
