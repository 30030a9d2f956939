/* sim/spatial_inertia: M M^-1 = 1, M = G G', kinetic energy, bodies without inertia. */
#include "tests/support/assert_near.h"

#include "analysis/sim/spatial_inertia.h"
#include "tests/support/random_clip.h"

static SpatialInertia random_body(Random *r)
{
    return (SpatialInertia){3 + random_signed(r), random_vec3(r, 0.4), random_inertia(r, 3)};
}

static void inverse_and_factor_belong_to_the_matrix(void **state)
{
    (void)state;
    Random r = {1};
    for (int trial = 0; trial < 10; trial++) {
        SpatialInertia s = random_body(&r);
        double m[36], inverse[36], g[36];
        spatial_inertia_matrix(&s, m);
        assert_int_equal(spatial_inertia_inverse(&s, inverse, NULL), STATUS_OK);
        assert_int_equal(spatial_inertia_factor(&s, g, NULL), STATUS_OK);
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                double one = 0, square = 0;
                for (int k = 0; k < 6; k++) {
                    one += m[6 * i + k] * inverse[6 * k + j];
                    square += g[6 * i + k] * g[6 * j + k];
                }
                assert_near(one, i == j, 1e-10);
                assert_near(square, m[6 * i + j], 1e-12);
                assert_near(j > i ? g[6 * i + j] : 0, 0, 0);
            }
    }
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
    spatial_inertia_momentum(&s, v, omega, &linear, &angular);
    assert_near(0.5 * (vec3_dot(linear, v) + vec3_dot(angular, omega)), energy, 1e-11);
    assert_vec3_near(linear, vec3_scale(of_com, s.mass), 1e-12);
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

static void a_body_without_inertia_is_refused(void **state)
{
    (void)state;
    SpatialInertia massless = {0, {0, 0, 0}, {1, 1, 1, 0, 0, 0}}, needle = {1, {0, 0, 0}, {0, 1, 1, 0, 0, 0}};
    SpatialInertia indefinite = {1, {0, 0, 0}, {1, 1, 1, 2, 0, 0}};
    double m[36];
    assert_int_equal(spatial_inertia_inverse(&massless, m, NULL), STATUS_NO_RESULT);
    assert_int_equal(spatial_inertia_factor(&needle, m, NULL), STATUS_NO_RESULT);
    assert_int_equal(spatial_inertia_inverse(&indefinite, m, NULL), STATUS_NO_RESULT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inverse_and_factor_belong_to_the_matrix),
        cmocka_unit_test(it_is_the_inertia_of_the_body),
        cmocka_unit_test(two_particles_make_a_dumbbell),
        cmocka_unit_test(a_body_without_inertia_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
