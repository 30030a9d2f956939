/* analysis/stats/events: percentiles are the nearest rank, whatever the order of the values. */
#include "tests/support/test.h"

#include <math.h>

#include "analysis/stats/events.h"
#include "tests/support/random_number.h"

TEST(percentile_is_the_nearest_rank)
{
    double value[1000];
    for (int i = 0; i < 1000; i++)
        value[i] = (i * 7919) % 1000; /* 0..999 in another order */
    assert_near(percentile(value, 1000, 0.95), 949, 0);
    assert_near(percentile(value, 1000, 0), 0, 0);
    assert_near(percentile(value, 1000, 1), 999, 0);
    for (int i = 0; i < 1000; i++)
        value[i] = 4;
    assert_near(percentile(value, 1000, 0.5), 4, 0);
}

/* By definition: at least the fraction is at or below the percentile, and less than it strictly below. */
TEST(at_least_the_part_does_not_exceed_it)
{
    unsigned seed = 11;
    for (int count = 1; count < 60; count++)
        for (int k = 1; k <= 10; k++) {
            double value[60], part = k / 10.0;
            for (int i = 0; i < count; i++)
                value[i] = floor(6 * random_number(&seed)); /* with ties */
            double p = percentile(value, count, part);
            int below = 0, up_to = 0;
            for (int i = 0; i < count; i++) {
                below += value[i] < p;
                up_to += value[i] <= p;
            }
            assert_true(up_to >= part * count - 1e-9);
            assert_true(below < part * count + 1e-9);
        }
}

/* A single value: the result for each fraction; infinity is an ordinary value. */
TEST(one_value_and_infinity_are_no_trouble)
{
    double one[] = {-3}, three[] = {INFINITY, 1, -INFINITY};
    assert_near(percentile(one, 1, 0), -3, 0);
    assert_near(percentile(one, 1, 0.95), -3, 0);
    assert_near(percentile(three, 3, 0.5), 1, 0);
    assert_true(isinf(percentile(three, 3, 1)));
}
