/* analysis/retarget/foot_stance: when a foot in contact rests on the ground. */
#include "tests/support/assert_near.h"

#include <math.h>

#include "analysis/retarget/foot_stance.h"

enum { FRAMES = 40 };
static const double frame_time = 0.01;

/* A foot that dips by `depth` and comes up again within its contact, as a parabola. */
static void dip(double depth, double *height, double *speed)
{
    for (int f = 0; f < FRAMES; f++) {
        double x = (f - 0.5 * (FRAMES - 1)) / (0.5 * FRAMES);
        height[f] = depth * x * x;
        speed[f] = fabs(2 * depth * x / (0.5 * FRAMES * frame_time));
    }
}

static int count_settled(const uint8_t *settled)
{
    int count = 0;
    for (int f = 0; f < FRAMES; f++)
        count += settled[f];
    return count;
}

static void a_still_foot_rests_all_the_time(void **state)
{
    (void)state;
    double height[FRAMES] = {0}, speed[FRAMES] = {0};
    uint8_t held[FRAMES] = {0}, settled[FRAMES];
    for (int f = 5; f < 30; f++)
        held[f] = 1;
    foot_stance_settle(height, speed, held, FRAMES, 0.5, 0.9, settled);
    assert_memory_equal(settled, held, FRAMES);
}

/* Slow enough in its middle only, it rests there; the share of frames near the ground is kept by resting longer. */
static void a_foot_that_dips_rests_long_enough(void **state)
{
    (void)state;
    double height[FRAMES], speed[FRAMES];
    uint8_t held[FRAMES], settled[FRAMES], shorter[FRAMES];
    for (int f = 0; f < FRAMES; f++)
        held[f] = 1;
    dip(0.08, height, speed);
    foot_stance_settle(height, speed, held, FRAMES, 0.2, 0, shorter);
    for (int f = 0; f < FRAMES; f++)
        assert_int_equal(shorter[f], speed[f] <= 0.2);
    foot_stance_settle(height, speed, held, FRAMES, 0.2, 0.9, settled);
    int first = 0, last = FRAMES - 1, near = 0;
    while (!settled[first])
        first++;
    while (!settled[last])
        last--;
    assert_int_equal(count_settled(settled), last - first + 1); /* one stretch, around the slow one */
    assert_true(first < FRAMES / 2 && last >= FRAMES / 2 && count_settled(settled) > count_settled(shorter));
    for (int f = 0; f < FRAMES; f++)
        near += settled[f] || fabs(height[f] - height[f < first ? first : last]) < 0.015;
    assert_true(near >= 0.9 * FRAMES);
    assert_true(near <= 0.9 * FRAMES + 2); /* and no longer than that */
}

/* A foot that is never slow has its middle frame; one that is not in contact none. */
static void no_slow_frame_and_no_contact(void **state)
{
    (void)state;
    double height[FRAMES] = {0}, speed[FRAMES];
    uint8_t held[FRAMES] = {0}, settled[FRAMES];
    for (int f = 0; f < FRAMES; f++)
        speed[f] = 3;
    foot_stance_settle(height, speed, held, FRAMES, 0.5, 0.9, settled);
    assert_int_equal(count_settled(settled), 0);
    held[10] = held[11] = held[12] = 1;
    foot_stance_settle(height, speed, held, FRAMES, 0.5, 0.3, settled);
    assert_int_equal(count_settled(settled), 1);
    assert_int_equal(settled[11], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_still_foot_rests_all_the_time),
        cmocka_unit_test(a_foot_that_dips_rests_long_enough),
        cmocka_unit_test(no_slow_frame_and_no_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
