/* The worker processes of kane batch: jobs out, answers in, whatever happens to a worker. */
#ifndef KANE_CLI_BATCH_BATCH_POOL_H
#define KANE_CLI_BATCH_BATCH_POOL_H

#include <stdint.h>

#include "pipeline/cli/batch/batch_request.h"

/* A worker process of kane batch: takes jobs from a socket, turns each BVH file into a container under a temporary
 * name and answers with the clip's statistics. */

typedef struct BatchJob {
    const char *input;  /* path of the BVH file */
    const char *output; /* relative to the output folder: "takes/walk.bvh.h5" */
    long long need;     /* bytes of memory, about (batch_plan.h); 0: does not matter */
    const Family *family; /* what the files of its skeleton decided together; NULL: it decides alone */
    int is_own;         /* 1: the container that stands there was made of this input */
} BatchJob;

/* The same for all workers; set before they are forked. */
typedef struct BatchSetup {
    const char *folder;  /* of the containers */
    const char *scratch; /* folder of temporary files */
    const BatchJob *job; /* [job] */
    BatchRequest *request; /* not owned; a worker has its own copy */
    int forced;          /* containers of other sources, and files that are none, give way */
} BatchSetup;

/* What a worker is at, in memory that it shares with its parent. */
typedef struct BatchWatch {
    volatile int job;        /* -1: none */
    volatile double started; /* s, batch_clock */
    StageProgress progress;
} BatchWatch;

/* An answer; stats_size bytes of packed ClipStats follow. */
typedef struct BatchReply {
    int job;
    Status status;
    char stage[16]; /* where it failed */
    int is_foreign; /* 1: because what stands in its place is not of this input */
    Error err;
    int frames;
    double seconds;         /* of processor time */
    int64_t size, mtime_ns; /* of the temporary file; size 0: there is none */
    char source_sha256[65];
    size_t stats_size;
} BatchReply;

/* "scratch/17": the temporary name of a job's container. The caller frees it; NULL without memory. */
char *batch_scratch_path(const char *scratch, int job);

/* Works until the socket's other end is closed. */
void batch_worker_run(const BatchSetup *setup, BatchWatch *watch, int socket);

/* Reads or writes the whole of size bytes; 0 where the other end is gone. */
int socket_read(int socket, void *bytes, size_t size);
int socket_write(int socket, const void *bytes, size_t size);

typedef struct BatchPool BatchPool;

/* How many workers, and the memory that all of them may take together (bytes, 0: no limit). */
typedef struct BatchShare {
    int workers;
    long long memory;
} BatchShare;

/* Forks the workers and hands out the first jobs. setup must outlive the pool. No workers given: as many as
 * processors; never more than jobs. Under a limit of memory a job waits until its need fits beside those that are being
 * done; one that needs more than the limit is done alone. */
Status batch_pool_open(const BatchSetup *setup, int job_count, BatchShare share, BatchPool **out, Error *err);

/* Waits at most timeout_ms for the next answer: reply->job is -1 when there was none. A worker that ended answers with
 * STATUS_INTERNAL for the job it was at, and another takes its place. *stats is owned by the caller. */
Status batch_pool_next(BatchPool *pool, int timeout_ms, BatchReply *reply, unsigned char **stats, Error *err);

/* Jobs without an answer. */
int batch_pool_remaining(const BatchPool *pool);

/* "walk.bvh: contact 40 %" of the clip that has taken the longest, from a second on; else "". */
void batch_pool_describe(const BatchPool *pool, char *text, size_t size);

/* Lets the workers end. Accepts NULL. */
void batch_pool_close(BatchPool *pool);

#endif
