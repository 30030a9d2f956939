/* What a batch has to do: the files of its arguments, their places in the output folder, and which are done. */
#ifndef KANE_CLI_BATCH_BATCH_PLAN_H
#define KANE_CLI_BATCH_BATCH_PLAN_H

#include <stdio.h>

#include "formats/index/index.h"
#include "pipeline/cli/batch/batch_pool.h"
#include "pipeline/cli/batch/batch_request.h"
#include "pipeline/cli/input.h"
#include "pipeline/stages/option.h"

/* kane batch --memory: how much a clip needs, estimated from its file. */

/* long long: bytes, given as "8G", "500M" or "123456789"; 0 where not given. */
extern const OptionKind option_bytes;

/* Bytes that a worker takes for a BVH file, rather too many: by its joints and frames, as its head has them, else by
 * its size. 0 for a file that cannot be read, which takes none. */
long long batch_memory_need(const char *path);

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
    int check_outputs; /* 1: a container that is damaged is made again; set before batch_plan_compare */
} BatchPlan;

/* Where a batch looks for files. */
typedef struct BatchSource {
    char *const *argument; /* [count] folders and files */
    int count;
    const BatchSelect *select;
    Shard shard;
    const SourceDef *limits; /* of the reader, which counts the takes of a file */
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

/* Finds what memory each job needs; reports which need more than the limit. */
void batch_plan_weigh(BatchPlan *plan, long long limit);

void batch_plan_free(BatchPlan *plan);

/* A batch as shell commands, one a chunk, for GNU parallel, a Slurm array or a render farm.
 *
 * Chunks are shards: each has its own index, so that no two machines write one file. The last command merges them. */

typedef struct BatchListOptions {
    int list;
    int chunks; /* 0: as many as keep a worker busy for half a minute each */
} BatchListOptions;

extern const OptionKind option_shard; /* a Shard: "3/8" */
extern const Option batch_list_options[]; /* of a BatchListOptions */

/* A call as it was given, and what it stated of the output and of how many workers each command has (0: not known). */
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

/* What a folder of containers holds beside this batch: indexes of other shards. */

/* Takes over what the other indexes of the folder know of this shard's files, so that a change of the number of shards
 * recomputes nothing: for an index that holds nothing yet. *adopted: clips. */
Status batch_adopt(Index *index, const char *folder, const char *database, const BatchPlan *plan, size_t *adopted,
                   Error *err);

#endif
