/* A batch as shell commands, one per chunk, for GNU parallel, a Slurm array or a render farm.
 *
 * Chunks are shards with an index each, so that no two machines write to one file. The last command merges the
 * indexes. */
#ifndef KANE_CLI_BATCH_BATCH_LIST_H
#define KANE_CLI_BATCH_BATCH_LIST_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "pipeline/cli/batch/batch_plan.h"
#include "pipeline/stages/option.h"

typedef struct BatchListOptions {
    int list;
    int chunks; /* 0: chunks of half a minute of work per worker */
} BatchListOptions;

extern const Option batch_list_options[]; /* fill a BatchListOptions */

/* The call as typed, with its output and the number of workers per command (0: unknown). */
typedef struct BatchCall {
    const char *output;
    int jobs;
    int argc;
    char *const *argv;
} BatchCall;

/* Prints the commands, without --list and --chunks. STATUS_USAGE for paths with a line break, because each command is
 * one line. */
Status batch_list_print(const BatchPlan *plan, const BatchListOptions *options, const BatchCall *call, FILE *stream,
                        Error *err);

#endif
