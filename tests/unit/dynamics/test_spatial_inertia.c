/* analysis/dynamics/spatial_inertia: energy, momentum, the closed forms of the inverse and the factor. */
#include <math.h>
#include <string.h>

#include "tests/support/test.h"

#include "analysis/dynamics/spatial_inertia.h"
#include "tests/support/random_clip.h"

static SpatialInertia random_body(Random *r)
{
    return (SpatialInertia){3 + random_signed(r), random_vec3(r, 0.4), random_inertia(r, 3)};
}

/* 1/2 v' M v is the energy of centre-of-mass motion plus rotation about it; M v is the momentum. */
TEST(energy_and_momentum_equal_the_bodys)
{
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

TEST(two_particles_have_dumbbell_inertia)
{
    SpatialInertia s = {0};
    spatial_inertia_add_particle(&s, 2, vec3(0, 0, 0));
    spatial_inertia_add_particle(&s, 6, vec3(4, 0, 0));
    assert_near(s.mass, 8, 0);
    assert_vec3_near(s.com, vec3(3, 0, 0), 1e-14);
    assert_near(s.inertia.yy, 2 * 9 + 6 * 1, 1e-12);
    assert_near(s.inertia.xx, 0, 1e-12);
}

static void product(const double *a, const double *b, double *ab)
{
    memset(ab, 0, 36 * sizeof *ab);
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++)
            for (int k = 0; k < 6; k++)
                ab[6 * r + c] += a[6 * r + k] * b[6 * k + c];
}

static void transpose(const double *a, double *of_a)
{
    for (int i = 0; i < 36; i++)
        of_a[6 * (i % 6) + i / 6] = a[i];
}

TEST(inverse_times_matrix_is_identity)
{
    Random r = {7};
    double m[36], inverse[36], one[36];
    (void)state;
    for (int n = 0; n < 50; n++) {
        SpatialInertia s = random_body(&r);
        spatial_inertia_matrix(&s, m);
        assert_true(spatial_inertia_inverse(&s, inverse));
        product(inverse, m, one);
        for (int i = 0; i < 36; i++)
            assert_near(one[i], i % 7 == 0, 1e-11);
        product(m, inverse, one);
        for (int i = 0; i < 36; i++)
            assert_near(one[i], i % 7 == 0, 1e-11);
    }
}

/* Of a mass of 2 at (0, 3, 0) with J = diag(4, 5, 8): by hand. */
TEST(inverse_and_factor_include_centre_of_mass_offset)
{
    const SpatialInertia s = {2, {0, 3, 0}, {4, 5, 8, 0, 0, 0}};
    double inverse[36], g[36];
    (void)state;
    assert_true(spatial_inertia_inverse(&s, inverse));
    assert_near(inverse[0], 0.5 + 9.0 / 8, 1e-15);  /* 1 / m + c^2 / J_zz */
    assert_near(inverse[7], 0.5, 1e-15);            /* along c: 1 / m */
    assert_near(inverse[14], 0.5 + 9.0 / 4, 1e-15); /* 1 / m + c^2 / J_xx */
    assert_near(inverse[5], 3.0 / 8, 1e-15);        /* v_x of a torque about z */
    assert_near(inverse[15], -3.0 / 4, 1e-15);      /* v_z of a torque about x */
    assert_near(inverse[35], 1.0 / 8, 1e-15);
    assert_true(spatial_inertia_factor(&s, g));
    assert_near(g[0], sqrt(2), 1e-15);
    assert_near(g[20], 3 * sqrt(2), 1e-14);
    assert_near(g[30], -3 * sqrt(2), 1e-14);
    assert_near(g[21], 2, 1e-15);
    assert_near(g[28], sqrt(5), 1e-15);
    assert_near(g[35], sqrt(8), 1e-15);
}

TEST(factor_is_lower_triangular_and_reproduces_matrix)
{
    Random r = {9};
    double m[36], g[36], transposed[36], square[36];
    (void)state;
    for (int n = 0; n < 50; n++) {
        SpatialInertia s = random_body(&r);
        spatial_inertia_matrix(&s, m);
        assert_true(spatial_inertia_factor(&s, g));
        transpose(g, transposed);
        product(g, transposed, square);
        for (int i = 0; i < 36; i++) {
            assert_near(square[i], m[i], 1e-14 * s.mass);
            if (i % 6 > i / 6)
                assert_near(g[i], 0, 0);
        }
    }
}

TEST(closed_forms_agree_with_numeric_inverse)
{
    Random r = {11};
    (void)state;
    for (int n = 0; n < 50; n++) {
        SpatialInertia s = random_body(&r);
        SpatialInertiaCheck check = spatial_inertia_check(&s);
        assert_near(check.inverse, 0, 1e-12);
        assert_near(check.factor, 0, 1e-14);
    }
}

TEST(body_without_mass_or_extent_has_no_inverse)
{
    const SpatialInertia none = {0, {0, 0, 0}, {1, 1, 1, 0, 0, 0}}, point = {1, {0, 1, 0}, {0, 0, 0, 0, 0, 0}},
                         rod = {1, {0, 1, 0}, {1, 0, 1, 0, 0, 0}};
    const SpatialInertia *const body[] = {&none, &point, &rod};
    double matrix[36];
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_false(spatial_inertia_inverse(body[i], matrix));
        assert_near(matrix[0], 0, 0);
        assert_false(spatial_inertia_factor(body[i], matrix));
        assert_true(isnan(spatial_inertia_check(body[i]).inverse));
    }
}
