/* analysis/evidence/unit: names of units, and the unit that makes a body of human size. */
#include "tests/support/assert_near.h"

#include "tests/support/walker.h"

static const double units[] = {1, 0.1, 0.01, 0.001, 0.0254, 0.0254 / 0.45};

/* A child of 1.05 m and a giant of 2.1 m still have their unit. */
static void unit_bears_small_and_tall_bodies(void **state)
{
    (void)state;
    double confidence;
    PoseSample sample;
    for (size_t u = 0; u < sizeof units / sizeof *units; u++)
        for (double size = 0.75; size < 1.3; size += 0.25) {
            Skeleton s;
            Motion m;
            walker_skeleton(&s);
            walker_motion(&m, 30, 30);
            walker_to_file(&s, &m, units[u] / size, UP_Y);
            assert_int_equal(pose_sample_init(&sample, &s, &m, 0, 8, NULL), STATUS_OK);
            assert_near(unit_from_body(&s, &sample, 0, &confidence), units[u], 1e-12);
            assert_true(confidence > 0.5 && confidence <= 1);
            pose_sample_free(&sample);
            skeleton_free(&s);
            motion_free(&m);
        }
}

/* Two links of 30 cm, no human: the common units, with little confidence. */
static void a_pendulum_is_in_a_common_unit(void **state)
{
    (void)state;
    const double common[] = {1, 0.01};
    for (size_t u = 0; u < sizeof common / sizeof *common; u++) {
        Skeleton s;
        Motion m;
        PoseSample sample;
        double confidence;
        assert_int_equal(skeleton_init(&s, 2, 1, NULL), STATUS_OK);
        assert_int_equal(motion_init(&m, 0, 2, 0.01, 0, NULL), STATUS_OK);
        skeleton_set_name(&s, 0, "upper", NULL);
        skeleton_set_name(&s, 1, "lower", NULL);
        s.parent[1] = 0;
        s.end_parent[0] = 1;
        s.offset[1] = s.end_offset[0] = vec3(0, -0.3 / common[u], 0);
        assert_int_equal(pose_sample_init(&sample, &s, &m, 0, 8, NULL), STATUS_OK);
        assert_near(unit_from_body(&s, &sample, 0, &confidence), common[u], 1e-15);
        assert_true(confidence < 0.99);
        pose_sample_free(&sample);
        motion_free(&m);
        skeleton_free(&s);
    }
}

/* Drawn with short limbs: between inch and CMU's unit the names of the joints decide. */
static void names_of_the_cmu_library_count(void **state)
{
    (void)state;
    Skeleton s;
    Motion m;
    PoseSample sample;
    double confidence;
    walker_skeleton(&s);
    walker_motion(&m, 2, 30);
    walker_to_file(&s, &m, 0.038, UP_Y);
    assert_int_equal(pose_sample_init(&sample, &s, &m, 0, 8, NULL), STATUS_OK);
    assert_near(unit_from_body(&s, &sample, 0, &confidence), 0.0254, 1e-15);
    skeleton_set_name(&s, 1, "lhipjoint", NULL);
    assert_near(unit_from_body(&s, &sample, 0, &confidence), 0.0254 / 0.45, 1e-15);
    pose_sample_free(&sample);
    motion_free(&m);
    skeleton_free(&s);
}

/* The same odd body falls in one of its clips: gravity tells the unit. */
static void a_fall_tells_the_unit(void **state)
{
    (void)state;
    Skeleton s;
    Motion m;
    PoseSample sample;
    double confidence, weaker;
    walker_skeleton(&s);
    walker_motion(&m, 2, 30);
    walker_to_file(&s, &m, 0.038, UP_Y);
    assert_int_equal(pose_sample_init(&sample, &s, &m, 0, 8, NULL), STATUS_OK);
    assert_near(unit_from_body(&s, &sample, 9.3 / 0.0254, &confidence), 0.0254, 1e-15);
    assert_near(unit_from_body(&s, &sample, 9.3 * 0.45 / 0.0254, &weaker), 0.0254 / 0.45, 1e-15);
    assert_true(confidence > 0.95 && weaker > 0.95);
    pose_sample_free(&sample);
    motion_free(&m);
    skeleton_free(&s);
}

static void names(void **state)
{
    (void)state;
    for (size_t u = 0; u < sizeof units / sizeof *units; u++)
        assert_near(unit_from_text(unit_name(units[u])), units[u], 1e-15);
    assert_near(unit_from_text("CM"), 0.01, 0);
    assert_near(unit_from_text("0.3048"), 0.3048, 0);
    assert_near(unit_from_text("furlong") + unit_from_text("-1") + unit_from_text("") + unit_from_text("nan"), 0, 0);
    assert_null(unit_name(0.3048));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unit_bears_small_and_tall_bodies),
        cmocka_unit_test(a_pendulum_is_in_a_common_unit),
        cmocka_unit_test(names_of_the_cmu_library_count),
        cmocka_unit_test(a_fall_tells_the_unit),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
