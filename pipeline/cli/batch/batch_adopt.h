/* What a folder of containers holds beside this batch: indexes of other shards, containers without a source. */
#ifndef KANE_PIPELINE_BATCH_ADOPT_H
#define KANE_PIPELINE_BATCH_ADOPT_H

#include "formats/index/index.h"
#include "pipeline/cli/batch/batch_plan.h"

/* Takes over what the other indexes of the folder know of this shard's files, so that a change of the number of shards
 * makes nothing anew: for an index that holds nothing yet. *adopted: clips. */
Status batch_adopt(Index *index, const char *folder, const char *database, const BatchPlan *plan, size_t *adopted,
                   Error *err);

/* Removes the containers NAME.bvh.h5 below the folder whose NAME.bvh is in none of the source's folders; a file that is
 * no container stays. *removed: how many. STATUS_USAGE where the source has no folder. */
Status batch_prune_containers(const char *folder, const BatchSource *source, size_t *removed, Error *err);

#endif
