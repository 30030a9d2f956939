/* Other indexes in the folder of clip files, such as those of shards. */
#ifndef KANE_CLI_BATCH_BATCH_ADOPT_H
#define KANE_CLI_BATCH_BATCH_ADOPT_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "formats/index/index.h"
#include "pipeline/cli/batch/batch_plan.h"

/* Copies this shard's clips from the other indexes of the folder into an empty index, so that changing the number of
 * shards recomputes nothing. *adopted: count of clips. */
Status batch_adopt(Index *index, const char *folder, const char *database, const BatchPlan *plan, size_t *adopted,
                   Error *err);

#endif
