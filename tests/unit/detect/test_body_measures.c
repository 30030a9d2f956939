/* analysis/detect/body_measures: size and speed of a walker of known dimensions, in any unit. */
#include "tests/support/test.h"

#include "analysis/body/roles.h"
#include "analysis/detect/body_measures.h"
#include "analysis/detect/up_axis.h"
#include "tests/support/skeleton_rows.h"
#include "tests/support/walker.h"

static BodyMeasures measure(double meters_per_unit, UpAxis up, double fps)
{
    Skeleton s;
    Motion m;
    BodyMeasures measures;
    walker_skeleton(&s);
    walker_motion(&m, (int)(4 * fps), fps);
    walker_to_file(&s, &m, meters_per_unit, up);
    assert_int_equal(body_measures(&s, &m, 0, up_axis_vector(up), &measures, NULL), STATUS_OK);
    skeleton_free(&s);
    motion_free(&m);
    return measures;
}

/* Legs of 0.82 m, arms of 0.53 m and 0.62 m from hips to head imply a height of 1.72 to 1.84 m; the foot extends 8 cm
 * below and 20 cm ahead of the ankle. */
TEST(walker_has_its_measures)
{
    BodyMeasures m = measure(1, UP_Y, 60);
    assert_true(m.stature > 1.69 && m.stature < 1.84);
    assert_near(m.foot, sqrt(0.08 * 0.08 + 0.2 * 0.2), 1e-9);
    assert_near(m.speed, 1.1, 0.1);
    assert_true(m.drop > 1 && m.drop < 9.8 && m.extent > 1.5 && m.extent < 2.1);
    assert_near(m.fall, 0, 0);
    assert_false(m.is_cmu);
}

TEST(measures_follow_the_unit)
{
    BodyMeasures m = measure(1, UP_Y, 60), cm = measure(0.01, UP_MINUS_Z, 60), slow = measure(1, UP_Y, 120);
    assert_near(cm.stature, 100 * m.stature, 1e-9);
    assert_near(cm.foot, 100 * m.foot, 1e-9);
    assert_near(cm.speed, 100 * m.speed, 1e-7);
    assert_near(cm.drop, 100 * m.drop, 1e-6);
    assert_near(slow.speed, m.speed, 1e-3);
    assert_near(slow.drop, m.drop, 0.1 * m.drop);
}

/* Without limbs no height; without frames no speed. */
TEST(stick_has_an_extent_only)
{
    Skeleton s;
    Motion m;
    BodyMeasures measures;
    assert_int_equal(skeleton_init(&s, 2, 1, NULL), STATUS_OK);
    assert_int_equal(motion_init(&m, 0, 2, 0.01, 0, NULL), STATUS_OK);
    skeleton_set_name(&s, 0, "upper", NULL);
    skeleton_set_name(&s, 1, "lower", NULL);
    s.parent[1] = 0;
    s.end_parent[0] = 1;
    s.offset[1] = s.end_offset[0] = vec3(0, -0.3, 0);
    assert_int_equal(body_measures(&s, &m, 0, vec3(0, 1, 0), &measures, NULL), STATUS_OK);
    assert_near(measures.extent, 0.6, 1e-12);
    assert_near(measures.stature + measures.foot + measures.speed + measures.drop + measures.fall, 0, 0);
    assert_false(measures.is_cmu);
    motion_free(&m);
    skeleton_free(&s);
}

#define CMU_SIDE(n, x)                                                                                   \
    {"helper" n, "hips", {0, 0, 0}, 0, {0, 0, 0}}, {"thigh" n, "helper" n, {x * 0.09, -0.06, 0}, 0, {0, 0, 0}}, \
    {"shank" n, "thigh" n, {0, -0.42, 0}, 0, {0, 0, 0}}, {"foot" n, "shank" n, {0, -0.41, 0}, 1, {0, -0.06, 0.15}}
#define CMU_ARM(n, x)                                                                                             \
    {"collar" n, "chest", {0, 0, 0}, 0, {0, 0, 0}}, {"upper" n, "collar" n, {x * 0.18, 0, 0}, 0, {0, 0, 0}},      \
    {"fore" n, "upper" n, {x * 0.28, 0, 0}, 0, {0, 0, 0}}, {"hand" n, "fore" n, {x * 0.26, 0, 0}, 1, {x * 0.1, 0, 0}}

TEST(shape_identifies_a_cmu_skeleton)
{
    JointRow rows[] = {{"hips", NULL, {0, 1, 0}, 0, {0, 0, 0}}, CMU_SIDE("1", 1), CMU_SIDE("2", -1),
                       {"back", "hips", {0, 0, 0}, 0, {0, 0, 0}}, {"chest", "back", {0, 0.45, 0}, 0, {0, 0, 0}},
                       {"neck", "chest", {0, 0, 0}, 0, {0, 0, 0}}, {"head", "neck", {0, 0.2, 0}, 1, {0, 0.2, 0}},
                       CMU_ARM("1", 1), CMU_ARM("2", -1)};
    enum { JOINTS = sizeof rows / sizeof *rows, HELPER = 1 };
    for (int is_cmu = 1; is_cmu >= 0; is_cmu--) {
        Skeleton s;
        Motion m;
        RoleSigns signs;
        BodyMeasures measures;
        rows[HELPER].offset.x = is_cmu ? 0 : 0.02;
        skeleton_from_rows(&s, rows, JOINTS);
        assert_int_equal(motion_init(&m, 0, JOINTS, 0.01, 0, NULL), STATUS_OK);
        assert_int_equal(roles_assign(&s, &signs, NULL), STATUS_OK);
        assert_int_equal(body_measures(&s, &m, 0, vec3(0, 1, 0), &measures, NULL), STATUS_OK);
        assert_int_equal(measures.is_cmu, is_cmu);
        motion_free(&m);
        skeleton_free(&s);
    }
}
