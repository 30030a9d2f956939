/* kane check --external: compares force plates with the motion of a clip. */
#ifndef KANE_CLI_CHECK_PLATES_H
#define KANE_CLI_CHECK_PLATES_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/detect/findings.h"
#include "pipeline/stages/pipeline.h"

/* Receives a finding: its kind and text. */
typedef void (*CheckPlatesReport)(void *context, const FindingInfo *info, const char *text);

/* Returns the kind of this name, or NULL. Static. */
const FindingInfo *check_plates_info(const char *name, size_t length);

/* Runs the missing stages of a file up to contact, whose external method reads the plates, and reports each error of
 * the plates. */
Status check_plates(Pipeline *pipeline, const char *external, const char *path, CheckPlatesReport report, void *context,
                    Error *err);

#endif
