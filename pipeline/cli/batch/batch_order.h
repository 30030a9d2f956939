/* Answers of workers in the order of the plan, so that IDs and rows of an index do not depend on which worker is
 * first. */
#ifndef KANE_CLI_BATCH_BATCH_ORDER_H
#define KANE_CLI_BATCH_BATCH_ORDER_H

#include "analysis/base/status.h"
#include "pipeline/cli/batch/batch_worker.h"

/* Bytes of answers that wait for an earlier one at most; with more, the first of them goes ahead of its turn. */
enum { BATCH_ORDER_BYTES = 256 << 20 };

/* An answer that waits. */
typedef struct BatchAnswer {
    BatchReply reply;
    unsigned char *stats; /* owned */
} BatchAnswer;

typedef struct BatchOrder {
    BatchAnswer **held; /* [job_count]; NULL: not answered, or taken */
    unsigned char *is_taken; /* [job_count] */
    int job_count;
    int next;           /* the job whose turn it is */
    size_t bytes;       /* held */
} BatchOrder;

Status batch_order_init(BatchOrder *order, int job_count, Error *err);
void batch_order_free(BatchOrder *order);

/* Holds an answer; takes stats, also after failure. */
Status batch_order_hold(BatchOrder *order, const BatchReply *reply, unsigned char *stats, Error *err);

/* Takes the answer whose turn it is; NULL if there is none yet. With to_end, the first of those that are held. The
 * caller frees it by batch_answer_free. */
BatchAnswer *batch_order_take(BatchOrder *order, int to_end);

/* Accepts NULL. */
void batch_answer_free(BatchAnswer *answer);

#endif
