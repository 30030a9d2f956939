/* See batch_order.h. */
#include "pipeline/cli/batch/batch_order.h"

#include <stdlib.h>

#include "analysis/base/arena.h"

Status batch_order_init(BatchOrder *order, int job_count, Error *err)
{
    *order = (BatchOrder){.job_count = job_count};
    order->held = array_new((size_t)job_count + 1, 1, sizeof *order->held);
    order->is_taken = array_new((size_t)job_count + 1, 1, sizeof *order->is_taken);
    return order->held && order->is_taken ? STATUS_OK : error_no_memory(err);
}

void batch_order_free(BatchOrder *order)
{
    for (int i = 0; order->held && i < order->job_count; i++)
        batch_answer_free(order->held[i]);
    free(order->held);
    free(order->is_taken);
    *order = (BatchOrder){0};
}

void batch_answer_free(BatchAnswer *answer)
{
    if (answer)
        free(answer->stats);
    free(answer);
}

static size_t answer_bytes(const BatchAnswer *answer)
{
    return sizeof *answer + answer->reply.stats_size;
}

Status batch_order_hold(BatchOrder *order, const BatchReply *reply, unsigned char *stats, Error *err)
{
    BatchAnswer *answer = malloc(sizeof *answer);
    if (!answer) {
        free(stats);
        return error_no_memory(err);
    }
    *answer = (BatchAnswer){*reply, stats};
    order->held[reply->job] = answer;
    order->bytes += answer_bytes(answer);
    return STATUS_OK;
}

BatchAnswer *batch_order_take(BatchOrder *order, int to_end)
{
    int job = order->next;
    to_end |= order->bytes > BATCH_ORDER_BYTES;
    while (to_end && job < order->job_count && !order->held[job])
        job++;
    BatchAnswer *answer = job < order->job_count ? order->held[job] : NULL;
    if (!answer)
        return NULL;
    order->held[job] = NULL;
    order->bytes -= answer_bytes(answer);
    order->is_taken[job] = 1;
    while (order->next < order->job_count && order->is_taken[order->next])
        order->next++;
    return answer;
}
