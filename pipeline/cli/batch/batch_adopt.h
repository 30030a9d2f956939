/* What a folder of containers holds beside this batch: indexes of other shards. */
#ifndef KANE_PIPELINE_BATCH_ADOPT_H
#define KANE_PIPELINE_BATCH_ADOPT_H

#include "formats/index/index.h"
#include "pipeline/cli/batch/batch_plan.h"

/* Takes over what the other indexes of the folder know of this shard's files, so that a change of the number of shards
 * makes nothing anew: for an index that holds nothing yet. *adopted: clips. */
Status batch_adopt(Index *index, const char *folder, const char *database, const BatchPlan *plan, size_t *adopted,
                   Error *err);

#endif
