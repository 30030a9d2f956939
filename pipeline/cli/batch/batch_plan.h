/* What a batch has to do: the files of its arguments, their places in the output folder, and which are done. */
#ifndef KANE_PIPELINE_BATCH_PLAN_H
#define KANE_PIPELINE_BATCH_PLAN_H

#include "formats/index/index.h"
#include "pipeline/cli/batch/batch_memory.h"
#include "pipeline/cli/batch/batch_select.h"
#include "pipeline/cli/batch/batch_worker.h"
#include "pipeline/cli/paths.h"

/* Shard number of count, from 1; count 1: everything. */
typedef struct Shard {
    int number, count;
} Shard;

typedef struct BatchPlan {
    FoundFiles files; /* all of this shard; relative names with ".h5" behind them */
    FoundFiles others; /* those of other shards; likewise */
    int job_count;
    BatchJob *job;     /* [job] what is to be done; texts belong to files */
    IndexStamp *stamp; /* [job] the input as it was before it was read */
    IndexChange *reason; /* [job] why */
    size_t unchanged, passed_over; /* passed_over: files "._NAME" */
    int check_outputs; /* 1: a container that is damaged is made anew; set before batch_plan_compare */
} BatchPlan;

/* Where a batch looks for files. */
typedef struct BatchSource {
    char *const *argument; /* [count] folders and files */
    int count;
    const BatchSelect *select;
    Shard shard;
} BatchSource;

/* Finds the files. STATUS_USAGE where two would have the same place. */
Status batch_plan_init(BatchPlan *plan, const BatchSource *source, Error *err);

/* What the index knows as done with the same content and request is left out, unless everything is asked for again;
 * without an index everything is new. */
typedef struct BatchState {
    const char *folder; /* of the containers; NULL: there are none */
    Index *index;       /* NULL: none */
    BatchRequest *request;
    int redo;
} BatchState;

Status batch_plan_compare(BatchPlan *plan, const BatchState *state, Error *err);

/* STATUS_USAGE where the container of a job was made of another file, which is still there. */
Status batch_plan_refuse_others(const BatchPlan *plan, Index *index, Error *err);

/* Finds what memory each job needs; tells which need more than the limit. */
void batch_plan_weigh(BatchPlan *plan, long long limit);

void batch_plan_free(BatchPlan *plan);

#endif
