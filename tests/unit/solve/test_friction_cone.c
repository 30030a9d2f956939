/* analysis/solve/tridiagonal_qp: a projection satisfies its optimality conditions. */
#include "analysis/solve/friction_cone.h"
#include "tests/support/test.h"


static double pseudo_random(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)*seed / 4294967296.0 * 2 - 1;
}

/* p is the projection of y onto a convex cone K if p is in K, y - p is in the polar cone and p . (y - p) = 0. */
TEST(projection_is_optimal)
{
    FrictionCone cone;
    friction_cone_init(&cone, 0.8);
    unsigned seed = 1;
    int seen[FACE_COUNT] = {0};
    for (int i = 0; i < 20000; i++) {
        Vec3 y = {3 * pseudo_random(&seed), 3 * pseudo_random(&seed), 3 * pseudo_random(&seed)};
        int face;
        Vec3 p = friction_cone_project(&cone, y, &face), rest = vec3_sub(y, p);
        seen[face]++;
        assert_near(vec3_dot(p, rest), 0, 1e-14);
        for (int k = 0; k < CONE_SIDES; k++) {
            assert_true(vec3_dot(cone.inward[k], p) >= -1e-14);
            assert_true(vec3_dot(cone.edge[k], rest) <= 1e-14);
        }
        Vec3 on_face = {0, 0, 0};
        for (int d = 0; d < cone.dimension[face]; d++)
            on_face = vec3_mad(on_face, vec3_dot(p, cone.basis[face][d]), cone.basis[face][d]);
        assert_vec3_near(on_face, p, 1e-14);
    }
    for (int face = 0; face < FACE_COUNT; face++)
        assert_true(seen[face] > 0);
}

TEST(pyramid_lies_inside_the_round_cone)
{
    FrictionCone cone;
    friction_cone_init(&cone, 0.5);
    for (int k = 0; k < CONE_SIDES; k++) {
        Vec3 e = cone.edge[k];
        assert_near(sqrt(e.x * e.x + e.z * e.z), 0.5 * e.y, 1e-15);
        int face;
        Vec3 outside = vec3(0.51 * e.x / e.y, 1, 0.51 * e.z / e.y);
        friction_cone_project(&cone, vec3(2 * outside.x, 1, 2 * outside.z), &face);
        assert_true(face != FACE_INTERIOR);
    }
}

TEST(pulling_force_projects_to_zero)
{
    FrictionCone cone;
    friction_cone_init(&cone, 0.8);
    int face;
    assert_vec3_near(friction_cone_project(&cone, vec3(0.1, -5, 0.2), &face), vec3(0, 0, 0), 0);
    assert_int_equal(face, FACE_APEX);
}
