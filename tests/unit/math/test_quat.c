/* analysis/math/quat: identities of rotations, and invalid input. */
#include "tests/support/test.h"

#include "analysis/math/elementary.h"
#include "analysis/math/quat.h"

static const Quat sample = {0.5, -0.1, 0.7, 0.5};

TEST(exp_undoes_log)
{
    Quat q = quat_normalize(sample), back = quat_exp(quat_log(q));
    assert_near(quat_dot(q, back), 1, 1e-15);
    Vec3 tiny = {1e-12, -2e-12, 3e-12};
    assert_vec3_near(quat_log(quat_exp(tiny)), tiny, 1e-27);
}

TEST(log_takes_the_shortest_arc)
{
    Quat q = quat_from_axis_angle(vec3(0, 0, 1), 3.5); /* 3.5 rad is 2 pi - 3.5 the other way */
    assert_vec3_near(quat_log(q), vec3(0, 0, 0.5 * (3.5 - 2 * PI)), 1e-15);
    assert_vec3_near(quat_log(quat_neg(q)), quat_log(q), 1e-15);
}

TEST(matrix_and_quaternion_agree)
{
    Quat q = quat_normalize(sample);
    Vec3 v = {0.3, -2, 5};
    assert_vec3_near(mat3_mul(quat_to_mat3(q), v), quat_rotate(q, v), 1e-14);
    assert_vec3_near(mat3_mul_transposed(quat_to_mat3(q), v), quat_rotate_inverse(q, v), 1e-14);
    Quat axes[] = {q, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
        assert_near(fabs(quat_dot(quat_from_mat3(quat_to_mat3(axes[i])), axes[i])), 1, 1e-15);
}

TEST(between_turns_a_to_b)
{
    Vec3 a = {1, 2, 3}, b = {-2, 0.5, 1};
    Vec3 turned = quat_rotate(quat_between(a, b), vec3_normalize(a));
    assert_vec3_near(turned, vec3_normalize(b), 1e-15);
    assert_vec3_near(quat_rotate(quat_between(a, vec3_neg(a)), a), vec3_neg(a), 1e-15);
}

TEST(zero_quaternion_becomes_identity)
{
    Quat q = quat_normalize((Quat){0, 0, 0, 0});
    assert_near(q.w, 1, 0);
    assert_near(vec3_norm(vec3(q.x, q.y, q.z)), 0, 0);
}
