/* Clips whose source is gone: removes them from the index and, with `--prune`, their clip files.
 *
 * Only clip files with the size and time that an earlier call recorded are removed; files from elsewhere are kept. */
#ifndef KANE_CLI_BATCH_BATCH_PRUNE_H
#define KANE_CLI_BATCH_BATCH_PRUNE_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "formats/index/index.h"
#include "pipeline/cli/batch/batch_plan.h"

/* Adds clips of other shards to the index at path `database` and drops those whose file has left the source's
 * folders; a folder argument covers all files below. Prints the counts; *lost: dropped clips and failures. err names
 * the path. */
Status batch_tidy(Index *index, const char *database, const BatchPlan *plan, const BatchSource *source, size_t *lost,
                  Error *err);

/* STATUS_USAGE if no argument is a folder, without which no file can be missing. */
Status batch_prune_check(const BatchSource *source, Error *err);

/* Removes the clip files below the folder, *count of them; prints the count and which files without source are kept. */
Status batch_prune_containers(Index *index, const char *folder, const BatchSource *source, size_t *count, Error *err);

/* Prints one line per clip file that would be removed. index NULL: none. */
Status batch_prune_list(Index *index, const char *folder, const BatchSource *source, size_t *count, Error *err);

#endif
