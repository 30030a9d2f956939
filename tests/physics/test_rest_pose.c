/* Torques depend on the motion of the body, not on the rest pose of its file. */
#include "tests/support/test.h"

#include "analysis/angles/clip_body.h"
#include "analysis/angles/neutral_pose.h"
#include "analysis/uncertainty/spread_terms.h"
#include "tests/support/test_folder.h"
#include "tests/support/rotated_rest.h"

static const char *const samples[] = {"data/walk.bvh", "data/squat.bvh", "data/jump.bvh"};

/* Degrees from 1 to 52, each joint by a different rotation. */
static const double turns[][2] = {{1, 10}, {11, 52}};
enum { SEEDS = 3 };

static void check_clip(const Clip *plain, const char *path, unsigned seed, const double *turn)
{
    Clip turned = rotated_rest_run(path);
    RestDifference d = rotated_rest_compare(plain, &turned);
    if (!(d.torque < 1e-5))
        print_error("seed %u, turns of %g to %g degrees: mass %g, centre %g m, torque %g\n", seed, turn[0],
                    turn[1], d.mass, d.com, d.torque);
    /* rounding of the file's digits */
    assert_true(d.mass < 1e-6);
    assert_true(d.com < 1e-7);
    assert_true(d.torque < 1e-5);
    assert_near(turned.body.stature, plain->body.stature, 1e-6);
    clip_free(&turned);
}

TEST(torques_do_not_depend_on_rest_pose)
{
    TestFolder folder = test_folder_make();
    char path[600];
    snprintf(path, sizeof path, "%s", test_folder_file(&folder, "clip.bvh"));
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        assert_true(rotated_rest_write(samples[i], path, 1, 0, 0));
        Clip plain = rotated_rest_run(path);
        assert_near(plain.body.total_mass, 70, 1e-12);
        for (unsigned seed = 1; seed <= SEEDS; seed++)
            for (size_t t = 0; t < sizeof turns / sizeof *turns; t++) {
                assert_true(rotated_rest_write(samples[i], path, seed, turns[t][0], turns[t][1]));
                check_clip(&plain, path, seed, turns[t]);
            }
        clip_free(&plain);
    }
    test_folder_remove(&folder);
}

static NeutralDoubt doubt_of(Clip *c)
{
    BodyDef def = body_default_def();
    NeutralDoubt doubt;
    Body body;
    ClipView view = clip_view(c);
    assert_int_equal(body_from_clip(&view, &def, &body, &doubt, NULL), STATUS_OK);
    body_free(&body);
    return doubt;
}

/* Flexes both hips by an angle in all frames, degrees, as in sitting. */
static void sit_down(Clip *c, double angle)
{
    for (int side = 0; side < 2; side++) {
        int hip = skeleton_find_role(&c->skeleton, side ? ROLE_RIGHT_HIP : ROLE_LEFT_HIP);
        Quat turn = quat_from_axis_angle(vec3(1, 0, 0), -angle * ROTATED_REST_DEGREE);
        for (int f = 0; f < c->motion.frame_count; f++) {
            Quat *q = &c->motion.rotation[motion_index(&c->motion, f, hip)];
            *q = quat_mul(turn, *q);
        }
    }
}

/* Half of the hip flexion beyond 20 degrees (0.35 rad), with a warning. */
TEST(clip_without_stance_has_uncertain_neutral_pose)
{
    Pipeline pipeline = pipeline_defaults();
    Clip c;
    char text[200];
    Error err = {0};
    assert_int_equal(pipeline_open(&pipeline, "data/squat.bvh", &c, NULL, &err), STATUS_OK);
    NeutralDoubt doubt = doubt_of(&c);
    assert_near(doubt.trunk, 0, 0);
    assert_near(doubt.foot, 0, 0);
    neutral_pose_warn(&doubt, text, sizeof text);
    assert_string_equal(text, "");
    sit_down(&c, 80);
    doubt = doubt_of(&c);
    assert_true(doubt.trunk > 0.3 && doubt.trunk < 0.6);
    neutral_pose_warn(&doubt, text, sizeof text);
    assert_non_null(strstr(text, "the body stands upright nowhere in the clip"));
    clip_free(&c);
}

/* An error of up to 0.05 rad only widens the error bars. */
TEST(neutral_pose_error_below_0_05_rad_is_no_warning)
{
    char text[200];
    neutral_pose_warn(&(NeutralDoubt){0.04, 0.04}, text, sizeof text);
    assert_string_equal(text, "");
    neutral_pose_warn(&(NeutralDoubt){0.04, 0.06}, text, sizeof text);
    assert_string_equal(text, "no frame shows a foot flat and still on the ground: "
                              "the neutral pose may be off by 3 degrees");
}

/* One stance foot, here the right, determines the level of the other, which rotates at 3 rad/s throughout. */
TEST(one_stance_foot_levels_both_feet)
{
    Pipeline pipeline = pipeline_defaults();
    Clip c;
    Error err = {0};
    assert_int_equal(pipeline_open(&pipeline, "data/squat.bvh", &c, NULL, &err), STATUS_OK);
    int ankle = skeleton_find_role(&c.skeleton, ROLE_LEFT_ANKLE);
    for (int f = 0; f < c.motion.frame_count; f++) {
        Quat *q = &c.motion.rotation[motion_index(&c.motion, f, ankle)];
        *q = quat_mul(*q, quat_from_axis_angle(vec3(1, 0, 0), 3 * f * c.motion.frame_time));
    }
    assert_near(doubt_of(&c).foot, 0, 0);
    clip_free(&c);
}

/* 0.3 rad at a lever of 15 cm added to 1 cm; 0.1 rad at the 8 cm from ankle to sole added to the value of the table. */
TEST(neutral_pose_error_widens_uncertainty)
{
    double size[SPREAD_SIZE_COUNT], before[SPREAD_SIZE_COUNT];
    spread_terms_sizes(SPREAD_FAST, size);
    memcpy(before, size, sizeof size);
    spread_terms_widen(0, 0, size);
    for (int i = 0; i < SPREAD_TERM_COUNT; i++)
        assert_near(size[i], before[i], 1e-15);
    spread_terms_widen(0.3, 0.1, size);
    assert_near(size[SPREAD_SEGMENT_CENTRE], sqrt(0.01 * 0.01 + 0.045 * 0.045), 1e-12);
    assert_near(size[SPREAD_FOOT_CENTRE], sqrt(0.04 * 0.04 + 0.008 * 0.008), 1e-12);
    assert_near(size[SPREAD_PRESSURE_ALONG], sqrt(0.00893 * 0.00893 + 0.008 * 0.008), 1e-12);
    assert_near(size[SPREAD_SEGMENT_MASS], before[SPREAD_SEGMENT_MASS], 0);
}
