/* analysis/detect/import_guess: decisions are equivariant to scale and rotation of the file, and options take
 * precedence. */
#include "analysis/detect/import_guess.h"
#include "analysis/detect/position_meaning.h"
#include "analysis/detect/root_position.h"
#include "tests/support/test.h"

#include <string.h>

#include "tests/support/walker.h"

static const double units[] = {1, 0.1, 0.01, 0.001, 0.0254, 0.0254 / 0.45};
enum { CMU = 5 };
static const UpAxis axes[] = {UP_X, UP_Y, UP_Z, UP_MINUS_X, UP_MINUS_Y, UP_MINUS_Z};

static ImportGuess decide(const ImportGuessDef *def, const Skeleton *s, const Motion *m)
{
    ImportGuess e;
    assert_int_equal(import_guess_decide(def, s, m, 1, &e, NULL), STATUS_OK);
    return e;
}

TEST(unit_and_axis_are_detected)
{
    ImportGuessDef def = import_guess_default_def();
    for (size_t u = 0; u < sizeof units / sizeof *units; u++)
        for (size_t a = 0; a < sizeof axes / sizeof *axes; a++) {
            Skeleton s;
            Motion m;
            (u == CMU ? walker_cmu_skeleton : walker_skeleton)(&s);
            (u == CMU ? walker_cmu_motion : walker_motion)(&m, 60, 30);
            walker_to_file(&s, &m, units[u], axes[a]);
            ImportGuess e = decide(&def, &s, &m);
            assert_near(e.meters_per_unit, units[u], 1e-12);
            assert_int_equal(e.up, axes[a]);
            assert_int_equal(e.root_offset, ROOT_OFFSET_REPLACE);
            assert_false(e.drop_first_frame);
            assert_true(e.unit_confidence > 0.9 && e.unit_confidence <= 1);
            assert_true(e.up_confidence > 0.8 && e.up_confidence <= 1);
            skeleton_free(&s);
            motion_free(&m);
        }
}

TEST(pose_before_the_take_is_dropped)
{
    ImportGuessDef def = import_guess_default_def();
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    walker_motion(&m, 60, 30);
    for (int j = 0; j < WALKER_JOINTS; j++)
        m.rotation[j] = QUAT_IDENTITY;
    ImportGuess e = decide(&def, &s, &m);
    assert_true(e.drop_first_frame);
    assert_true(e.first_frame_confidence > 0.6);
    def.keep_first_frame = 1;
    e = decide(&def, &s, &m);
    assert_false(e.drop_first_frame);
    assert_near(e.first_frame_confidence, 1, 0);
    skeleton_free(&s);
    motion_free(&m);
}

/* Only the offset is available. */
TEST(root_without_channels_is_at_its_offset)
{
    ImportGuessDef def = {.root_offset = ROOT_OFFSET_REPLACE};
    Skeleton s;
    Motion m;
    ImportGuess e;
    walker_skeleton(&s);
    walker_motion(&m, 10, 30);
    assert_int_equal(import_guess_decide(&def, &s, &m, 0, &e, NULL), STATUS_OK);
    assert_int_equal(e.root_offset, ROOT_OFFSET_ADD);
    assert_near(e.root_offset_confidence, 1, 0);
    skeleton_free(&s);
    motion_free(&m);
}

TEST(options_override_detection)
{
    ImportGuessDef def = {.meters_per_unit = 0.3048, .up = UP_MINUS_Z, .fps = 48, .root_offset = ROOT_OFFSET_ADD};
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    walker_motion(&m, 60, 30);
    ImportGuess e = decide(&def, &s, &m);
    assert_near(e.meters_per_unit, 0.3048, 0);
    assert_int_equal(e.up, UP_MINUS_Z);
    assert_near(e.fps, 48, 0);
    assert_near(e.frame_time, 1.0 / 48, 0);
    assert_int_equal(e.root_offset, ROOT_OFFSET_ADD);
    assert_near(e.unit_confidence + e.up_confidence + e.fps_confidence + e.root_offset_confidence, 4, 0);
    char text[160];
    import_guess_describe(&e, text, sizeof text);
    assert_non_null(strstr(text, "detected 0.3048 m (>99 %), -Z up (>99 %), 48 fps"));
    skeleton_free(&s);
    motion_free(&m);
}

TEST(implausible_frame_rate_is_refused)
{
    static const double rates[] = {1e-300, 9e-5, 1e-4, 1e6, 1.1e6, 1e60};
    Skeleton s;
    Motion m;
    (void)state;
    walker_skeleton(&s);
    walker_motion(&m, 60, 30);
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        ImportGuessDef def = {.fps = rates[i]};
        ImportGuess e;
        Error err = {0};
        int is_sound = rates[i] >= 1e-4 && rates[i] <= 1e6;
        assert_int_equal(import_guess_decide(&def, &s, &m, 0, &e, &err), is_sound ? STATUS_OK : STATUS_USAGE);
        assert_true(is_sound || strstr(err.text, "expected 0.0001 to 1e+06"));
    }
    skeleton_free(&s);
    motion_free(&m);
}

TEST(undetermined_decisions_have_low_confidence)
{
    ImportGuessDef def = import_guess_default_def();
    Skeleton s;
    Motion m;
    assert_int_equal(skeleton_init(&s, 2, 0, NULL), STATUS_OK);
    assert_int_equal(motion_init(&m, 0, 2, 0, 0, NULL), STATUS_OK);
    s.parent[1] = 0;
    skeleton_set_name(&s, 0, "base", NULL);
    skeleton_set_name(&s, 1, "end", NULL);
    ImportGuess e;
    assert_int_equal(import_guess_decide(&def, &s, &m, 1, &e, NULL), STATUS_OK);
    assert_near(e.meters_per_unit, 0.01, 0);
    assert_int_equal(e.up, UP_Y);
    assert_near(e.fps, 30, 0);
    assert_near(e.fps_confidence, 0, 0);
    assert_true(e.unit_confidence < 0.7 && e.up_confidence < 0.7);
    skeleton_free(&s);
    Error err;
    assert_int_equal(import_guess_decide(&def, &s, &m, 1, &e, &err), STATUS_BAD_INPUT);
    motion_free(&m);
}

/* A walk in world positions, a walk in place, a clip at one frame per second. */
TEST(unusual_decisions_are_reported)
{
    ImportGuess e = {.meters_per_unit = 0.0254,
                     .unit_confidence = 0.352,
                     .up = UP_Z,
                     .up_confidence = 0.8,
                     .fps = 30,
                     .fps_confidence = 1,
                     .root_offset = ROOT_OFFSET_REPLACE,
                     .root_offset_confidence = 0.74,
                     .positions = POSITIONS_LOCAL,
                     .positions_confidence = 1,
                     .first_frame_confidence = 0.99,
                     .stature = 1.137};
    char text[320];
    import_guess_describe(&e, text, sizeof text);
    assert_string_equal(text, "detected inch (35 %), Z up (80 %), 30 fps (>99 %), root offset replaced (74 %), "
                              "first frame kept (99 %), stature 1.14 m");
    e.unit_confidence = 1;
    e.positions = POSITIONS_WORLD;
    e.positions_confidence = 0.6;
    e.no_root_path = 1;
    import_guess_describe(&e, text, sizeof text);
    assert_string_equal(text, "detected inch (>99 %), Z up (80 %), 30 fps (>99 %), root offset replaced (74 %), "
                              "first frame kept (99 %), positions world (60 %), the root does not translate");
}

TEST(frame_time_of_1_s_is_refused)
{
    Skeleton s;
    Motion m;
    ImportGuess e;
    Error err;
    ImportGuessDef def = import_guess_default_def();
    walker_skeleton(&s);
    walker_motion(&m, 20, 30);
    m.frame_time = 1;
    assert_int_equal(import_guess_decide(&def, &s, &m, 1, &e, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "--fps"));
    def.fps = 30;
    assert_int_equal(import_guess_decide(&def, &s, &m, 1, &e, &err), STATUS_OK);
    def.fps = 0;
    m.frame_time = 0.2; /* five frames per second */
    assert_int_equal(import_guess_decide(&def, &s, &m, 1, &e, &err), STATUS_OK);
    m.frame_count = 1; /* a single pose has no rate */
    m.frame_time = 1;
    assert_int_equal(import_guess_decide(&def, &s, &m, 1, &e, &err), STATUS_OK);
    skeleton_free(&s);
    motion_free(&m);
}

/* A rest pose at another position before the take is not a path. */
TEST(dropped_frame_does_not_make_a_root_path)
{
    Skeleton s;
    Motion m;
    ImportGuessDef def = import_guess_default_def();
    walker_skeleton(&s);
    walker_motion(&m, 60, 30);
    for (int f = 0; f < 60; f++)
        m.root_position[f] = vec3(0, 0.94, f > 0 ? 0 : 3);
    for (int j = 0; j < WALKER_JOINTS; j++)
        m.rotation[j] = QUAT_IDENTITY;
    ImportGuess e = decide(&def, &s, &m);
    assert_true(e.drop_first_frame && e.no_root_path);
    def.keep_first_frame = 1;
    e = decide(&def, &s, &m);
    assert_false(e.drop_first_frame || e.no_root_path);
    skeleton_free(&s);
    motion_free(&m);
}

TEST(decision_includes_the_body_size)
{
    Skeleton s;
    Motion m;
    ImportGuessDef def = {.meters_per_unit = 0.01};
    walker_skeleton(&s);
    walker_motion(&m, 60, 30);
    walker_to_file(&s, &m, 0.01, UP_Y);
    ImportGuess e = decide(&def, &s, &m);
    assert_near(e.stature, 1.76, 0.08);
    assert_near(e.foot, 0.2154, 1e-3);
    assert_near(e.speed, 1.1, 0.1);
    skeleton_free(&s);
    motion_free(&m);
}
