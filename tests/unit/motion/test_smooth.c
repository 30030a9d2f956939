/* analysis/motion/smooth: rotations stay unit, invariance to world rotation, short and invalid input. */
#include "analysis/clip/clip_schema.h"
#include "analysis/math/passes.h"
#include "analysis/motion/smooth.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"

enum { JOINTS = 3, FRAMES = 150 };

/* Joints that rotate over several turns, with 40 Hz vibration; the last one slides. */
static void motion_make(Motion *m, int frames)
{
    assert_int_equal(motion_init(m, frames, JOINTS, 0.01, 1, NULL), STATUS_OK);
    for (int f = 0; f < frames; f++) {
        double t = 0.01 * f, shake = 0.02 * elementary_sin(2 * PI * 40 * t + 0.3);
        m->root_position[f] = vec3(1.2 * t + shake, 1 + 0.05 * elementary_cos(6 * t), shake);
        for (int j = 0; j < JOINTS; j++) {
            Quat swing = quat_from_axis_angle(vec3_normalize(vec3(1, 0.5 * j, -1)), (5 + j) * t + shake);
            Quat twist = quat_from_axis_angle(vec3(0, 1, 0), elementary_sin(3 * t));
            m->rotation[motion_index(m, f, j)] = quat_mul(swing, twist);
            m->translation[motion_index(m, f, j)] = vec3(0.1 * j, 0.3 + shake * (j == 2), 0);
        }
    }
    motion_make_continuous(m);
}

static SmoothDef def_of(SmoothMethod method)
{
    SmoothDef def = smooth_default_def();
    def.method = method;
    return def;
}

static double rotation_distance(Quat a, Quat b) { return 1 - fabs(quat_dot(a, b)); }

/* Mean squared second difference of joint 0's quaternion. */
static double roughness(const Motion *m)
{
    double sum = 0;
    for (int f = 1; f + 1 < m->frame_count; f++) {
        Quat a = m->rotation[motion_index(m, f - 1, 0)], b = m->rotation[motion_index(m, f, 0)],
             c = m->rotation[motion_index(m, f + 1, 0)];
        Quat d = {a.w - 2 * b.w + c.w, a.x - 2 * b.x + c.x, a.y - 2 * b.y + c.y, a.z - 2 * b.z + c.z};
        sum += quat_dot(d, d);
    }
    return sum;
}

TEST(every_method_smooths_and_keeps_unit_rotations)
{
    for (int method = SMOOTH_BUTTERWORTH; method < SMOOTH_NONE; method++) {
        Motion m;
        motion_make(&m, FRAMES);
        double before = roughness(&m);
        SmoothDef def = def_of((SmoothMethod)method);
        assert_int_equal(smooth_motion(&m, &def, NULL, NULL), STATUS_OK);
        assert_true(roughness(&m) < 0.2 * before);
        for (size_t i = 0; i < FRAMES * JOINTS; i++) {
            assert_near(quat_dot(m.rotation[i], m.rotation[i]), 1, 1e-15);
            if (i >= JOINTS)
                assert_true(quat_dot(m.rotation[i], m.rotation[i - JOINTS]) > 0);
        }
        motion_free(&m);
    }
}

TEST(smoothing_commutes_with_world_rotation)
{
    Quat turn = quat_normalize((Quat){0.3, -0.8, 0.1, 0.5});
    for (int method = SMOOTH_BUTTERWORTH; method < SMOOTH_NONE; method++) {
        Motion m, turned;
        motion_make(&m, FRAMES);
        motion_make(&turned, FRAMES);
        for (int f = 0; f < FRAMES; f++) {
            turned.root_position[f] = quat_rotate(turn, turned.root_position[f]);
            turned.rotation[motion_index(&turned, f, 0)] = quat_mul(turn, turned.rotation[motion_index(&turned, f, 0)]);
        }
        SmoothDef def = def_of((SmoothMethod)method);
        assert_int_equal(smooth_motion(&m, &def, NULL, NULL), STATUS_OK);
        assert_int_equal(smooth_motion(&turned, &def, NULL, NULL), STATUS_OK);
        for (int f = 0; f < FRAMES; f++) {
            size_t i = motion_index(&m, f, 0);
            assert_near(rotation_distance(turned.rotation[i], quat_mul(turn, m.rotation[i])), 0, 1e-14);
            assert_vec3_near(turned.root_position[f], quat_rotate(turn, m.root_position[f]), 1e-13);
        }
        motion_free(&m);
        motion_free(&turned);
    }
}

TEST(input_signs_have_no_effect)
{
    Motion m, flipped;
    motion_make(&m, FRAMES);
    motion_make(&flipped, FRAMES);
    for (size_t i = 0; i < FRAMES * JOINTS; i += 5)
        flipped.rotation[i] = quat_neg(flipped.rotation[i]);
    SmoothDef def = smooth_default_def();
    assert_int_equal(smooth_motion(&m, &def, NULL, NULL), STATUS_OK);
    assert_int_equal(smooth_motion(&flipped, &def, NULL, NULL), STATUS_OK);
    for (size_t i = 0; i < FRAMES * JOINTS; i++)
        assert_near(rotation_distance(m.rotation[i], flipped.rotation[i]), 0, 1e-14);
    motion_free(&m);
    motion_free(&flipped);
}

TEST(constant_pose_is_unchanged)
{
    for (int method = SMOOTH_BUTTERWORTH; method < SMOOTH_NONE; method++) {
        Motion m;
        motion_make(&m, FRAMES);
        for (size_t i = JOINTS; i < FRAMES * JOINTS; i++)
            m.rotation[i] = m.rotation[i % JOINTS];
        Quat pose = m.rotation[1];
        SmoothDef def = def_of((SmoothMethod)method);
        assert_int_equal(smooth_motion(&m, &def, NULL, NULL), STATUS_OK);
        for (int f = 0; f < FRAMES; f++) {
            assert_near(rotation_distance(m.rotation[motion_index(&m, f, 1)], pose), 0, 1e-12);
            assert_vec3_near(m.translation[motion_index(&m, f, 1)], vec3(0.1, 0.3, 0), 1e-12);
        }
        motion_free(&m);
    }
}

TEST(used_cutoff_is_returned)
{
    static const struct {
        SmoothMethod method;
        double asked, low, high;
    } cases[] = {
        {SMOOTH_BUTTERWORTH, 8, 8, 8}, {SMOOTH_BUTTERWORTH, 70, 45, 45}, {SMOOTH_SPRING, 6, 6, 6},
        {SMOOTH_SAVGOL, 8, 0, 0},      {SMOOTH_NONE, 8, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Motion m;
        double used = -1;
        motion_make(&m, FRAMES);
        SmoothDef def = def_of(cases[i].method);
        def.cutoff = cases[i].asked;
        assert_int_equal(smooth_motion(&m, &def, &used, NULL), STATUS_OK);
        assert_true(used >= cases[i].low - 1e-9 && used <= cases[i].high + 1e-9);
        motion_free(&m);
    }
}

TEST(short_clips_are_unchanged)
{
    for (int frames = 1; frames < 9; frames++)
        for (int method = SMOOTH_BUTTERWORTH; method <= SMOOTH_NONE; method++) {
            Motion m, copy;
            double used = -1;
            motion_make(&m, frames);
            motion_make(&copy, frames);
            SmoothDef def = def_of((SmoothMethod)method);
            assert_int_equal(smooth_motion(&m, &def, &used, NULL), STATUS_OK);
            const Smoother *smoother = smoother_find((SmoothMethod)method);
            int is_left = !smoother->filter || frames < smoother->min_rows(&def);
            if (is_left)
                assert_memory_equal(m.rotation, copy.rotation, (size_t)frames * JOINTS * sizeof(Quat));
            assert_near(used, !is_left && smoother->has_cutoff ? 8 : 0, 0);
            for (size_t i = 0; i < (size_t)frames * JOINTS; i++)
                assert_near(rotation_distance(m.rotation[i], copy.rotation[i]), 0, 0.01);
            motion_free(&m);
            motion_free(&copy);
        }
}

TEST(invalid_options_leave_motion_unchanged)
{
    Motion m, copy;
    motion_make(&m, FRAMES);
    motion_make(&copy, FRAMES);
    SmoothDef negative = smooth_default_def(), zero = negative, nan_cutoff = negative, none = negative;
    SmoothDef even = def_of(SMOOTH_SAVGOL);
    negative.cutoff = -1;
    zero.cutoff = 0;
    nan_cutoff.cutoff = NAN;
    even.window = 8;
    none.method = (SmoothMethod)17;
    const SmoothDef *bad[] = {&negative, &zero, &nan_cutoff, &even, &none};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Error err = {0};
        assert_int_equal(smooth_motion(&m, bad[i], NULL, &err), STATUS_USAGE);
        assert_true(err.text[0] != '\0');
    }
    SmoothDef def = smooth_default_def();
    m.frame_time = 0;
    assert_int_equal(smooth_motion(&m, &def, NULL, NULL), STATUS_BAD_INPUT);
    assert_memory_equal(m.rotation, copy.rotation, FRAMES * JOINTS * sizeof(Quat));
    motion_free(&m);
    motion_free(&copy);
}

/* Lanes of which one has the length 0: the others are as they are alone. */
TEST(zero_quaternion_becomes_the_identity)
{
    enum { COUNT = 19 };
    const LaneWidth widths[] = {LANES_SCALAR, LANES_PAIR, LANES_AVX2, LANES_AVX512};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        Quat q[COUNT];
        for (int k = 0; k < COUNT; k++)
            q[k] = k % 3 ? (Quat){k, -2 * k, 0, 2 * k} : (Quat){0};
        QuatsNormalize *normalize = LANE_TWIN(quats_normalize, lane_width_choose(widths[i]));
        normalize(q, COUNT);
        for (int k = 0; k < COUNT; k++) {
            Quat expected = k % 3 ? (Quat){1 / 3.0, -2 / 3.0, 0, 2 / 3.0} : QUAT_IDENTITY;
            assert_near(q[k].w, expected.w, 1e-15);
            assert_near(q[k].x, expected.x, 1e-15);
            assert_near(q[k].y, expected.y, 1e-15);
            assert_near(q[k].z, expected.z, 1e-15);
        }
    }
}

/* Custom rows whose position is the root's path along x are still that path when both are smoothed. */
TEST(custom_rows_are_smoothed_with_their_motion)
{
    Motion m;
    Dofs d;
    SmoothDef def = def_of(SMOOTH_BUTTERWORTH);
    motion_make(&m, FRAMES);
    assert_int_equal(dofs_init(&d, FRAMES, 1, NULL), STATUS_OK);
    d.kind[0] = DOF_CUSTOM;
    assert_int_equal(group_add(GROUP_DOF, &d, "position", NULL), STATUS_OK);
    assert_int_equal(group_add(GROUP_DOF, &d, "moving_axis", NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        d.position[f] = m.root_position[f].x;
        d.moving_axis[f] = d.moving_velocity[f] = m.root_position[f];
    }
    double raw = d.position[1];
    assert_int_equal(smooth_motion_of(&m, &d, &def, NULL, NULL), STATUS_OK);
    assert_true(fabs(d.position[1] - raw) > 1e-4);
    for (int f = 0; f < FRAMES; f++) {
        assert_true(d.position[f] == m.root_position[f].x);
        assert_true(d.moving_axis[f].z == m.root_position[f].z && d.moving_velocity[f].y == m.root_position[f].y);
    }
    dofs_free(&d);
    motion_free(&m);
}
