/* control/playback: exact for any time step; equals the scalar spring for rotation about one axis. */
#include "tests/support/test.h"

#include "analysis/control/follower.h"
#include "analysis/math/elementary.h"

static double distance(Quat a, Quat b) { return 2 * vec3_norm(quat_log(quat_mul(a, quat_conjugate(b)))); }

TEST(many_steps_equal_one_step)
{
    Quat target = quat_from_axis_angle(vec3_normalize(vec3(1, 2, -1)), 0.8);
    const double damping[] = {0.3, 1, 2};
    for (int d = 0; d < 3; d++) {
        Follower once = {quat_from_axis_angle(vec3(0, 1, 0), -1.0), {3, -2, 1}}, often = once;
        SpringStep whole = spring_step(7, damping[d], 0.4), part = spring_step(7, damping[d], 0.4 / 50);
        follower_advance(&once, &whole, target);
        for (int i = 0; i < 50; i++)
            follower_advance(&often, &part, target);
        assert_near(distance(once.orientation, often.orientation), 0, 1e-12);
        assert_vec3_near(once.angular_velocity, often.angular_velocity, 1e-11);
    }
}

/* Near the target the rates are a series with the same accuracy. */
TEST(many_small_steps_equal_one_step)
{
    Quat target = quat_from_axis_angle(vec3_normalize(vec3(1, 2, -1)), 0.8);
    Quat near = quat_mul(quat_from_axis_angle(vec3(0, 1, 0), 5e-5), target);
    Follower once = {near, {3e-4, -2e-4, 1e-4}}, often = once;
    SpringStep whole = spring_step(7, 1, 0.05), part = spring_step(7, 1, 0.05 / 10);
    follower_advance(&once, &whole, target);
    for (int i = 0; i < 10; i++)
        follower_advance(&often, &part, target);
    assert_vec3_near(once.angular_velocity, often.angular_velocity, 1e-13);
}

TEST(rotation_about_one_axis_equals_the_spring)
{
    Vec3 u = vec3_normalize(vec3(1, 1, 3));
    double x = 0.2, v = 1.5;
    Follower f = {quat_from_axis_angle(u, x), vec3_scale(u, v)};
    SpringStep step = spring_step(9, 1, 0.13);
    follower_advance(&f, &step, quat_from_axis_angle(u, 1.1));
    spring_advance(&step, 1.1, &x, &v);
    assert_near(distance(f.orientation, quat_from_axis_angle(u, x)), 0, 1e-13);
    assert_vec3_near(f.angular_velocity, vec3_scale(u, v), 1e-12);
}

/* omega is the rate of the orientation: a short step rotates by omega dt. */
TEST(velocity_is_the_rate_of_the_orientation)
{
    Follower f = {quat_from_axis_angle(vec3(1, 0, 0), 1.9), {4, 2, -3}};
    Quat target = quat_from_axis_angle(vec3(0, 0, 1), 0.7);
    const double h = 1e-5;
    SpringStep step = spring_step(8, 1, 0.05), before = spring_step(8, 1, 0.05 - h);
    SpringStep after = spring_step(8, 1, 0.05 + h);
    Follower a = f, b = f;
    follower_advance(&a, &before, target);
    follower_advance(&b, &after, target);
    follower_advance(&f, &step, target);
    Vec3 rate = vec3_scale(quat_log(quat_mul(b.orientation, quat_conjugate(a.orientation))), 1 / h);
    assert_vec3_near(rate, f.angular_velocity, 1e-7);
}

TEST(jump_of_the_target_is_reached)
{
    Motion m;
    assert_int_equal(motion_init(&m, 200, 1, 0.01, 0, NULL), STATUS_OK);
    Quat end = quat_from_axis_angle(vec3(0, 0, 1), 2);
    for (int f = 0; f < 200; f++)
        m.rotation[f] = f == 0 ? QUAT_IDENTITY : end;
    follower_apply(&m, 2, 1);
    double last = 0;
    for (int f = 1; f < 200; f++) { /* critically damped: no overshoot */
        double turned = distance(m.rotation[f], QUAT_IDENTITY);
        assert_true(turned >= last && turned < 0.2 + last);
        last = turned;
    }
    assert_near(last, 2, 1e-6);
    motion_free(&m);
}

/* The angle follows the closed form: 1 - e^(-z w t) (cos + z / r sin) below critical damping. */
TEST(underdamped_overshoot_has_its_closed_form)
{
    Motion m;
    assert_int_equal(motion_init(&m, 100, 1, 0.01, 0, NULL), STATUS_OK);
    for (int f = 0; f < 100; f++)
        m.rotation[f] = f == 0 ? QUAT_IDENTITY : quat_from_axis_angle(vec3(0, 0, 1), 1);
    follower_apply(&m, 2, 0.4);
    double w = 4 * PI, r = sqrt(1 - 0.16), max = 0;
    for (int f = 0; f < 100; f++) {
        double t = 0.01 * f, e = elementary_exp(-0.4 * w * t);
        double angle = 1 - e * (elementary_cos(w * r * t) + 0.4 / r * elementary_sin(w * r * t));
        assert_near(2 * quat_log(m.rotation[f]).z, angle, 1e-12);
        max = fmax(max, angle);
    }
    assert_true(max > 1.2);
    motion_free(&m);
}
