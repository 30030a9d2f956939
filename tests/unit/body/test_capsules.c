/* analysis/body/anthropometry: volumes in closed form, and trees without volume. */
#include "tests/support/test.h"

#include "analysis/body/anthropometry.h"
#include "analysis/math/elementary.h"
#include "tests/support/skeleton_rows.h"

/* One bone of length L and radius r: mass rho (pi r^2 L + 4/3 pi r^3), centre of mass in the middle, and the inertia of
 * the capsule: along 1/2 m_rod r^2 + 2/5 m_ball r^2; across by the parallel-axis theorem for two half spheres. */
TEST(one_bone_is_a_capsule)
{
    static const JointRow rows[] = {{"bone", NULL, {0, 0, 0}, 1, {0, 0.6, 0}}};
    Skeleton s;
    Body b;
    skeleton_from_rows(&s, rows, 1);
    assert_int_equal(capsules_from_skeleton(&s, 0, &b, NULL), STATUS_OK);
    double l = 0.6, r = sqrt(CAPSULE_SLENDERNESS * l * l), rod = 1000 * PI * r * r * l,
           ball = 1000 * 4.0 / 3 * PI * r * r * r;
    assert_near(b.mass[0], rod + ball, 1e-12);
    assert_near(b.total_mass, b.mass[0], 0);
    assert_vec3_near(b.com[0], vec3(0, 0.3, 0), 1e-15);
    assert_near(b.inertia[0].yy, 0.5 * rod * r * r + 0.4 * ball * r * r, 1e-14);
    double across = rod * (l * l / 12 + r * r / 4) + ball * (0.4 * r * r + l * l / 4 + 3.0 / 8 * l * r);
    assert_near(b.inertia[0].xx, across, 1e-14);
    assert_near(b.inertia[0].zz, across, 1e-14);
    body_free(&b);
    skeleton_free(&s);
}

TEST(a_given_mass_rescales)
{
    Skeleton s;
    Body own, given;
    skeleton_from_rows(&s, figure_rows, FIGURE_JOINTS);
    assert_int_equal(capsules_from_skeleton(&s, 0, &own, NULL), STATUS_OK);
    assert_true(own.total_mass > 40 && own.total_mass < 100); /* a person's */
    assert_int_equal(capsules_from_skeleton(&s, 30, &given, NULL), STATUS_OK);
    double sum = 0, factor = 30 / own.total_mass;
    for (int j = 0; j < s.joint_count; j++) {
        sum += given.mass[j];
        assert_near(given.inertia[j].xx, factor * own.inertia[j].xx, 1e-15);
        assert_vec3_near(given.com[j], own.com[j], 0);
    }
    assert_near(sum, 30, 1e-13);
    assert_string_equal(given.model, "capsules");
    body_free(&own);
    body_free(&given);
    skeleton_free(&s);
}

TEST(no_length_no_body)
{
    static const JointRow rows[] = {{"a", NULL, {1, 2, 3}, 0, {0, 0, 0}}, {"b", "a", {0, 0, 0}, 0, {0, 0, 0}}};
    Skeleton s;
    Body b;
    Error err;
    skeleton_from_rows(&s, rows, 2);
    assert_int_equal(capsules_from_skeleton(&s, 0, &b, &err), STATUS_BAD_INPUT);
    assert_null(b.mass);
    skeleton_free(&s);
}
