/* A batch as shell commands, one a chunk, for GNU parallel, a Slurm array or a render farm.
 *
 * Chunks are shards: each has its own index, so that no two machines write one file. The last command merges them. */
#ifndef KANE_PIPELINE_BATCH_LIST_H
#define KANE_PIPELINE_BATCH_LIST_H

#include <stdio.h>

#include "pipeline/cli/batch/batch_plan.h"

typedef struct BatchListOptions {
    int list;
    int chunks; /* 0: as many as keep a worker busy for half a minute each */
} BatchListOptions;

extern const OptionKind option_shard; /* a Shard: "3/8" */
extern const Option batch_list_options[]; /* of a BatchListOptions */

/* A call as it was given, and what it said of the output and of how many workers each command has (0: not known). */
typedef struct BatchCall {
    const char *output;
    int jobs;
    int argc;
    char *const *argv;
} BatchCall;

/* Prints the commands of this call, without the options above. Paths with a line break are wrong usage: a command is a
 * line. */
Status batch_list_print(const BatchPlan *plan, const BatchListOptions *options, const BatchCall *call, FILE *stream,
                        Error *err);

#endif
