/* control/scene_reference: a scene file gives the results of the built-in scene, for any up axis and body frames;
 * unsupported features are rejected. */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "analysis/control/playback.h"
#include "analysis/control/scene_reference.h"
#include "analysis/control/two_links.h"
#include "analysis/math/elementary.h"
#include "formats/model/mjcf.h"

enum { KEYS = 201 };

static TrackingRun run(const ClipView *clip, const PlaybackDef *def)
{
    Playback playback;
    Tracking tracking;
    ControllerDef controller = {.kind = CONTROLLER_STABLE_PD, .gains.stiffness = 200};
    assert_int_equal(playback_init(&playback, clip, def, NULL), STATUS_OK);
    assert_int_equal(playback_tracking(&playback, &tracking, NULL), STATUS_OK);
    assert_int_equal(playback_run(&playback, &controller, &tracking, NULL), STATUS_OK);
    TrackingRun figures = tracking.run[controller.kind];
    tracking_free(&tracking);
    playback_free(&playback);
    return figures;
}

static void built_in(TrackingRun *figures)
{
    Clip clip;
    PlaybackDef def = playback_default_def();
    def.hinges = def.from_rest = 1;
    assert_int_equal(two_links_clip(TWO_LINKS_MOVING, 2, def.dt, &clip, NULL), STATUS_OK);
    ClipView view = clip_view(&clip);
    *figures = run(&view, &def);
    clip_free(&clip);
}

static Status read_scene(const char *text, double dt, SceneReference *out, Error *err)
{
    MjcfDef limits = mjcf_default_def();
    MjcfRemarks remarks = {0};
    Model model;
    Status status = mjcf_parse(text, strlen(text), &limits, &model, &remarks, err);
    assert_int_equal(status, STATUS_OK);
    status = scene_reference_init(&model, dt, out, err);
    mjcf_remarks_free(&remarks);
    model_free(&model);
    return status;
}

/* The thesis's body with +Z up, the frame of its second link rotated by 90 degrees about the hinge. */
static void put_scene(char *text, size_t size)
{
    const double m = TWO_LINKS_MASS, l = TWO_LINKS_LENGTH, r = TWO_LINKS_DIAMETER / 2;
    double along = m * r * r / 2, across = m * (3 * r * r + l * l) / 12;
    int at = snprintf(text, size, "<mujoco><compiler angle=\"radian\"/><option gravity=\"0 0 -9.80665\"/><worldbody>"
        "<body name=\"A\" pos=\"0 0 1\"><joint axis=\"0 -1 0\"/><inertial pos=\"%.17g 0 0\" mass=\"%.17g\" "
        "diaginertia=\"%.17g %.17g %.17g\"/><body name=\"B\" pos=\"%.17g 0 0\" euler=\"0 %.17g 0\">"
        "<joint axis=\"0 -1 0\"/><inertial pos=\"0 0 %.17g\" mass=\"%.17g\" diaginertia=\"%.17g %.17g %.17g\"/></body>"
        "</body></worldbody><keyframe>", l / 2, m, along, across, across, l, PI / 2, l / 2, m, across, across, along);
    for (int k = 0; k < KEYS; k++) {
        double t = 0.01 * k, a = PI / 180 * (45 + 30 * elementary_sin(PI * t));
        double b = PI / 180 * (90 + 60 * elementary_sin(2 * PI * t));
        at += snprintf(text + at, size - (size_t)at, "<key time=\"%.17g\" qpos=\"%.17g %.17g\"/>", t, a, b);
    }
    snprintf(text + at, size - (size_t)at, "</keyframe></mujoco>");
}

TEST(mjcf_file_equals_built_in_links)
{
    static char text[40000];
    TrackingRun wanted, found;
    SceneReference scene;
    PlaybackDef def = playback_default_def();
    built_in(&wanted);
    put_scene(text, sizeof text);
    assert_int_equal(read_scene(text, def.dt, &scene, NULL), STATUS_OK);
    def.from_rest = 1;
    def.axis = scene.axis;
    def.rest = scene.rest;
    def.gravity = scene.gravity;
    ClipView view = clip_view(&scene.clip);
    found = run(&view, &def);
    assert_near(found.mean_error / wanted.mean_error, 1, 1e-6);
    assert_near(found.p95_error / wanted.p95_error, 1, 1e-6);
    assert_near(found.final_error / wanted.final_error, 1, 1e-6);
    assert_near(found.mean_distance / wanted.mean_distance, 1, 1e-6);
    assert_near(found.torque_sum_mean / wanted.torque_sum_mean, 1, 1e-6);
    scene_reference_free(&scene);
}

#define BODY "<inertial pos=\"0 0 -1\" mass=\"1\" diaginertia=\"1 1 1\"/>"
#define KEY "</worldbody><keyframe><key time=\"0\"/><key time=\"1\"/></keyframe></mujoco>"

TEST(unsupported_scenes_are_refused)
{
    const struct { const char *text, *words; } cases[] = {
        {"<mujoco><worldbody>" KEY, "no bodies"},
        {"<mujoco><worldbody><body><joint/>" BODY "</body><body><joint/>" BODY "</body>" KEY, "one tree"},
        {"<mujoco><worldbody><body name=\"a\"><freejoint/>" BODY "</body>" KEY,
         "\"a\": tracking supports bodies with one hinge"},
        {"<mujoco><worldbody><body><joint pos=\"0 0 1\"/>" BODY "</body>" KEY, "at the body origin"},
        {"<mujoco><worldbody><body><joint name=\"j\" damping=\"1\"/>" BODY "</body>" KEY,
         "joint \"j\": tracking does not support springs"},
        {"<mujoco><worldbody><body><joint/>" BODY "</body></worldbody></mujoco>", "no keyframes"},
        {"<mujoco><worldbody><body><joint/>" BODY "</body></worldbody><keyframe><key/><key/></keyframe></mujoco>",
         "keyframe 2: time not increasing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SceneReference scene;
        Error err = {0};
        assert_int_not_equal(read_scene(cases[i].text, 0.01, &scene, &err), STATUS_OK);
        assert_non_null(strstr(err.text, cases[i].words));
        assert_null(scene.axis);
    }
}
