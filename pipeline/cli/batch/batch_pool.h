/* The worker processes of kane batch: jobs out, answers in, whatever happens to a worker. */
#ifndef KANE_PIPELINE_BATCH_POOL_H
#define KANE_PIPELINE_BATCH_POOL_H

#include "pipeline/cli/batch/batch_worker.h"

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
