/* library/kane_live: characters and scenes that advance while time passes, by the public functions alone. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "library/kane.h"

#define FRAME (1.0 / 60)

static KaneClip *squat(void)
{
    KaneError error = {0};
    KaneClip *clip;
    assert_int_equal(kane_open("data/squat.bvh", NULL, &clip, &error), KANE_OK);
    assert_int_equal(kane_run(clip, NULL, &error), KANE_OK);
    return clip;
}

/* Plays some seconds, with a force on a body from 0.5 to 0.7 s at its own joint. */
static void play(KaneLive *live, int body, double newton, double seconds)
{
    KaneError error = {0};
    const double force[3] = {0, 0, newton};
    for (int frame = 0; frame < seconds * 60; frame++) {
        double time = kane_live_time(live);
        if (newton > 0 && time > 0.499 && time < 0.699)
            assert_int_equal(kane_live_push(live, body, force, kane_live_positions(live) + 3 * body, &error), KANE_OK);
        assert_int_equal(kane_live_advance(live, FRAME, &error), KANE_OK);
    }
}

/* Without a push it follows the clip and then stands on, also beyond its end; the ground supports its weight. */
TEST(character_follows_its_clip_and_keeps_its_balance)
{
    KaneError error = {0};
    KaneClip *clip = squat();
    KaneLive *live;
    assert_int_equal(kane_live_track(clip, NULL, &live, &error), KANE_OK);
    assert_int_equal(kane_live_body_count(live), kane_joint_count(clip));
    int hips = kane_find_role(clip, "hips"), knee = kane_find_role(clip, "left_knee");
    assert_string_equal(kane_live_body_name(live, knee), kane_joint_name(clip, knee));
    const double *wanted = kane_array(clip, "/kinematics/position", NULL), *is = kane_live_positions(live);
    play(live, 0, 0, 1);
    int frame = (int)lround(kane_live_time(live) / kane_frame_time(clip));
    for (int axis = 0; axis < 3; axis++) {
        size_t row = (size_t)frame * (size_t)kane_joint_count(clip);
        assert_near(is[3 * knee + axis], wanted[(row + (size_t)knee) * 3 + (size_t)axis], 0.02);
        assert_near(is[3 * hips + axis], wanted[(row + (size_t)hips) * 3 + (size_t)axis], 0.02);
    }
    play(live, 0, 0, 5);
    double up = 0;
    for (int j = 0; j < kane_live_body_count(live); j++)
        up += kane_live_contact_forces(live)[3 * j + 1];
    assert_near(up, 70 * 9.80665, 5);
    assert_string_equal(kane_live_outcome(live), "stands");
    assert_near(kane_live_time(live), 6, 0.011);
    kane_live_close(live);
    kane_close(clip);
}

/* It withstands a weak push; a hard one makes it fall and lie; then it starts again as before. */
TEST(character_that_is_pushed_steps_or_falls)
{
    KaneError error = {0};
    KaneClip *clip = squat();
    KaneLive *live;
    KaneOptions *options = kane_options_create_for(KANE_COMMAND_TRACK);
    assert_int_equal(kane_options_set(options, "root", "free", &error), KANE_OK);
    assert_int_equal(kane_options_set_number(options, "dt", FRAME / 2, &error), KANE_OK);
    assert_int_equal(kane_live_track(clip, options, &live, &error), KANE_OK);
    int chest = kane_find_role(clip, "chest"), hips = kane_find_role(clip, "hips");
    const double *position = kane_live_positions(live);
    double start = position[3 * hips + 1];
    play(live, chest, 60, 3);
    assert_true(strcmp(kane_live_outcome(live), "falls") != 0);
    assert_near(position[3 * hips + 1], start, 0.1);
    assert_int_equal(kane_live_restart(live, &error), KANE_OK);
    assert_near(kane_live_time(live), 0, 0);
    assert_near(position[3 * hips + 1], start, 1e-9);
    play(live, chest, 700, 4);
    assert_string_equal(kane_live_outcome(live), "falls");
    assert_true(position[3 * hips + 1] < 0.4 && position[3 * hips + 1] > -0.01);
    kane_live_close(live);
    kane_options_destroy(options);
    kane_close(clip);
}

/* A box on the ground of a scene with Z up: gravity and push act in the world of the library, with Y up. */
TEST(scene_is_stepped_and_pushed)
{
    char path[] = "/tmp/kane-live-XXXXXX";
    KaneError error = {0};
    KaneLive *live;
    int file = mkstemp(path);
    FILE *text = fdopen(file, "w");
    fputs("<mujoco><option timestep=\"0.005\"/><worldbody><geom type=\"plane\" size=\"5 5 1\" friction=\"0.1\"/>"
          "<body name=\"post\"><geom type=\"sphere\" size=\"0.1\" pos=\"9 9 9\"/></body>"
          "<body name=\"box\" pos=\"0 0 0.1\"><freejoint/><geom type=\"box\" size=\"0.1 0.1 0.1\" mass=\"2\" "
          "friction=\"0.1\"/></body></worldbody></mujoco>", text);
    fclose(text);
    assert_int_equal(kane_live_simulate(path, NULL, &live, &error), KANE_OK);
    assert_int_equal(kane_live_body_count(live), 2);
    assert_string_equal(kane_live_body_name(live, 1), "box");
    assert_null(kane_live_torques(live));
    const double *position = kane_live_positions(live), force[3] = {10, 0, 0};
    assert_int_equal(kane_live_advance(live, 0.5, &error), KANE_OK);
    assert_near(position[4], 0.1, 1e-3);
    assert_near(kane_live_contact_forces(live)[4], 2 * 9.81, 0.1);
    for (int frame = 0; frame < 30; frame++) {
        assert_int_equal(kane_live_push(live, 1, force, position + 3, &error), KANE_OK);
        assert_int_equal(kane_live_advance(live, FRAME, &error), KANE_OK);
    }
    double path_length = 0.5 * (10 - 0.1 * 2 * 9.81) / 2 * 0.25; /* m, in half a second */
    assert_near(position[3], path_length, 0.05 * path_length);
    assert_int_equal(kane_live_push(live, 0, force, position, &error), KANE_USAGE);
    assert_non_null(strstr(error.text, "post"));
    kane_live_close(live);
    unlink(path);
}

TEST(errors_leave_no_simulation)
{
    KaneError error = {0};
    KaneLive *live = (KaneLive *)&error;
    KaneClip *bare;
    KaneOptions *options = kane_options_create();
    const double force[3] = {NAN, 0, 0}, place[3] = {0, 0, 0};
    assert_int_equal(kane_open("data/squat.bvh", NULL, &bare, &error), KANE_OK);
    assert_int_equal(kane_live_track(bare, NULL, &live, &error), KANE_USAGE);
    assert_null(live);
    assert_int_equal(kane_live_track(bare, options, &live, &error), KANE_USAGE);
    assert_int_equal(kane_live_simulate("absent.xml", NULL, &live, &error), KANE_IO);
    assert_null(live);
    assert_int_equal(kane_run(bare, NULL, &error), KANE_OK);
    assert_int_equal(kane_live_track(bare, NULL, &live, &error), KANE_OK);
    assert_int_equal(kane_live_push(live, 0, force, place, &error), KANE_USAGE);
    assert_int_equal(kane_live_push(live, 1000, place, place, &error), KANE_USAGE);
    assert_int_equal(kane_live_advance(live, -1, &error), KANE_USAGE);
    assert_int_equal(kane_live_advance(live, NAN, &error), KANE_USAGE);
    assert_null(kane_live_body_name(live, -1));
    assert_int_equal(kane_live_advance(live, 0, NULL), KANE_OK);
    assert_near(kane_live_time(live), 0, 0);
    kane_live_close(live);
    kane_live_close(NULL);
    kane_close(bare);
    kane_options_destroy(options);
}
