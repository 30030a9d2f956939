/* Characters of kane batch --retarget-to A.bvh,B.bvh,DIR/: every clip is retargeted to each, into a folder of its name.
 *
 * A single file is no list: its clip files have no folder of their own. */
#ifndef KANE_CLI_BATCH_BATCH_TARGETS_H
#define KANE_CLI_BATCH_BATCH_TARGETS_H

#include "analysis/base/status.h"
#include "pipeline/cli/found_files.h"
#include "pipeline/stages/pipeline.h"

/* {0}: no list. */
typedef struct BatchTargets {
    FoundFiles files; /* relative: name of the folder, the file's name without ending; in order of names */
} BatchTargets;

/* Finds the files of a list and reads each, or the single target. STATUS_USAGE for two targets of one name;
 * STATUS_BAD_INPUT for a file that is no target; STATUS_IO for one that cannot be read. */
Status batch_targets_init(BatchTargets *out, const Pipeline *pipeline, Error *err);
void batch_targets_free(BatchTargets *targets);

/* Replaces each file by one per target: "hero/walk.bvh" of "walk.bvh". */
Status batch_targets_spread(const BatchTargets *targets, FoundFiles *files, Error *err);

/* Returns the target of the output "hero/walk.bvh.h5"; NULL: no list. */
const FoundFile *batch_targets_find(const BatchTargets *targets, const char *output);

/* Returns "walk.bvh.h5" of "hero/walk.bvh.h5", which points into output; output itself if its folder is no target. */
const char *batch_targets_clip(const BatchTargets *targets, const char *output);

#endif
