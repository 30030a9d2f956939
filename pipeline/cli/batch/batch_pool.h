/* The worker processes of kane batch: sends jobs, receives answers and replaces workers that crash. */
#ifndef KANE_CLI_BATCH_BATCH_POOL_H
#define KANE_CLI_BATCH_BATCH_POOL_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "pipeline/cli/batch/batch_worker.h"

typedef struct BatchPool BatchPool;

/* Number of workers and their total memory in bytes (0: no limit). */
typedef struct BatchShare {
    int workers;
    long long memory;
} BatchShare;

/* Forks the workers and sends the first jobs. setup must outlive the pool. workers 0: one per processor; never more
 * than jobs. With a memory limit a job waits until it fits beside the running ones; a job above the limit runs
 * alone. */
Status batch_pool_open(const BatchSetup *setup, int job_count, BatchShare share, BatchPool **out, Error *err);

/* Waits up to timeout_ms for the next answer; reply->job is -1 if there was none. A worker that crashed gives
 * STATUS_INTERNAL for its running job and is replaced. The caller frees *stats. */
Status batch_pool_next(BatchPool *pool, int timeout_ms, BatchReply *reply, unsigned char **stats, Error *err);

/* Returns the number of jobs without an answer. */
int batch_pool_remaining(const BatchPool *pool);

/* Describes the job that has been running longest, if over a second: "walk.bvh: contact 40 %"; otherwise "". */
void batch_pool_describe(const BatchPool *pool, char *text, size_t size);

/* Ends the workers. Accepts NULL. */
void batch_pool_close(BatchPool *pool);

#endif
