/* sim/collision: gaps and normals of known pairs, and shapes that coincide. */
#include "tests/support/assert_near.h"

#include "analysis/sim/collision.h"

static void the_ground_is_below(void **state)
{
    (void)state;
    Collision c = collide_ground_sphere(0.5, vec3(0, 1, 0), vec3(1, 2, 3), 0.25);
    assert_near(c.gap, 1.25, 1e-15);
    assert_vec3_near(c.normal, vec3(0, 1, 0), 0);
    assert_near(c.point.y, 0.5 + 0.5 * 1.25, 1e-15);
    assert_true(collide_ground_sphere(0.5, vec3(0, 1, 0), vec3(1, 0.4, 3), 0).gap < 0);
}

/* A slope of 3 to 4 through (0, 0.5, 0): a point 2 m off along its normal is 2 m off wherever it stands on it. */
static void a_slope_is_below(void **state)
{
    (void)state;
    Vec3 normal = vec3(-0.6, 0.8, 0), on = vec3(0 + 0.8 * 5, 0.5 + 0.6 * 5, -3);
    Collision c = collide_ground_sphere(0.5, normal, vec3_mad(on, 2, normal), 0.5);
    assert_near(c.gap, 1.5, 1e-14);
    assert_vec3_near(c.normal, normal, 0);
    assert_vec3_near(c.point, vec3_mad(on, 0.75, normal), 1e-14);
}

static void a_capsule_is_nearest_at_its_side_or_its_ends(void **state)
{
    (void)state;
    Vec3 a = vec3(0, 0, 0), b = vec3(2, 0, 0);
    Collision side = collide_capsule_sphere(a, b, 0.1, vec3(0.7, 1, 0), 0.2);
    assert_near(side.gap, 0.7, 1e-15);
    assert_vec3_near(side.normal, vec3(0, 1, 0), 1e-15);
    assert_vec3_near(side.point, vec3(0.7, 0.45, 0), 1e-15);
    Collision end = collide_capsule_sphere(a, b, 0.1, vec3(5, 4, 0), 0.2);
    assert_near(end.gap, 4.7, 1e-14);
    assert_vec3_near(end.normal, vec3(0.6, 0.8, 0), 1e-15);
    Collision point = collide_capsule_sphere(a, a, 0.1, vec3(-1, 0, 0), 0.2);
    assert_near(point.gap, 0.7, 1e-15);
}

static void shapes_that_coincide_have_a_normal(void **state)
{
    (void)state;
    Collision c = collide_spheres(vec3(1, 1, 1), 0.1, vec3(1, 1, 1), 0.2);
    assert_near(c.gap, -0.3, 1e-15);
    assert_near(vec3_norm(c.normal), 1, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ground_is_below),
        cmocka_unit_test(a_slope_is_below),
        cmocka_unit_test(a_capsule_is_nearest_at_its_side_or_its_ends),
        cmocka_unit_test(shapes_that_coincide_have_a_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
