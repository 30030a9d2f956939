/* The work of a batch: input files, their outputs and which of them are up to date. */
#ifndef KANE_CLI_BATCH_BATCH_PLAN_H
#define KANE_CLI_BATCH_BATCH_PLAN_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "formats/index/index.h"
#include "pipeline/cli/batch/batch_request.h"
#include "pipeline/cli/batch/batch_select.h"
#include "pipeline/cli/batch/batch_targets.h"
#include "pipeline/cli/batch/batch_worker.h"
#include "pipeline/cli/found_files.h"
#include "pipeline/stages/option.h"

/* Shard number 1 .. count; count 1: all files. */
typedef struct Shard {
    int number, count;
} Shard;

extern const OptionKind option_shard; /* a Shard: "3/8" */

typedef struct BatchPlan {
    FoundFiles files; /* of this shard; relative names end in ".h5" */
    FoundFiles others; /* of other shards; likewise */
    int job_count;
    BatchJob *job;     /* [job]; texts belong to files */
    IndexStamp *stamp; /* [job] input before it was read */
    IndexChange *reason; /* [job] */
    size_t unchanged, passed_over; /* passed_over: files named "._NAME" */
    int has_targets;   /* 1: a clip file per input and target of a list */
    int check_outputs; /* 1: damaged clip files are recomputed; set before batch_plan_compare */
} BatchPlan;

/* Input files of a batch. */
typedef struct BatchSource {
    char *const *argument; /* [count] folders and files */
    int count;
    const BatchSelect *select;
    Shard shard;
    const BatchTargets *targets;
    const SourceDef *limits; /* of the reader, which counts the takes in a file */
} BatchSource;

/* Finds the files. STATUS_USAGE if two would have the same output. */
Status batch_plan_init(BatchPlan *plan, const BatchSource *source, Error *err);

/* Drops jobs that the index has with equal content and request, unless redo is set; without an index all files are
 * new. */
typedef struct BatchState {
    const char *folder; /* of the clip files; NULL: none */
    Index *index;       /* NULL: none */
    BatchRequest *request;
    int redo;
} BatchState;

Status batch_plan_compare(BatchPlan *plan, const BatchState *state, Error *err);

/* STATUS_USAGE if a job's clip file was made from another file that still exists. */
Status batch_plan_refuse_others(const BatchPlan *plan, Index *index, Error *err);

/* Estimates the memory of each job; notes those above the limit. */
void batch_plan_weigh(BatchPlan *plan, long long limit);

void batch_plan_free(BatchPlan *plan);

#endif
