/* sim/joint_limit: angles there and back, rows and their rates against finite differences, the singular pose. */
#include "tests/support/assert_near.h"

#include "analysis/math/elementary.h"
#include "analysis/sim/joint_limit.h"
#include "tests/support/random_clip.h"

#define STEP 1e-6

static JointAngles random_angles(Random *r)
{
    return (JointAngles){3 * random_signed(r), 1.4 * random_signed(r), 3 * random_signed(r)};
}

static Vec3 as_vec3(JointAngles a) { return vec3(a.roll, a.pitch, a.yaw); }

static void angles_come_back(void **state)
{
    (void)state;
    Random r = {1};
    for (int trial = 0; trial < 50; trial++) {
        JointAngles a = random_angles(&r);
        assert_vec3_near(as_vec3(joint_angles(joint_angles_to_quat(a))), as_vec3(a), 1e-12);
    }
    JointAngles z = {0.3, 0, 0};
    assert_vec3_near(quat_rotate(joint_angles_to_quat(z), vec3(1, 0, 0)),
                     vec3(elementary_cos(0.3), elementary_sin(0.3), 0), 1e-14);
}

static void rows_are_the_rates_of_the_angles(void **state)
{
    (void)state;
    Random r = {2};
    for (int trial = 0; trial < 50; trial++) {
        JointAngles a = random_angles(&r);
        Quat q = joint_angles_to_quat(a);
        Vec3 omega = random_vec3(&r, 1);
        Vec3 ahead = as_vec3(joint_angles(quat_mul(quat_exp(vec3_scale(omega, 0.5 * STEP)), q)));
        Vec3 behind = as_vec3(joint_angles(quat_mul(quat_exp(vec3_scale(omega, -0.5 * STEP)), q)));
        Vec3 rate = vec3_scale(vec3_sub(ahead, behind), 0.5 / STEP);
        assert_vec3_near(mat3_mul(joint_limit_rows(a), omega), rate, 1e-6);
    }
}

static void rates_are_the_rates_of_the_rows(void **state)
{
    (void)state;
    Random r = {3};
    for (int trial = 0; trial < 50; trial++) {
        JointAngles a = random_angles(&r), v = random_angles(&r);
        JointAngles a1 = {a.roll + STEP * v.roll, a.pitch + STEP * v.pitch, a.yaw + STEP * v.yaw};
        JointAngles a0 = {a.roll - STEP * v.roll, a.pitch - STEP * v.pitch, a.yaw - STEP * v.yaw};
        Mat3 ahead = joint_limit_rows(a1), behind = joint_limit_rows(a0), rate = joint_limit_rows_rate(a, v);
        for (int i = 0; i < 3; i++) {
            Vec3 expected = vec3_scale(vec3_sub(ahead.r[i], behind.r[i]), 0.5 / STEP);
            assert_vec3_near(rate.r[i], expected, 1e-6 * (1 + vec3_norm(expected)));
        }
    }
}

/* Where roll and yaw turn about one axis only their sum counts: yaw is given as zero. */
static void the_singular_pose_keeps_its_rotation(void **state)
{
    (void)state;
    Quat q = joint_angles_to_quat((JointAngles){0.4, PI / 2, 0.1});
    JointAngles a = joint_angles(q);
    assert_near(a.pitch, PI / 2, 1e-7);
    assert_near(fabs(quat_dot(joint_angles_to_quat(a), q)), 1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_come_back),
        cmocka_unit_test(rows_are_the_rates_of_the_angles),
        cmocka_unit_test(rates_are_the_rates_of_the_rows),
        cmocka_unit_test(the_singular_pose_keeps_its_rotation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
