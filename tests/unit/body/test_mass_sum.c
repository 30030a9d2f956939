/* analysis/body/anthropometry: the parts of a bar have its mass, centre of mass and inertia. */
#include "tests/support/test.h"

#include "analysis/body/anthropometry.h"

/* Uniform thin bar of mass m and length l along n, centre c: I = m l^2 / 12 (1 - n n^T). */
static void add_bar(MassSum *lump, double mass, Vec3 centre, Vec3 n, double length)
{
    SecondMoments spread = {.square = {length * length / 12, 0, 0}};
    spread.axis[0] = n;
    axes_complete(n, vec3(0, 0, 1), &spread.axis[1], &spread.axis[2]);
    mass_sum_add(lump, mass, centre, &spread);
}

TEST(three_thirds_are_a_whole)
{
    Vec3 n = vec3_normalize(vec3(1, 2, -2)), centre = {0.3, -0.1, 0.5};
    MassSum whole = {0}, parts = {0};
    Body b;
    assert_int_equal(body_init(&b, 2, NULL), STATUS_OK);
    add_bar(&whole, 3, centre, n, 0.9);
    for (int i = -1; i <= 1; i++)
        add_bar(&parts, 1, vec3_mad(centre, 0.3 * i, n), n, 0.3);
    mass_sum_finish(&whole, &b, 0);
    mass_sum_finish(&parts, &b, 1);
    assert_near(b.mass[1], 3, 1e-15);
    assert_vec3_near(b.com[1], centre, 1e-15);
    double i = 3 * 0.9 * 0.9 / 12;
    for (int j = 0; j < 2; j++) {
        assert_near(b.inertia[j].xx, i * (1 - n.x * n.x), 1e-15);
        assert_near(b.inertia[j].zz, i * (1 - n.z * n.z), 1e-15);
        assert_near(b.inertia[j].xy, -i * n.x * n.y, 1e-15);
        assert_near(b.inertia[j].yz, -i * n.y * n.z, 1e-15);
    }
    body_free(&b);
}

TEST(nothing_weighs_nothing)
{
    MassSum empty = {0};
    Body b;
    assert_int_equal(body_init(&b, 1, NULL), STATUS_OK);
    b.mass[0] = b.com[0].x = b.inertia[0].xx = 7;
    mass_sum_finish(&empty, &b, 0);
    assert_near(b.mass[0], 0, 0);
    assert_near(b.com[0].x, 0, 0);
    assert_near(b.inertia[0].xx, 0, 0);
    body_free(&b);
}

/* Right-handed unit axes, also if the hint is parallel to the first one. */
TEST(axes_are_right_handed)
{
    const Vec3 hints[] = {{0, 0, 1}, {1, 2, -2}, {0, 0, 0}};
    Vec3 n = vec3_normalize(vec3(1, 2, -2)), u, v;
    for (int i = 0; i < 3; i++) {
        axes_complete(n, hints[i], &u, &v);
        assert_near(vec3_norm(u), 1, 1e-15);
        assert_near(vec3_dot(u, n), 0, 1e-15);
        assert_vec3_near(vec3_cross(n, u), v, 0);
    }
    axes_complete(n, hints[0], &u, &v);
    assert_true(vec3_dot(u, hints[0]) > 0.7);
}
