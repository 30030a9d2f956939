/* analysis/retime/rate_program: the shortest time of a hinge (Bryson and Ho, "Applied Optimal Control", 1975, section
 * 3.9: bang-bang, 2 sqrt(I A / u)), and bounds that are kept. */
#include "tests/support/test.h"

#include "analysis/math/elementary.h"
#include "analysis/retime/rate_program.h"

enum { ROWS = 400 };

/* A hinge that goes through an angle from rest to rest along a cosine: rows of its torque over the limit. */
typedef struct Hinge {
    double inertia, angle, torque; /* kg m2, rad, N m */
    double duration;               /* s, of the clip */
    RateRow row[ROWS];
} Hinge;

static void hinge_rows(Hinge *h)
{
    double w = PI / h->duration;
    for (int i = 0; i < ROWS; i++) {
        double place = h->duration * i / (ROWS - 1), scale = 0.5 * h->angle * w * h->inertia / h->torque;
        h->row[i] = (RateRow){.place = place, .by_square = vec3(scale * w * elementary_cos(w * place), 0, 0),
                              .by_push = vec3(scale * elementary_sin(w * place), 0, 0)};
    }
}

static TimeWarp solve(const RateRow *row, int rows, double duration, int knots, double width)
{
    TimeWarp warp;
    double low[600], high[600];
    assert_int_equal(time_warp_init(&warp, duration, duration / knots, NULL), STATUS_OK);
    assert_true(warp.count <= 600);
    for (int i = 0; i < warp.count; i++) {
        low[i] = 1e-4;
        high[i] = 1;
    }
    RateProgram program = {.row = row, .row_count = rows, .low = low, .high = high,
                           .smoothness = rate_program_smoothness(width)};
    assert_int_equal(rate_program_solve(&program, &warp, NULL), STATUS_OK);
    return warp;
}

/* Time of a warp, s: the integral of 1 / rate. */
static double time_of(const TimeWarp *warp)
{
    enum { STEPS = 20000 };
    double sum = 0;
    for (int i = 0; i < STEPS; i++)
        sum += warp->duration / STEPS / sqrt(time_warp_rate(warp, warp->duration * (i + 0.5) / STEPS).square);
    return sum;
}

static double largest(const RateRow *row, int rows, const TimeWarp *warp)
{
    double max = 0;
    for (int i = 0; i < rows; i++)
        max = fmax(max, rate_row_value(&row[i], time_warp_rate(warp, row[i].place)));
    return max;
}

TEST(hinge_through_an_angle_takes_the_bang_bang_time)
{
    static const double sizes[][3] = {{1, 1, 1}, {0.2, 2.1, 35}, {12, 0.3, 4}};
    for (int i = 0; i < 3; i++) {
        Hinge h = {.inertia = sizes[i][0], .angle = sizes[i][1], .torque = sizes[i][2]};
        double shortest = 2 * sqrt(h.inertia * h.angle / h.torque);
        h.duration = 0.6 * shortest;
        hinge_rows(&h);
        TimeWarp warp = solve(h.row, ROWS, h.duration, 150, h.duration / 100);
        assert_true(largest(h.row, ROWS, &warp) < 1.002);
        assert_near(time_of(&warp) / shortest, 1, 0.01);
        time_warp_free(&warp);
    }
}

TEST(timing_without_a_binding_limit_is_the_clip_s)
{
    Hinge h = {.inertia = 1, .angle = 1, .torque = 1};
    h.duration = 1.2 * PI / sqrt(2); /* its own torque: I A / 2 (pi / duration)^2 = 1 / 1.44 of the limit */
    hinge_rows(&h);
    TimeWarp warp = solve(h.row, ROWS, h.duration, 60, 0.1);
    for (int i = 0; i < warp.count; i++)
        assert_near(warp.square[i], 1, 1e-9);
    time_warp_free(&warp);
}

TEST(limit_that_no_timing_meets_leaves_the_others_met)
{
    Hinge h = {.inertia = 1, .angle = 1, .torque = 1};
    h.duration = 1.2;
    hinge_rows(&h);
    double alone, both;
    TimeWarp warp = solve(h.row, ROWS, h.duration, 60, 0.02);
    alone = time_of(&warp);
    time_warp_free(&warp);
    h.row[ROWS - 1] = (RateRow){.place = 0.4 * h.duration, .now = vec3(1.3, 0, 0)}; /* a weight that is held */
    warp = solve(h.row, ROWS, h.duration, 60, 0.02);
    both = time_of(&warp);
    assert_true(largest(h.row, ROWS - 1, &warp) < 1.01);
    assert_near(both / alone, 1, 0.01);
    time_warp_free(&warp);
}
