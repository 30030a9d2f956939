/* sim/rigid_body: the quaternion's rate, a tumbling body over a long run, a body that cannot move. */
#include "tests/support/assert_near.h"

#include "analysis/math/elementary.h"
#include "analysis/sim/rigid_body.h"
#include "tests/support/random_clip.h"

/* A brick that tumbles about its middle axis, the unstable one. */
static RigidBody brick(void)
{
    RigidBody b;
    assert_int_equal(rigid_body_init(&b, 2, (Sym3){1, 2, 3, 0, 0, 0}, NULL), STATUS_OK);
    rigid_body_set_angular_velocity(&b, vec3(0.01, 2, 0.02));
    b.velocity = vec3(1, -2, 0.5);
    return b;
}

static void the_quaternion_turns_at_its_rate(void **state)
{
    (void)state;
    Random r = {1};
    const double h = 1e-6;
    for (int trial = 0; trial < 10; trial++) {
        Quat q = random_quat(&r);
        Vec3 omega = random_vec3(&r, 3);
        Quat ahead = quat_mul(quat_exp(vec3_scale(omega, 0.5 * h)), q);
        Quat behind = quat_mul(quat_exp(vec3_scale(omega, -0.5 * h)), q);
        Quat rate = quat_rate(q, omega);
        assert_near(rate.w, (ahead.w - behind.w) / (2 * h), 1e-8);
        assert_near(rate.x, (ahead.x - behind.x) / (2 * h), 1e-8);
        assert_near(rate.y, (ahead.y - behind.y) / (2 * h), 1e-8);
        assert_near(rate.z, (ahead.z - behind.z) / (2 * h), 1e-8);
    }
}

static void a_tumbling_body_keeps_its_energy(void **state)
{
    (void)state;
    RigidBody b = brick();
    double energy = rigid_body_kinetic_energy(&b), most = 0;
    Vec3 momentum = b.angular_momentum;
    int flips = 0;
    for (int i = 0; i < 100000; i++) {
        Vec3 before = quat_rotate(b.orientation, vec3(0, 1, 0));
        rigid_body_move(&b, 0.01);
        Vec3 after = quat_rotate(b.orientation, vec3(0, 1, 0));
        flips += before.y * after.y < 0;
        most = fmax(most, fabs(rigid_body_kinetic_energy(&b) - energy));
    }
    assert_true(flips > 50); /* it does tumble: the intermediate-axis theorem */
    assert_true(most < 1e-3 * energy);
    assert_vec3_near(b.angular_momentum, momentum, 0);
    assert_vec3_near(b.position, vec3(1000, -2000, 500), 1e-8);
}

/* Orientation after 2 s in n steps. */
static Quat after_two_seconds(int n)
{
    RigidBody b = brick();
    rigid_body_set_angular_velocity(&b, vec3(1, 2, -1));
    for (int i = 0; i < n; i++)
        rigid_body_move(&b, 2.0 / n);
    return b.orientation;
}

static void moving_is_of_second_order(void **state)
{
    (void)state;
    Quat exact = after_two_seconds(20000);
    double coarse = vec3_norm(quat_log(quat_mul(quat_conjugate(exact), after_two_seconds(100))));
    double fine = vec3_norm(quat_log(quat_mul(quat_conjugate(exact), after_two_seconds(200))));
    assert_near(elementary_log(coarse / fine) / elementary_log(2), 2, 0.05);
}

static void a_step_back_undoes_a_step(void **state)
{
    (void)state;
    RigidBody b = brick(), start = b;
    rigid_body_move(&b, 0.1);
    assert_true(vec3_norm(quat_log(quat_mul(quat_conjugate(start.orientation), b.orientation))) > 0.05);
    rigid_body_move(&b, -0.1);
    assert_near(fabs(quat_dot(b.orientation, start.orientation)), 1, 1e-14);
    assert_vec3_near(b.position, start.position, 1e-14);
}

static void points_move_with_the_body(void **state)
{
    (void)state;
    RigidBody b = brick();
    Vec3 p = vec3(0.1, 0.2, 0.3);
    Vec3 before = rigid_body_point(&b, p), v = rigid_body_point_velocity(&b, p);
    rigid_body_move(&b, 1e-6);
    assert_vec3_near(vec3_scale(vec3_sub(rigid_body_point(&b, p), before), 1e6), v, 1e-5);
}

static void a_massless_body_is_refused(void **state)
{
    (void)state;
    RigidBody b;
    assert_int_equal(rigid_body_init(&b, 0, (Sym3){1, 1, 1, 0, 0, 0}, NULL), STATUS_BAD_INPUT);
    assert_int_equal(rigid_body_init(&b, 1, (Sym3){0, 0, 0, 0, 0, 0}, NULL), STATUS_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_quaternion_turns_at_its_rate),
        cmocka_unit_test(a_tumbling_body_keeps_its_energy),
        cmocka_unit_test(moving_is_of_second_order),
        cmocka_unit_test(a_step_back_undoes_a_step),
        cmocka_unit_test(points_move_with_the_body),
        cmocka_unit_test(a_massless_body_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
