/* analysis/detect/frame_rate, first_frame: the frame rate from a rounded frame time; a pose prepended to the take is
 * detected, none is reported for a take that starts at once. */
#include "tests/support/test.h"

#include "analysis/detect/first_frame.h"
#include "analysis/detect/frame_rate.h"
#include "tests/support/walker.h"

TEST(frame_rate_is_found_from_rounded_digits)
{
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
}

/* 59.94 and 60000/1001 are the same rate, for any number of digits. */
TEST(television_rates_are_recognized_from_digits)
{
    double confidence;
    assert_near(frame_rate_from_time(0.01668335, &confidence), 60000.0 / 1001, 0);
    assert_near(frame_rate_from_time(0.016683333, &confidence), 60000.0 / 1001, 0);
    assert_near(frame_rate_from_time(1 / 59.94, &confidence), 60000.0 / 1001, 0);
    assert_near(frame_rate_from_time(1 / 23.976, &confidence), 24000.0 / 1001, 0);
    assert_near(frame_rate_from_time(1 / 29.97, &confidence), 30000.0 / 1001, 0);
    assert_near(frame_rate_from_time(1 / 23.98, &confidence), 23.98, 1e-9);
}

TEST(invalid_frame_time_has_confidence_0)
{
    double confidence;
    const double senseless[] = {0, -0.04, NAN, INFINITY};
    for (size_t i = 0; i < 4; i++) {
        assert_near(frame_rate_from_time(senseless[i], &confidence), 30, 0);
        assert_near(confidence, 0, 0);
    }
}

/* Each integer rate up to 1000 survives rounding to nine digits, the television rates to six. */
TEST(integer_rates_survive_rounding)
{
    double confidence;
    for (int fps = 1; fps <= 1000; fps++)
        assert_near(frame_rate_from_time(rint(1e9 / fps) / 1e9, &confidence), fps, 1e-9 * fps);
    const double television[] = {24000.0 / 1001, 30000.0 / 1001, 60000.0 / 1001, 120000.0 / 1001};
    for (int i = 0; i < 4; i++)
        assert_near(frame_rate_from_time(rint(1e6 / television[i]) / 1e6, &confidence), television[i], 1e-9);
}

static int fake(const Motion *m, double *confidence)
{
    Skeleton s;
    walker_skeleton(&s);
    int found = first_frame_is_fake(&s, m, confidence);
    skeleton_free(&s);
    return found;
}

TEST(rest_pose_before_the_take_is_found)
{
    const double rates[] = {30, 60, 120};
    for (int r = 0; r < 3; r++) {
        Motion m;
        double confidence;
        walker_motion(&m, 60, rates[r]);
        for (int j = 0; j < WALKER_JOINTS; j++)
            m.rotation[j] = QUAT_IDENTITY;
        assert_true(fake(&m, &confidence));
        assert_true(confidence > 0.6 && confidence <= 1);
        motion_free(&m);
    }
}

TEST(distant_root_before_the_take_is_found)
{
    Motion m;
    double confidence;
    walker_motion(&m, 60, 30);
    m.root_position[0] = vec3(0, 0, 0);
    assert_true(fake(&m, &confidence));
    motion_free(&m);
}

/* The same walk from any start, at any rate and up to eight times as fast. */
TEST(walk_from_any_start_has_no_rest_pose)
{
    Motion m;
    double confidence;
    for (double rate = 15; rate <= 120; rate *= 2) {
        walker_motion(&m, 60, rate);
        Motion part = m;
        for (int start = 0; start < 40; start++) {
            part.rotation = m.rotation + (size_t)start * WALKER_JOINTS;
            part.root_position = m.root_position + start;
            part.frame_count = 60 - start;
            assert_false(fake(&part, &confidence));
            assert_true(confidence > 0.5 && confidence <= 1);
        }
        motion_free(&m);
    }
}

TEST(four_frames_leave_confidence_0_5)
{
    Motion m;
    double confidence;
    walker_motion(&m, 4, 30);
    m.root_position[0] = vec3(9, 9, 9);
    assert_false(fake(&m, &confidence));
    assert_near(confidence, 0.5, 0);
    motion_free(&m);
}
