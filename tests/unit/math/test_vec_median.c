/* analysis/math/vec_median: a median that turns with its vectors. */
#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec_median.h"
#include "tests/support/test.h"

enum { COUNT = 9 };
static const Vec3 velocity[COUNT] = {{1, 0, 0.2}, {0.9, 0.1, 0.3}, {1.1, -0.1, 0.1}, {1.2, 0, 0.25}, {0.8, 0.05, -0.4},
                                     {1, 0.2, 0.15}, {-3, 5, 2}, {0.95, -0.2, 0.9}, {4, 0, -1}};

TEST(median_turns_with_the_vectors)
{
    Vec3 turned[COUNT], own = vec3_median(velocity, COUNT);
    (void)state;
    for (int degrees = 17; degrees < 360; degrees += 61) {
        Quat turn = quat_from_axis_angle(vec3_normalize(vec3(0.3, 1, -0.2)), degrees * PI / 180);
        for (int i = 0; i < COUNT; i++)
            turned[i] = quat_rotate(turn, velocity[i]);
        assert_near(vec3_distance(vec3_median(turned, COUNT), quat_rotate(turn, own)), 0, 1e-12);
    }
}

TEST(two_outliers_of_nine_leave_the_median)
{
    Vec3 median = vec3_median(velocity, COUNT);
    (void)state;
    assert_near(median.x, 1, 0.05);
    assert_near(median.y, 0, 0.05);
    assert_near(median.z, 0.2, 0.05);
}

/* The three sides of the triangle are seen from it at 120 degrees. */
TEST(median_of_a_triangle_is_its_fermat_point)
{
    Vec3 corner[3] = {{0, 0, 0}, {4, 0, 0}, {1, 3, 0}}, at = vec3_median(corner, 3);
    (void)state;
    for (int i = 0; i < 3; i++) {
        Vec3 a = vec3_normalize(vec3_sub(corner[i], at)), b = vec3_normalize(vec3_sub(corner[(i + 1) % 3], at));
        assert_near(vec3_dot(a, b), -0.5, 1e-10);
    }
}

/* More than half of the vectors are equal: the median is theirs, though its distance from them is zero. */
TEST(majority_of_equal_vectors_is_the_median)
{
    Vec3 value[5] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {9, 9, 9}, {-4, 0, 1}};
    (void)state;
    assert_near(vec3_distance(vec3_median(value, 5), vec3(1, 2, 3)), 0, 1e-8);
    assert_near(vec3_distance(vec3_median(value, 1), vec3(1, 2, 3)), 0, 0);
}
