/* What a batch knows of clips whose source has gone: they leave the index, and `--prune` removes their containers.
 *
 * A container is removed where an earlier call wrote it, by the size and time that it noted: what somebody else put
 * there stays. */
#ifndef KANE_PIPELINE_BATCH_PRUNE_H
#define KANE_PIPELINE_BATCH_PRUNE_H

#include "formats/index/index.h"
#include "pipeline/cli/batch/batch_plan.h"

/* Takes clips that other shards made into the index at path `database`, and out of it what was made of files that have
 * left the source's folders: a folder that is given is covered. Prints how many, and states in *lost how many clips and
 * failures left the index. err names the path. */
Status batch_tidy(Index *index, const char *database, const BatchPlan *plan, const BatchSource *source, size_t *lost,
                  Error *err);

/* STATUS_USAGE where the source has no folder, in which a file could be missing. */
Status batch_prune_check(const BatchSource *source, Error *err);

/* Removes the containers below the folder, *count of them, and prints how many, and what has no source and stays. */
Status batch_prune_containers(Index *index, const char *folder, const BatchSource *source, size_t *count, Error *err);

/* Prints what that would remove, a line each. index NULL: nothing is known. */
Status batch_prune_list(Index *index, const char *folder, const BatchSource *source, size_t *count, Error *err);

#endif
