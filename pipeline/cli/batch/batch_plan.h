/* The work of a batch: input files, their outputs and which of them are up to date. */
#ifndef KANE_CLI_BATCH_BATCH_PLAN_H
#define KANE_CLI_BATCH_BATCH_PLAN_H

#include <stdio.h>

#include "formats/index/index.h"
#include "pipeline/cli/batch/batch_pool.h"
#include "pipeline/cli/batch/batch_request.h"
#include "pipeline/cli/input.h"
#include "pipeline/stages/option.h"

/* kane batch --memory: estimates the memory that a clip requires. */

/* long long: bytes, given as "8G", "500M" or "123456789"; 0 if not given. */
extern const OptionKind option_bytes;

/* Returns an upper estimate in bytes for a worker on a BVH file, from joints and frames in its head or else from its
 * size. 0 for an unreadable file, which requires none. */
long long batch_memory_need(const char *path);

/* Shard number 1 .. count; count 1: all files. */
typedef struct Shard {
    int number, count;
} Shard;

typedef struct BatchPlan {
    FoundFiles files; /* of this shard; relative names end in ".h5" */
    FoundFiles others; /* of other shards; likewise */
    int job_count;
    BatchJob *job;     /* [job]; texts belong to files */
    IndexStamp *stamp; /* [job] input before it was read */
    IndexChange *reason; /* [job] */
    size_t unchanged, passed_over; /* passed_over: files named "._NAME" */
    int check_outputs; /* 1: damaged clip files are recomputed; set before batch_plan_compare */
} BatchPlan;

/* Input files of a batch. */
typedef struct BatchSource {
    char *const *argument; /* [count] folders and files */
    int count;
    const BatchSelect *select;
    Shard shard;
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

/* A batch as shell commands, one per chunk, for GNU parallel, a Slurm array or a render farm.
 *
 * Chunks are shards with an index each, so that no two machines write to one file. The last command merges the
 * indexes. */

typedef struct BatchListOptions {
    int list;
    int chunks; /* 0: chunks of half a minute of work per worker */
} BatchListOptions;

extern const OptionKind option_shard; /* a Shard: "3/8" */
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

/* Other indexes in the folder of clip files, such as those of shards. */

/* Copies this shard's clips from the other indexes of the folder into an empty index, so that changing the number of
 * shards recomputes nothing. *adopted: count of clips. */
Status batch_adopt(Index *index, const char *folder, const char *database, const BatchPlan *plan, size_t *adopted,
                   Error *err);

#endif
