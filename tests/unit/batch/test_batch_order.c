/* Answers of workers in the order of the plan. */
#include "tests/support/test.h"

#include <stdlib.h>

#include "pipeline/cli/batch/batch_order.h"

static void hold(BatchOrder *order, int job, size_t bytes)
{
    BatchReply reply = {.job = job, .stats_size = bytes};
    assert_int_equal(batch_order_hold(order, &reply, malloc(1), NULL), STATUS_OK);
}

/* Returns the job of the answer that is taken; -1: none. */
static int take(BatchOrder *order, int to_end)
{
    BatchAnswer *answer = batch_order_take(order, to_end);
    int job = answer ? answer->reply.job : -1;
    batch_answer_free(answer);
    return job;
}

TEST(answers_wait_for_their_turn)
{
    BatchOrder order;
    assert_int_equal(batch_order_init(&order, 4, NULL), STATUS_OK);
    hold(&order, 2, 1);
    hold(&order, 1, 1);
    assert_int_equal(take(&order, 0), -1);
    hold(&order, 0, 1);
    for (int job = 0; job < 3; job++)
        assert_int_equal(take(&order, 0), job);
    assert_int_equal(take(&order, 0), -1);
    assert_int_equal(order.bytes, 0);
    batch_order_free(&order);
}

TEST(waiting_answers_are_taken_at_the_end)
{
    BatchOrder order;
    assert_int_equal(batch_order_init(&order, 4, NULL), STATUS_OK);
    hold(&order, 3, 1);
    hold(&order, 1, 1);
    assert_int_equal(take(&order, 1), 1);
    assert_int_equal(take(&order, 1), 3);
    assert_int_equal(take(&order, 1), -1);
    batch_order_free(&order);
}

/* Too many bytes go ahead of their turn, and the order goes on behind them. */
TEST(too_many_bytes_do_not_wait)
{
    BatchOrder order;
    assert_int_equal(batch_order_init(&order, 3, NULL), STATUS_OK);
    hold(&order, 1, (size_t)BATCH_ORDER_BYTES + 1);
    assert_int_equal(take(&order, 0), 1);
    hold(&order, 2, 1);
    assert_int_equal(take(&order, 0), -1);
    hold(&order, 0, 1);
    assert_int_equal(take(&order, 0), 0);
    assert_int_equal(take(&order, 0), 2);
    batch_order_free(&order);
}
