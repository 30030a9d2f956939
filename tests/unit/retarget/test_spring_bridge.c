/* Gaps filled by springs: values and rates continue at both ends, a lone end dies away. */
#include "tests/support/assert_near.h"

#include "analysis/math/elementary.h"
#include "analysis/retarget/spring_bridge.h"

enum { FRAMES = 400 };

static const double dt = 0.001;

/* Second differences stay bounded across the ends of a gap: no step in value, none in rate. */
static void value_and_rate_continue(void **state)
{
    (void)state;
    Vec3 value[FRAMES] = {{0, 0, 0}}, rate[FRAMES] = {{0, 0, 0}};
    uint8_t held[FRAMES] = {0};
    for (int f = 0; f < FRAMES; f++) {
        held[f] = f < 100 || f >= 300;
        value[f] = held[f] ? vec3(0.5 * f * dt, 0.1, 0.2 - f * dt) : vec3(9, 9, 9);
        rate[f] = vec3(0.5, 0, -1);
    }
    spring_bridge(value, rate, held, FRAMES, dt, 12);
    for (int f = 1; f + 1 < FRAMES; f++) {
        Vec3 bend = vec3_add(vec3_sub(value[f + 1], vec3_scale(value[f], 2)), value[f - 1]);
        assert_near(vec3_norm(bend), 0, 60 * dt * dt);
    }
    assert_vec3_near(value[99], vec3(0.0495, 0.1, 0.101), 1e-15);
}

/* x(t) = (x0 + (v0 + omega x0) t) e^(-omega t), the critically damped spring. */
static void a_lone_end_dies_away(void **state)
{
    (void)state;
    Vec3 value[FRAMES] = {{0, 0, 0}}, rate[FRAMES] = {{0, 0, 0}};
    uint8_t held[FRAMES] = {1};
    value[0] = vec3(0.3, 0, 0);
    rate[0] = vec3(-0.7, 0, 0);
    spring_bridge(value, rate, held, FRAMES, dt, 25);
    for (int f = 0; f < FRAMES; f += 7) {
        double t = f * dt;
        assert_near(value[f].x, (0.3 + (-0.7 + 25 * 0.3) * t) * elementary_exp(-25 * t), 1e-12);
    }
    held[0] = 0;
    held[FRAMES - 1] = 1;
    value[FRAMES - 1] = vec3(0.3, 0, 0);
    rate[FRAMES - 1] = vec3(0.7, 0, 0);
    spring_bridge(value, rate, held, FRAMES, dt, 25);
    assert_near(value[FRAMES - 11].x, (0.3 + (-0.7 + 25 * 0.3) * 0.01) * elementary_exp(-0.25), 1e-12);
}

static void nothing_held_gives_nothing(void **state)
{
    (void)state;
    Vec3 value[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, rate[3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    uint8_t held[3] = {0, 0, 0};
    spring_bridge(value, rate, held, 3, dt, 12);
    for (int f = 0; f < 3; f++)
        assert_vec3_near(value[f], vec3(0, 0, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(value_and_rate_continue),
        cmocka_unit_test(a_lone_end_dies_away),
        cmocka_unit_test(nothing_held_gives_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
