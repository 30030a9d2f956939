/* analysis/quality/artifact_rhythm: shakes of one joint in rhythms of 2 to 12 frames are found in the windows that they
 * fill; a walk, single steps and shakes within the band of motion are not. */
#include "tests/support/test.h"

#include "analysis/quality/artifacts.h"
#include "analysis/quality/artifacts_internal.h"
#include "tests/support/planted_shake.h"
#include "tests/support/walker.h"

enum { FRAMES = 480, FPS = 120, ELBOW = 14, WRIST = 15, OTHER_WRIST = 18 };

typedef struct Case {
    Skeleton skeleton;
    Motion motion;
    Artifacts found;
} Case;

static Case new_case(void)
{
    Case c = {0};
    walker_skeleton(&c.skeleton);
    walker_motion(&c.motion, FRAMES, FPS);
    return c;
}

static void end(Case *c)
{
    skeleton_free(&c->skeleton);
    motion_free(&c->motion);
    artifacts_free(&c->found);
}

static void find(Case *c)
{
    motion_make_continuous(&c->motion);
    assert_int_equal(artifact_rhythm_find(&c->skeleton, &c->motion, &c->found, NULL), STATUS_OK);
}

/* Number of frames from first to last in the windows found, which must be of the joint. */
static int frames_found(const Case *c, int joint, int first, int last)
{
    int count = 0;
    for (int f = first; f <= last; f++) {
        int is_in = 0;
        for (int i = 0; i < c->found.count; i++) {
            assert_int_equal(c->found.artifact[i].joint, joint);
            assert_int_equal(c->found.artifact[i].kind, TRUST_FLICKER);
            is_in |= f >= c->found.artifact[i].first && f <= c->found.artifact[i].last;
        }
        count += is_in;
    }
    return count;
}

TEST(shakes_of_20_degrees_are_found_in_every_rhythm)
{
    for (int period = 2; period <= 12; period++) {
        Case c = new_case();
        Shake shake = {.joint = ELBOW, .period = period, .size = 20 * PI / 180, .axis = {0, 0.6, 0.8}};
        shake_apply(&c.motion, &shake);
        find(&c);
        assert_int_equal(frames_found(&c, ELBOW, 1, FRAMES - 2), FRAMES - 2);
        assert_near(c.found.artifact[0].size, shake.size * 0.45, shake.size * 0.15); /* RMS of the first harmonic */
        end(&c);
    }
}

TEST(shake_of_the_second_half_is_found_from_its_begin_on)
{
    Case c = new_case();
    Shake shake = {.joint = ELBOW, .period = 4, .first = FRAMES / 2, .size = 20 * PI / 180, .axis = {1, 0, 0}};
    shake_apply(&c.motion, &shake);
    find(&c);
    assert_int_equal(frames_found(&c, ELBOW, FRAMES / 2 + 32, FRAMES - 2), FRAMES / 2 - 33);
    assert_int_equal(frames_found(&c, ELBOW, 0, FRAMES / 2 - 128), 0);
    end(&c);
}

TEST(walk_has_no_rhythm_of_shaking)
{
    Case c = new_case();
    find(&c);
    assert_int_equal(c.found.count, 0);
    end(&c);
}

/* A step has power at all frequencies. */
TEST(single_steps_are_no_shaking)
{
    Case c = new_case();
    for (int f = 200; f < FRAMES; f++) {
        Quat *rotation = &c.motion.rotation[motion_index(&c.motion, f, ELBOW)];
        *rotation = quat_mul(*rotation, quat_from_axis_angle(vec3(0, 1, 0), f < 220 ? 1.5 : 0.2));
    }
    find(&c);
    assert_int_equal(c.found.count, 0);
    end(&c);
}

/* 10 degrees at 2 Hz: both hands may swing so. */
static void swing(Case *c, int joint)
{
    Shake shake = {.joint = joint, .period = 12, .size = 10 * PI / 180, .is_sine = 1, .axis = {1, 0, 0}};
    shake_apply(&c->motion, &shake);
}

TEST(shake_that_the_counterpart_does_not_share_is_found)
{
    Case c = new_case();
    c.motion.frame_time = 1.0 / 24;
    swing(&c, WRIST);
    find(&c);
    assert_true(frames_found(&c, WRIST, 1, FRAMES - 2) > 0.9 * FRAMES);
    end(&c);
}

TEST(wrists_that_both_swing_alike_do_not_shake)
{
    Case c = new_case();
    c.motion.frame_time = 1.0 / 24;
    swing(&c, WRIST);
    swing(&c, OTHER_WRIST);
    find(&c);
    assert_int_equal(c.found.count, 0);
    end(&c);
}

/* 3 degrees at 2 Hz: the arm may well move so. */
TEST(small_shake_within_the_band_of_motion_is_not_found)
{
    Case c = new_case();
    c.motion.frame_time = 1.0 / 24;
    Shake shake = {.joint = ELBOW, .period = 12, .size = 3 * PI / 180, .is_sine = 1, .axis = {1, 0, 0}};
    shake_apply(&c.motion, &shake);
    find(&c);
    assert_int_equal(c.found.count, 0);
    end(&c);
}
