/* What a batch has to do: the files of its arguments, their places in the output folder, and which are done. */
#ifndef KANE_PIPELINE_BATCH_PLAN_H
#define KANE_PIPELINE_BATCH_PLAN_H

#include "formats/index/index.h"
#include "pipeline/cli/batch/batch_worker.h"
#include "pipeline/cli/paths.h"

/* Shard number of count, from 1; count 1: everything. */
typedef struct Shard {
    int number, count;
} Shard;

typedef struct BatchPlan {
    FoundFiles files; /* all of this shard; relative names with ".h5" behind them */
    int job_count;
    BatchJob *job;     /* [job] what is to be done; texts belong to files */
    IndexStamp *stamp; /* [job] the input as it was before it was read */
    size_t unchanged;
} BatchPlan;

/* Finds the files. STATUS_USAGE where two would have the same place. */
Status batch_plan_init(BatchPlan *plan, char *const *arguments, int argument_count, Shard shard, Error *err);

/* Leaves out what the index knows as done with the same content and request. */
Status batch_plan_compare(BatchPlan *plan, const char *folder, Index *index, const char *request, Error *err);

void batch_plan_free(BatchPlan *plan);

#endif
