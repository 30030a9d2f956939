/* sim/rigid_body: spatial inertia, kinetic energy and momentum; a tumbling body
 * over a long run, a body that cannot move. */
#include "tests/support/assert_near.h"

#include "analysis/math/elementary.h"
#include "analysis/sim/rigid_body.h"
#include "tests/support/random_clip.h"

static SpatialInertia random_body(Random *r)
{
    return (SpatialInertia){3 + random_signed(r), random_vec3(r, 0.4), random_inertia(r, 3)};
}

/* 1/2 v' M v is the energy of the COM's motion and of the turning about it; M v its momentum. */
static void it_is_the_inertia_of_the_body(void **state)
{
    (void)state;
    Random r = {2};
    SpatialInertia s = random_body(&r);
    Vec3 v = random_vec3(&r, 2), omega = random_vec3(&r, 5), linear, angular;
    Vec3 of_com = vec3_add(v, vec3_cross(omega, s.com));
    double m[36], energy = 0, expected;
    spatial_inertia_matrix(&s, m);
    const double twist[6] = {v.x, v.y, v.z, omega.x, omega.y, omega.z};
    for (int i = 0; i < 36; i++)
        energy += 0.5 * twist[i / 6] * m[i] * twist[i % 6];
    expected = 0.5 * s.mass * vec3_dot(of_com, of_com) + 0.5 * vec3_dot(omega, sym3_mul(s.inertia, omega));
    assert_near(energy, expected, 1e-11);
    linear = vec3_scale(of_com, s.mass);
    angular = vec3_add(sym3_mul(s.inertia, omega), vec3_cross(s.com, linear));
    const double momentum[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (int i = 0; i < 6; i++) {
        double sum = 0;
        for (int k = 0; k < 6; k++)
            sum += m[6 * i + k] * twist[k];
        assert_near(sum, momentum[i], 1e-11);
    }
}

static void two_particles_make_a_dumbbell(void **state)
{
    (void)state;
    SpatialInertia s = {0};
    spatial_inertia_add_particle(&s, 2, vec3(0, 0, 0));
    spatial_inertia_add_particle(&s, 6, vec3(4, 0, 0));
    assert_near(s.mass, 8, 0);
    assert_vec3_near(s.com, vec3(3, 0, 0), 1e-14);
    assert_near(s.inertia.yy, 2 * 9 + 6 * 1, 1e-12);
    assert_near(s.inertia.xx, 0, 1e-12);
}

/* A brick that tumbles about its middle axis, the unstable one. */
static RigidBody brick(void)
{
    RigidBody b;
    assert_int_equal(rigid_body_init(&b, 2, (Sym3){1, 2, 3, 0, 0, 0}, NULL), STATUS_OK);
    rigid_body_set_angular_velocity(&b, vec3(0.01, 2, 0.02));
    b.velocity = vec3(1, -2, 0.5);
    return b;
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
        rigid_body_move(&b, 0.01, NULL, 1e-13);
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
        rigid_body_move(&b, 2.0 / n, NULL, 1e-13);
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
    rigid_body_move(&b, 0.1, NULL, 1e-13);
    assert_true(vec3_norm(quat_log(quat_mul(quat_conjugate(start.orientation), b.orientation))) > 0.05);
    rigid_body_move(&b, -0.1, NULL, 1e-13);
    assert_near(fabs(quat_dot(b.orientation, start.orientation)), 1, 1e-14);
    assert_vec3_near(b.position, start.position, 1e-14);
}

static void points_move_with_the_body(void **state)
{
    (void)state;
    RigidBody b = brick();
    Vec3 p = vec3(0.1, 0.2, 0.3);
    Vec3 before = rigid_body_point(&b, p), v = rigid_body_point_velocity(&b, p);
    rigid_body_move(&b, 1e-6, NULL, 1e-13);
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
        cmocka_unit_test(it_is_the_inertia_of_the_body),
        cmocka_unit_test(two_particles_make_a_dumbbell),
        cmocka_unit_test(a_tumbling_body_keeps_its_energy),
        cmocka_unit_test(moving_is_of_second_order),
        cmocka_unit_test(a_step_back_undoes_a_step),
        cmocka_unit_test(points_move_with_the_body),
        cmocka_unit_test(a_massless_body_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
