/* sim/scene_def: cubic polynomials are reproduced exactly, few rows, quaternions of either sign, times before and
 * after. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/sim/scene_path.h"

static double cubic(double t) { return 1 - 2 * t + 0.5 * t * t + 3 * t * t * t; }
static double cubic_rate(double t) { return -2 + t + 9 * t * t; }

TEST(path_reproduces_a_cubic)
{
    double time[] = {0, 0.1, 0.4, 0.5, 1.2, 1.3}, value[6], curve[6] = {0}, x, rate;
    for (int rows = 4; rows <= 6; rows++) {
        ScenePath p = {0, rows, 1, time, value, curve};
        for (int i = 0; i < rows; i++)
            value[i] = cubic(time[i]);
        assert_int_equal(scene_path_prepare(&p, NULL), STATUS_OK);
        for (double t = 0; t <= time[rows - 1]; t += 0.01) {
            scene_path_at(&p, t, &x, &rate);
            assert_near(x, cubic(t), 1e-12);
            assert_near(rate, cubic_rate(t), 1e-11);
        }
    }
}

TEST(one_to_three_rows_are_point_line_and_parabola)
{
    double time[] = {1, 2, 4}, value[] = {5, 7, 3}, curve[3] = {0}, x, rate;
    ScenePath p = {0, 1, 1, time, value, curve};
    assert_int_equal(scene_path_prepare(&p, NULL), STATUS_OK);
    scene_path_at(&p, 1, &x, &rate);
    assert_near(x, 5, 0);
    assert_near(rate, 0, 0);
    p.row_count = 2;
    assert_int_equal(scene_path_prepare(&p, NULL), STATUS_OK);
    scene_path_at(&p, 1.25, &x, &rate);
    assert_near(x, 5.5, 1e-15);
    assert_near(rate, 2, 1e-15);
    p.row_count = 3;
    assert_int_equal(scene_path_prepare(&p, NULL), STATUS_OK);
    scene_path_at(&p, 3, &x, &rate); /* 5 + 2 (t - 1) - 4/3 (t - 1)(t - 2) */
    assert_near(x, 9 - 8.0 / 3, 1e-14);
    assert_near(rate, 2 - 4, 1e-14);
}

TEST(path_is_constant_before_and_after_its_rows)
{
    double time[] = {1, 2, 3, 4}, value[] = {5, 7, 3, 2}, curve[4] = {0}, x, rate;
    ScenePath p = {0, 4, 1, time, value, curve};
    assert_int_equal(scene_path_prepare(&p, NULL), STATUS_OK);
    for (int side = 0; side < 2; side++) {
        scene_path_at(&p, side ? 4.1 : 0.9, &x, &rate);
        assert_near(x, side ? 2 : 5, 0);
        assert_near(rate, 0, 0);
    }
}

TEST(quaternions_use_the_nearer_sign)
{
    enum { ROWS = 5 };
    double time[ROWS], value[ROWS * PATH_OF_BODY] = {0}, curve[ROWS * PATH_OF_BODY] = {0}, x[PATH_OF_BODY];
    double rate[PATH_OF_BODY];
    ScenePath p = {0, ROWS, PATH_OF_BODY, time, value, curve};
    for (int i = 0; i < ROWS; i++) {
        double sine, cosine, sign = i % 2 ? -1 : 1;
        time[i] = 0.1 * i;
        elementary_sincos(0.05 * i, &sine, &cosine);
        value[i * PATH_OF_BODY + 3] = sign * cosine;
        value[i * PATH_OF_BODY + 6] = sign * sine;
    }
    assert_int_equal(scene_path_prepare(&p, NULL), STATUS_OK);
    double sine, cosine;
    elementary_sincos(0.5 * 0.25, &sine, &cosine);
    scene_path_at(&p, 0.25, x, rate);
    assert_near(x[3], cosine, 1e-6);
    assert_near(x[6], sine, 1e-6);
    assert_near(rate[6], 0.5 * cosine, 1e-5);
}
