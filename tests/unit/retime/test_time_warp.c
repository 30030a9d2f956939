/* analysis/retime/time_warp: places of a clip in time, against a rate with a known integral. */
#include "tests/support/test.h"

#include "analysis/math/elementary.h"
#include "analysis/retime/time_warp.h"

TEST(clip_that_keeps_its_rate_has_its_own_frames)
{
    TimeWarp warp;
    double *place, dt = 1 / 120.0;
    int count;
    assert_int_equal(time_warp_init(&warp, 240 * dt, 0.017, NULL), STATUS_OK);
    assert_int_equal(time_warp_places(&warp, dt, &place, &count, NULL), STATUS_OK);
    assert_int_equal(count, 241);
    for (int i = 0; i < count; i++)
        assert_near(place[i], i * dt, 1e-15);
    free(place);
    time_warp_free(&warp);
}

/* x = 1 - 2 k place: the place accelerates by -k, so that place = t - k t^2 / 2. */
TEST(linear_square_of_the_rate_is_a_constant_acceleration)
{
    const double k = 0.3, dt = 0.01;
    TimeWarp warp;
    double *place;
    int count;
    assert_int_equal(time_warp_init(&warp, 1, 0.1, NULL), STATUS_OK);
    for (int i = 0; i < warp.count; i++)
        warp.square[i] = 1 - 2 * k * (i - 1) * warp.step;
    assert_int_equal(time_warp_places(&warp, dt, &place, &count, NULL), STATUS_OK);
    assert_int_equal(count, 1 + (int)((1 - sqrt(1 - 2 * k)) / k / dt));
    for (int i = 0; i < count; i++) {
        double t = i * dt;
        assert_near(place[i], t - 0.5 * k * t * t, 1e-12);
        assert_near(time_warp_rate(&warp, place[i]).push, -k, 1e-12);
    }
    free(place);
    time_warp_free(&warp);
}

TEST(basis_sums_to_one_and_has_the_slopes_of_its_values)
{
    TimeWarp warp;
    assert_int_equal(time_warp_init(&warp, 2, 0.3, NULL), STATUS_OK);
    for (double place = 0.001; place < 2; place += 0.0371) {
        const double e = 1e-5;
        WarpBasis here = time_warp_basis(&warp, place), before = time_warp_basis(&warp, place - e);
        WarpBasis after = time_warp_basis(&warp, place + e);
        double sum = 0;
        for (int i = 0; i < WARP_ORDER; i++) {
            sum += here.value[i];
            if (before.first == after.first) {
                assert_near(here.slope[i], (after.value[i] - before.value[i]) / (2 * e), 1e-6);
                assert_near(here.bend[i], (after.slope[i] - before.slope[i]) / (2 * e), 1e-4);
            }
        }
        assert_near(sum, 1, 1e-14);
    }
    time_warp_free(&warp);
}
