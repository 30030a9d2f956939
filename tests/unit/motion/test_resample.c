/* analysis/motion/resample: constant rotation and a parabola are preserved; frames keep their times. */
#include "tests/support/test.h"

#include "analysis/math/elementary.h"
#include "analysis/motion/resample.h"

static const double spin = 2.5; /* rad/s */

static Vec3 thrown(double t) { return vec3(1 + 2 * t, 3 * t - 0.5 * 9.80665 * t * t, -t); }

/* Two joints: the root follows a parabola and rotates about y; the second rotates back and slides. */
static Motion sample_motion(int frames, double dt, double start)
{
    Motion m;
    assert_int_equal(motion_init(&m, frames, 2, dt, 1, NULL), STATUS_OK);
    for (int f = 0; f < frames; f++) {
        double t = start + f * dt;
        m.time[f] = t;
        m.root_position[f] = thrown(t);
        m.rotation[2 * f] = quat_from_axis_angle(vec3(0, 1, 0), spin * t);
        m.rotation[2 * f + 1] = quat_from_axis_angle(vec3(0, 0, 1), -spin * t);
        m.translation[2 * f + 1] = vec3(0.1 * t, 0.2 * t * t, 1);
    }
    motion_make_continuous(&m);
    return m;
}

TEST(steady_motion_is_reproduced)
{
    Motion m = sample_motion(31, 1.0 / 30, 1.0 / 30), out;
    assert_int_equal(motion_resample(&m, 100, &out, NULL), STATUS_OK);
    assert_int_equal(out.frame_count, 101);
    assert_near(out.frame_time, 0.01, 1e-18);
    for (int f = 0; f < out.frame_count; f++) {
        double t = 1.0 / 30 + f * 0.01;
        assert_near(out.time[f], t, 1e-14);
        assert_vec3_near(out.root_position[f], thrown(t), 1e-13);
        assert_vec3_near(out.translation[2 * f + 1], vec3(0.1 * t, 0.2 * t * t, 1), 1e-13);
        assert_near(fabs(quat_dot(out.rotation[2 * f], quat_from_axis_angle(vec3(0, 1, 0), spin * t))), 1, 1e-14);
    }
    motion_free(&out);
    motion_free(&m);
}

TEST(coincident_frames_keep_their_bits)
{
    Motion m = sample_motion(13, 1.0 / 120, 0), out;
    assert_int_equal(motion_resample(&m, 40, &out, NULL), STATUS_OK);
    assert_int_equal(out.frame_count, 5);
    for (int f = 0; f < 5; f++) {
        assert_memory_equal(&out.root_position[f], &m.root_position[3 * f], sizeof(Vec3));
        assert_memory_equal(&out.rotation[2 * f], &m.rotation[6 * f], 2 * sizeof(Quat));
    }
    motion_free(&out);
    motion_free(&m);
}

TEST(short_clips_and_quaternion_signs_are_resampled)
{
    Motion m = sample_motion(1, 0.1, 0), out;
    assert_int_equal(motion_resample(&m, 50, &out, NULL), STATUS_OK);
    assert_int_equal(out.frame_count, 1);
    motion_free(&out);
    motion_free(&m);
    m = sample_motion(2, 0.1, 0);
    m.rotation[2] = quat_neg(m.rotation[2]); /* the same rotation: still the shorter arc */
    assert_int_equal(motion_resample(&m, 20, &out, NULL), STATUS_OK);
    assert_int_equal(out.frame_count, 3);
    assert_near(quat_dot(out.rotation[2], quat_from_axis_angle(vec3(0, 1, 0), spin * 0.05)), 1, 1e-14);
    assert_near(out.root_position[1].x, 1.1, 1e-14); /* linear between two frames */
    motion_free(&out);
    motion_free(&m);
    m = sample_motion(3, 0.1, 0);
    assert_int_equal(motion_resample(&m, 20, &out, NULL), STATUS_OK);
    for (int f = 0; f < 5; f++) /* a parabola through three */
        assert_vec3_near(out.root_position[f], thrown(0.05 * f), 1e-13);
    motion_free(&out);
    motion_free(&m);
}

/* Tolerance of 0.5 us: times with six digits select their frame. */
TEST(frames_are_found_by_source_time)
{
    Motion m = sample_motion(101, 0.01, 0.01);
    int first = -1, count = -1;
    assert_int_equal(motion_find_frames(&m, 0.25, 0.5, &first, &count, NULL), STATUS_OK);
    assert_int_equal(first, 24);
    assert_int_equal(count, 26);
    assert_int_equal(motion_find_frames(&m, 0.2500004, 0.4999996, &first, &count, NULL), STATUS_OK);
    assert_int_equal(count, 26);
    assert_int_equal(motion_find_frames(&m, 0.250001, 0.499999, &first, &count, NULL), STATUS_OK);
    assert_int_equal(first, 25);
    assert_int_equal(count, 24);
    assert_int_equal(motion_find_frames(&m, -INFINITY, INFINITY, &first, &count, NULL), STATUS_OK);
    assert_int_equal(first, 0);
    assert_int_equal(count, 101);
    motion_free(&m);
}

TEST(invalid_rates_and_ranges_are_refused)
{
    Motion m = sample_motion(11, 0.1, 0), out;
    int first, count;
    Error err;
    assert_int_equal(motion_find_frames(&m, 0.6, 0.4, &first, &count, &err), STATUS_USAGE);
    assert_int_equal(motion_find_frames(&m, NAN, 0.4, &first, &count, &err), STATUS_USAGE);
    assert_int_equal(motion_find_frames(&m, 5, 6, &first, &count, &err), STATUS_BAD_INPUT);
    assert_int_equal(motion_resample(&m, 0, &out, &err), STATUS_USAGE);
    assert_int_equal(motion_resample(&m, INFINITY, &out, &err), STATUS_USAGE);
    assert_int_equal(motion_resample(&m, 1e12, &out, &err), STATUS_LIMIT);
    assert_null(out.rotation);
    motion_free(&m);
}
