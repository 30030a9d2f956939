/* analysis/motion/evidence: the decisions follow the file when it is scaled, turned and shifted, and flags win. */
#include "tests/assert_near.h"

#include <string.h>

#include "analysis/motion/first_frame.h"
#include "analysis/motion/frame_rate.h"
#include "tests/walker.h"

static const double units[] = {1, 0.1, 0.01, 0.001, 0.0254, 0.0254 / 0.45};
static const UpAxis axes[] = {UP_X, UP_Y, UP_Z, UP_MINUS_X, UP_MINUS_Y, UP_MINUS_Z};

static Evidence decide(const EvidenceDef *def, const Skeleton *s, const Motion *m)
{
    Evidence e;
    assert_int_equal(evidence_decide(def, s, m, 1, 1.0 / 30, &e, NULL), STATUS_OK);
    return e;
}

static void unit_and_axis_follow_the_file(void **state)
{
    (void)state;
    EvidenceDef def = evidence_default_def();
    for (size_t u = 0; u < sizeof units / sizeof *units; u++)
        for (size_t a = 0; a < sizeof axes / sizeof *axes; a++) {
            Skeleton s;
            Motion m;
            walker_skeleton(&s);
            walker_motion(&m, 60, 30);
            walker_to_file(&s, &m, units[u], axes[a]);
            Evidence e = decide(&def, &s, &m);
            assert_near(e.metres_per_unit, units[u], 1e-12);
            assert_int_equal(e.up, axes[a]);
            assert_int_equal(e.root_offset, ROOT_OFFSET_REPLACE);
            assert_false(e.drop_first_frame);
            assert_true(e.unit_confidence > 0.9 && e.unit_confidence <= 1);
            assert_true(e.up_confidence > 0.8 && e.up_confidence <= 1);
            skeleton_free(&s);
            motion_free(&m);
        }
}

/* A child of 1.05 m and a giant of 2.1 m still have their unit. */
static void unit_bears_small_and_tall_bodies(void **state)
{
    (void)state;
    EvidenceDef def = evidence_default_def();
    for (size_t u = 0; u < sizeof units / sizeof *units; u++)
        for (double size = 0.75; size < 1.3; size += 0.25) {
            Skeleton s;
            Motion m;
            walker_skeleton(&s);
            walker_motion(&m, 30, 30);
            walker_to_file(&s, &m, units[u] / size, UP_Y);
            assert_near(decide(&def, &s, &m).metres_per_unit, units[u], 1e-12);
            skeleton_free(&s);
            motion_free(&m);
        }
}

static void shift_root(Motion *m, Vec3 by)
{
    for (int f = 0; f < m->frame_count; f++)
        m->root_position[f] = vec3_add(m->root_position[f], by);
}

static void root_offset_is_added_where_the_channels_float(void **state)
{
    (void)state;
    EvidenceDef def = evidence_default_def();
    const Vec3 offsets[] = {{0, 95, 0}, {12, 91, -40}};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        Skeleton s;
        Motion m;
        walker_skeleton(&s);
        walker_motion(&m, 60, 30);
        walker_to_file(&s, &m, 0.01, UP_Y);
        s.offset[0] = offsets[i];
        Evidence e = decide(&def, &s, &m);
        assert_int_equal(e.root_offset, ROOT_OFFSET_REPLACE);
        shift_root(&m, vec3_neg(offsets[i]));
        e = decide(&def, &s, &m);
        assert_int_equal(e.root_offset, ROOT_OFFSET_ADD);
        assert_true(e.root_offset_confidence > 0.9);
        assert_int_equal(evidence_decide(&def, &s, &m, 0, 1.0 / 30, &e, NULL), STATUS_OK);
        assert_int_equal(e.root_offset, ROOT_OFFSET_ADD); /* no channels: the offset is all there is */
        skeleton_free(&s);
        motion_free(&m);
    }
}

/* Channels that begin at zero are displacements, although a camera's origin leaves the floor elsewhere. */
static void root_offset_is_added_to_displacements(void **state)
{
    (void)state;
    EvidenceDef def = evidence_default_def();
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    walker_motion(&m, 60, 30);
    walker_to_file(&s, &m, 0.001, UP_Y);
    s.offset[0] = vec3(-394, -314, 2114);
    shift_root(&m, vec3_neg(m.root_position[0]));
    assert_int_equal(decide(&def, &s, &m).root_offset, ROOT_OFFSET_ADD);
    skeleton_free(&s);
    motion_free(&m);
}

static void a_pose_before_the_take_is_dropped(void **state)
{
    (void)state;
    EvidenceDef def = evidence_default_def();
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    walker_motion(&m, 60, 30);
    for (int j = 0; j < WALKER_JOINTS; j++)
        m.rotation[j] = QUAT_IDENTITY;
    Evidence e = decide(&def, &s, &m);
    assert_true(e.drop_first_frame);
    assert_true(e.first_frame_confidence > 0.6);
    def.keep_first_frame = 1;
    e = decide(&def, &s, &m);
    assert_false(e.drop_first_frame);
    assert_near(e.first_frame_confidence, 1, 0);
    double confidence;
    m.frame_count = 2; /* too few to know */
    assert_false(first_frame_is_fake(&s, &m, &confidence));
    m.frame_count = 60;
    skeleton_free(&s);
    motion_free(&m);
}

static void flags_win(void **state)
{
    (void)state;
    EvidenceDef def = {.metres_per_unit = 0.3048, .up = UP_MINUS_Z, .fps = 48, .root_offset = ROOT_OFFSET_ADD};
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    walker_motion(&m, 60, 30);
    Evidence e = decide(&def, &s, &m);
    assert_near(e.metres_per_unit, 0.3048, 0);
    assert_int_equal(e.up, UP_MINUS_Z);
    assert_near(e.fps, 48, 0);
    assert_near(e.frame_time, 1.0 / 48, 0);
    assert_int_equal(e.root_offset, ROOT_OFFSET_ADD);
    assert_near(e.unit_confidence + e.up_confidence + e.fps_confidence + e.root_offset_confidence, 4, 0);
    char text[160];
    evidence_describe(&e, text, sizeof text);
    assert_non_null(strstr(text, "unit 0.3048 m (1), up -Z (1), 48 fps"));
    skeleton_free(&s);
    motion_free(&m);
}

static void nothing_known_is_said_by_the_confidence(void **state)
{
    (void)state;
    EvidenceDef def = evidence_default_def();
    Skeleton s;
    Motion m;
    assert_int_equal(skeleton_init(&s, 2, 0, NULL), STATUS_OK);
    assert_int_equal(motion_init(&m, 0, 2, 0, 0, NULL), STATUS_OK);
    s.parent[1] = 0;
    skeleton_set_name(&s, 0, "base", NULL);
    skeleton_set_name(&s, 1, "end", NULL);
    Evidence e;
    assert_int_equal(evidence_decide(&def, &s, &m, 1, 0, &e, NULL), STATUS_OK);
    assert_near(e.metres_per_unit, 0.01, 0);
    assert_int_equal(e.up, UP_Y);
    assert_near(e.fps, 30, 0);
    assert_near(e.fps_confidence, 0, 0);
    assert_true(e.unit_confidence < 0.7 && e.up_confidence < 0.7);
    skeleton_free(&s);
    Error err;
    assert_int_equal(evidence_decide(&def, &s, &m, 1, 0, &e, &err), STATUS_BAD_INPUT);
    motion_free(&m);
}

static void rate_from_digits(void **state)
{
    (void)state;
    const struct { double frame_time, fps; } known[] = {
        {0.0333333, 30}, {0.033333, 30}, {0.03333, 30}, {0.033, 30}, {1.0 / 30, 30}, {0.033334, 30}, {0.0333333351, 30},
        {0.0083333, 120}, {0.008333, 120}, {0.00833333, 120}, {0.0083, 120}, {0.008342, 120000.0 / 1001},
        {0.016667, 60}, {0.0166667, 60}, {0.0166, 60}, {0.017, 60}, {0.016683, 60000.0 / 1001},
        {0.041667, 24}, {0.0417, 24}, {0.041708, 24000.0 / 1001}, {0.0417083, 24000.0 / 1001},
        {0.033367, 30000.0 / 1001}, {0.04, 25}, {0.02, 50}, {0.01, 100}, {0.008, 125}, {0.025, 40}, {0.005, 200},
        {0.004167, 240}, {0.0041667, 240}, {0.00416667, 240}, {0.013889, 72}, {0.011111, 90}, {0.0222222, 45},
        {0.0123457, 81}, {0.0127123, 1 / 0.0127123}, {1, 1},
    };
    double confidence;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_near(frame_rate_from_time(known[i].frame_time, &confidence), known[i].fps, 1e-6 * known[i].fps);
        assert_true(confidence > 0 && confidence <= 1);
    }
    const double senseless[] = {0, -0.04, NAN, INFINITY};
    for (size_t i = 0; i < 4; i++) {
        assert_near(frame_rate_from_time(senseless[i], &confidence), 30, 0);
        assert_near(confidence, 0, 0);
    }
}

static void names_and_turns(void **state)
{
    (void)state;
    assert_near(unit_from_text("cmu"), 0.0254 / 0.45, 1e-15);
    assert_near(unit_from_text("CM"), 0.01, 0);
    assert_near(unit_from_text("0.3048"), 0.3048, 0);
    assert_near(unit_from_text("furlong") + unit_from_text("-1") + unit_from_text("") + unit_from_text("nan"), 0, 0);
    assert_string_equal(unit_name(0.0254), "inch");
    assert_null(unit_name(0.3048));
    assert_int_equal(up_axis_from_text("W"), UP_AUTO);
    assert_int_equal(up_axis_from_text("-"), UP_AUTO);
    Vec3 v = {1, -2, 5};
    for (size_t a = 0; a < sizeof axes / sizeof *axes; a++) {
        assert_int_equal(up_axis_from_text(up_axis_name(axes[a])), axes[a]);
        assert_vec3_near(up_axis_turn(axes[a], v), quat_rotate(walker_turn(axes[a]), v), 1e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unit_and_axis_follow_the_file),
        cmocka_unit_test(unit_bears_small_and_tall_bodies),
        cmocka_unit_test(root_offset_is_added_where_the_channels_float),
        cmocka_unit_test(root_offset_is_added_to_displacements),
        cmocka_unit_test(a_pose_before_the_take_is_dropped),
        cmocka_unit_test(flags_win),
        cmocka_unit_test(nothing_known_is_said_by_the_confidence),
        cmocka_unit_test(rate_from_digits),
        cmocka_unit_test(names_and_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
