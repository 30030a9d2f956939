/* kane check --external: force plates held against the motion of a clip. */
#ifndef KANE_PIPELINE_CHECK_PLATES_H
#define KANE_PIPELINE_CHECK_PLATES_H

#include "formats/bvh/bvh_findings.h"
#include "pipeline/stages/stage_chain.h"

/* What a kind of finding means; NULL where the name is of none. Valid for the life of the program. */
const BvhFaultInfo *check_plates_info(const char *name, size_t length);

/* A finding: its kind and words. */
typedef void (*CheckPlatesReport)(void *context, const BvhFaultInfo *info, const char *text);

/* Runs the chain on the file, up to contact, as far as it was not run yet; its contact stage reads the plates. Reports
 * each fault of the plates. */
Status check_plates(StageChain *chain, const char *external, const char *path, CheckPlatesReport report, void *context,
                    Error *err);

#endif
