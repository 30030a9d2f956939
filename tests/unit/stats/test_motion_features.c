/* analysis/stats/motion_features, features_match: half a second of a walk with a period of 1 s is found again, and its
 * mirror image between; unknown values are skipped; torques have their unit. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/body/body_model.h"
#include "analysis/motion/kinematics.h"
#include "analysis/stats/clip_stats.h"
#include "analysis/stats/features_match.h"
#include "analysis/stats/motion_features.h"
#include "tests/support/hinge_clip.h"
#include "tests/support/walker.h"
#include "tests/support/zeroed_dynamics.h"

#define SECONDS 6.0
enum { HALF_A_SECOND = 3, LEFT_KNEE_TORQUE = SKETCH_POSE_VALUES + 6 };

/* A walk with one stride per second. Its left knee has a torque of 60 N m times `by`, the right 30, all others zero. */
static Clip walk(double fps, double by)
{
    Clip c = {.has_body = 1, .has_kinematics = 1, .has_dynamics = 1};
    BodyDef body = body_default_def();
    DifferenceDef def = difference_default_def();
    int frames = (int)(SECONDS * fps);
    walker_skeleton(&c.skeleton);
    walker_motion(&c.motion, frames, fps);
    ClipView view = {&c.skeleton, &c.body, &c.motion, &c.kinematics};
    assert_int_equal(body_from_skeleton(&c.skeleton, &body, &c.body, NULL), STATUS_OK);
    assert_int_equal(differentiate(&view, &def, &c.kinematics, NULL), STATUS_OK);
    assert_int_equal(zeroed_dynamics(&c.dynamics, frames, WALKER_JOINTS), STATUS_OK);
    for (int f = 0; f < frames; f++) {
        c.kinematics.valid[f] = 1;
        c.dynamics.torque[motion_index(&c.motion, f, 2)] = vec3(0, -60 * by, 0);
        c.dynamics.torque[motion_index(&c.motion, f, 6)] = vec3(30 * by, 0, 0);
    }
    clip_set_source(&c, "walk.bvh", NULL);
    clip_add_history(&c, "import", NULL);
    return c;
}

static ClipStats stats_of(Clip *clip)
{
    ClipStats s;
    assert_int_equal(clip_stats_init(&s, clip, FRAMES_TRUSTED, NULL), STATUS_OK);
    clip_free(clip);
    return s;
}

static ClipStats stats_of_walk(double fps, double by)
{
    Clip c = walk(fps, by);
    return stats_of(&c);
}

typedef struct Answer {
    SketchMatch match[200], distance[200];
    int count;
} Answer;

/* Position in another clip's features that matches the half second from a sample on. */
static Answer ask(const MotionFeatures *wanted, int first, LikenessOf of, int with_mirror, const MotionFeatures *in)
{
    Answer a = {.count = 0};
    SketchWindow *window;
    assert_int_equal(features_window_new(wanted, (SampleRange){first, HALF_A_SECOND}, of, with_mirror, &window, NULL),
                     STATUS_OK);
    assert_true(features_window_steps(window, in->count) <= 200);
    a.count = features_match(window, in->value, in->count, a.distance, a.match);
    features_window_free(window);
    return a;
}

/* Time from a to the nearest b, b + 1, b + 2... s */
static double off_phase(double a, double b)
{
    return fabs(a - b - floor(a - b + 0.5));
}

TEST(samples_are_a_sixth_of_a_second_at_any_rate)
{
    const double fps[] = {10, 24, 60, 240};
    ClipStats first = stats_of_walk(120, 1);
    for (size_t i = 0; i < sizeof fps / sizeof *fps; i++) {
        ClipStats s = stats_of_walk(fps[i], 1);
        double max = 0;
        assert_near(s.sketch.count, SECONDS / SKETCH_SECONDS, 0.01);
        for (int k = 1; k + 2 < s.sketch.count; k++)
            for (int v = 0; v < SKETCH_VALUES; v++)
                max = fmax(max, abs(s.sketch.value[k * SKETCH_VALUES + v] -
                                    first.sketch.value[k * SKETCH_VALUES + v]));
        assert_true(max <= (fps[i] < 20 ? 6 : 3));  /* 1/64 leg lengths: the mean is over other times */
        clip_stats_free(&s);
    }
    clip_stats_free(&first);
}

/* 60 N m over the walker's mass, in steps of 1/32 from 1 on. */
TEST(torque_features_are_in_n_m_per_kg)
{
    Clip c = walk(60, 1);
    double mass = c.body.total_mass;
    ClipStats s = stats_of(&c);
    const unsigned char *value = s.sketch.value + (size_t)10 * SKETCH_VALUES + LEFT_KNEE_TORQUE;
    assert_int_equal(value[0], 1 + (int)floor(60 / mass * 32 + 0.5));
    assert_int_equal(value[1], 1 + (int)floor(30 / mass * 32 + 0.5));
    assert_int_equal(value[-1], 1);
    clip_stats_free(&s);
}

TEST(next_cycle_is_nearer_than_other_phases)
{
    ClipStats s = stats_of_walk(60, 1);
    Answer a = ask(&s.sketch, 8, LIKENESS_BOTH, 0, &s.sketch);
    int strides = 0;
    for (int i = 0; i < a.count; i++) {
        if (a.match[i].distance > 0.2)
            continue;
        strides++;
        assert_true(off_phase(a.match[i].t, 8 * SKETCH_SECONDS) <= SKETCH_SECONDS / 2);
        assert_near(a.match[i].torque_part, 1, 0.02);
    }
    assert_true(strides >= 5);
    clip_stats_free(&s);
}

/* Half a stride later the other side does the same, with the torques of the other knee. */
TEST(mirrored_walk_matches_half_a_stride_later)
{
    ClipStats s = stats_of_walk(60, 1);
    Answer without = ask(&s.sketch, 8, LIKENESS_POSE, 0, &s.sketch);
    Answer with = ask(&s.sketch, 8, LIKENESS_POSE, 1, &s.sketch);
    int mirrored = 0;
    for (int i = 0; i < with.count; i++)
        if (with.match[i].is_mirrored && with.match[i].pose < 0.02) {
            mirrored++;
            assert_true(off_phase(with.match[i].t, 8 * SKETCH_SECONDS + 0.5) <= SKETCH_SECONDS / 2);
            assert_true(with.match[i].torque_nm_kg > 0.1);
        }
    assert_true(mirrored >= 5);
    for (int i = 0; i < without.count; i++)
        assert_true(!without.match[i].is_mirrored);
    clip_stats_free(&s);
}

TEST(mirroring_twice_restores_the_sample)
{
    ClipStats s = stats_of_walk(60, 1);
    unsigned char once[SKETCH_VALUES], twice[SKETCH_VALUES];
    const unsigned char *sample = s.sketch.value + (size_t)12 * SKETCH_VALUES;
    motion_features_mirror(sample, once);
    motion_features_mirror(once, twice);
    assert_memory_not_equal(once, sample, SKETCH_VALUES);
    assert_memory_equal(twice, sample, SKETCH_VALUES);
    clip_stats_free(&s);
}

/* Same pose, a fraction of the torque: for an interval and for the whole clip. */
TEST(half_torque_walk_has_torque_fraction_0_5)
{
    SketchMatch whole;
    ClipStats s = stats_of_walk(60, 1), calm = stats_of_walk(60, 0.5);
    Answer a = ask(&s.sketch, 8, LIKENESS_POSE, 0, &calm.sketch);
    assert_true(a.count > 0);
    for (int i = 0; i < a.count; i++)
        assert_near(a.match[i].torque_part, 0.5, 0.03);
    features_compare(s.sketch.value, s.sketch.count, calm.sketch.value, calm.sketch.count, &whole);
    assert_near(whole.pose, 0, 0.005);
    assert_near(whole.torque_part, 0.5, 0.03);
    clip_stats_free(&s);
    clip_stats_free(&calm);
}

/* A single known torque of the smallest size suffices for a ratio. */
TEST(smallest_torque_has_a_fraction)
{
    static unsigned char wanted[100][SKETCH_VALUES], value[100][SKETCH_VALUES];
    SketchMatch whole;
    wanted[7][LEFT_KNEE_TORQUE] = 2; /* one step of the unit, and three */
    value[7][LEFT_KNEE_TORQUE] = 4;
    features_compare(wanted[0], 100, value[0], 100, &whole);
    assert_near(whole.torque_part, 3, 1e-12);
    assert_near(whole.torque_nm_kg, 2 * SKETCH_NM_KG, 1e-12);
    wanted[7][LEFT_KNEE_TORQUE] = 1; /* zero: no ratio to it */
    features_compare(wanted[0], 100, value[0], 100, &whole);
    assert_true(isnan(whole.torque_part));
}

/* No match begins where a sample of the window would be unknown. */
TEST(untrusted_frames_do_not_match)
{
    Clip c = walk(60, 1);
    for (int f = 150; f < 210; f++)
        c.kinematics.valid[f] = 0;
    ClipStats s = stats_of(&c);
    Answer a = ask(&s.sketch, 3, LIKENESS_BOTH, 1, &s.sketch);
    assert_true(a.count > 3);
    for (int i = 0; i < a.count; i++)
        assert_true(a.match[i].t < 2.2 || a.match[i].t > 3.3);
    SketchWindow *window;
    Error err;
    assert_int_equal(features_window_new(&s.sketch, (SampleRange){16, HALF_A_SECOND}, LIKENESS_BOTH, 0, &window, &err),
                     STATUS_BAD_INPUT);
    assert_null(window);
    clip_stats_free(&s);
}

/* A clip without legs has no features; a window longer than a clip does not match. */
TEST(clip_without_legs_has_no_features)
{
    Clip hinge = hinge_clip(300, 30);
    ClipStats none = stats_of(&hinge), s = stats_of_walk(60, 1);
    SketchWindow *window;
    assert_int_equal(none.sketch.count, 0);
    assert_int_equal(features_window_new(&s.sketch, (SampleRange){0, HALF_A_SECOND}, LIKENESS_POSE, 0, &window, NULL),
                     STATUS_OK);
    assert_int_equal(features_window_steps(window, 2), 0);
    assert_int_equal(features_window_steps(window, 3), 1);
    features_window_free(window);
    clip_stats_free(&none);
    clip_stats_free(&s);
}

/* As sent by a batch worker. */
TEST(packed_features_round_trip)
{
    ClipStats s = stats_of_walk(60, 1), read;
    unsigned char *bytes;
    size_t size;
    assert_int_equal(clip_stats_pack(&s, &bytes, &size, NULL), STATUS_OK);
    assert_int_equal(clip_stats_unpack(bytes, size, &read, NULL), STATUS_OK);
    assert_int_equal(read.sketch.count, s.sketch.count);
    assert_memory_equal(read.sketch.value, s.sketch.value, (size_t)s.sketch.count * SKETCH_VALUES);
    free(bytes);
    clip_stats_free(&s);
    clip_stats_free(&read);
}
