/* sim/rigid_body: spatial inertia, kinetic energy and momentum, and the inverse of an inertia. */
#include "tests/support/test.h"

#include "analysis/sim/rigid_body.h"
#include "tests/support/random_clip.h"

static SpatialInertia random_body(Random *r)
{
    return (SpatialInertia){3 + random_signed(r), random_vec3(r, 0.4), random_inertia(r, 3)};
}

/* 1/2 v' M v is the energy of centre-of-mass motion plus rotation about it; M v is the momentum. */
TEST(it_is_the_inertia_of_the_body)
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

TEST(two_particles_make_a_dumbbell)
{
    SpatialInertia s = {0};
    spatial_inertia_add_particle(&s, 2, vec3(0, 0, 0));
    spatial_inertia_add_particle(&s, 6, vec3(4, 0, 0));
    assert_near(s.mass, 8, 0);
    assert_vec3_near(s.com, vec3(3, 0, 0), 1e-14);
    assert_near(s.inertia.yy, 2 * 9 + 6 * 1, 1e-12);
    assert_near(s.inertia.xx, 0, 1e-12);
}

TEST(an_inverse_undoes_what_it_inverts)
{
    Random r = {5};
    Sym3 s = random_inertia(&r, 3), inverse;
    Vec3 v = random_vec3(&r, 2);
    assert_true(sym3_inverse(s, &inverse));
    assert_vec3_near(sym3_mul(inverse, sym3_mul(s, v)), v, 1e-12);
    assert_false(sym3_inverse((Sym3){0, 0, 0, 0, 0, 0}, &inverse));
}
