/* analysis/math/vec: closest points against a search, for skew and parallel segments and for
 * points; the inverse of a symmetric matrix. */
#include "tests/support/test.h"

#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"
#include "tests/support/random_clip.h"

static Vec3 along(const Vec3 s[2], double t) { return vec3_mad(s[0], t, vec3_sub(s[1], s[0])); }

/* The least distance over a grid of points on both. */
static double searched(const Vec3 a[2], const Vec3 b[2], int steps)
{
    double min = INFINITY;
    for (int i = 0; i <= steps; i++)
        for (int k = 0; k <= steps; k++)
            min = fmin(min, vec3_distance(along(a, (double)i / steps), along(b, (double)k / steps)));
    return min;
}

TEST(segment_distance_agrees_with_grid_search)
{
    for (int i = 0; i < 50; i++) {
        Vec3 a[2] = {{elementary_sin(i), elementary_cos(3 * i), 0.1 * i},
                     {elementary_cos(i), 1, elementary_sin(7 * i)}};
        Vec3 b[2] = {{0, elementary_sin(5 * i), 2}, {elementary_cos(2 * i), -1, elementary_sin(11 * i)}};
        double found = vec3_norm(segments_apart(a, b)), grid = searched(a, b, 200);
        assert_true(found <= grid + 1e-12);
        assert_near(found, grid, 0.02);
        SegmentPoints at = segments_nearest(a, b);
        assert_vec3_near(segments_apart(a, b), vec3_sub(along(a, at.a), along(b, at.b)), 1e-15);
    }
}

TEST(parallel_segments_and_points_have_their_distance)
{
    const Vec3 a[2] = {{0, 0, 0}, {1, 0, 0}}, beside[2] = {{0.5, 2, 0}, {3, 2, 0}}, behind[2] = {{3, 0, 0}, {2, 0, 0}};
    const Vec3 point[2] = {{0.25, 0, 1}, {0.25, 0, 1}};
    (void)state;
    assert_near(vec3_norm(segments_apart(a, beside)), 2, 1e-15);
    assert_vec3_near(segments_apart(a, behind), vec3(-1, 0, 0), 1e-15);
    assert_vec3_near(segments_apart(point, a), vec3(0, 0, 1), 1e-15);
    assert_near(segments_nearest(point, a).b, 0.25, 1e-15);
    assert_vec3_near(segments_apart(point, point), vec3(0, 0, 0), 0);
}

TEST(symmetric_inverse_times_matrix_is_identity)
{
    Random r = {5};
    Sym3 s = random_inertia(&r, 3), inverse;
    (void)state;
    Vec3 v = random_vec3(&r, 2);
    assert_true(sym3_inverse(s, &inverse));
    assert_vec3_near(sym3_mul(inverse, sym3_mul(s, v)), v, 1e-12);
    assert_false(sym3_inverse((Sym3){0, 0, 0, 0, 0, 0}, &inverse));
}
