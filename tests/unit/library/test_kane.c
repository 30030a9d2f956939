/* library/kane: the public functions only, linked with the installed library. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "library/kane.h"

static KaneClip *run_walk(const char *mass)
{
    KaneError error = {0};
    KaneClip *clip;
    KaneOptions *options = kane_options_create();
    assert_int_equal(kane_options_set(options, "body-mass", mass, &error), KANE_OK);
    assert_int_equal(kane_open("data/walk.bvh", options, &clip, &error), KANE_OK);
    assert_int_equal(kane_run(clip, options, &error), KANE_OK);
    kane_options_destroy(options);
    return clip;
}

/* power = torque . (omega - omega of the parent), for joints that do not translate. */
TEST(power_is_torque_times_relative_rate)
{
    size_t shape[3], flat[3];
    KaneClip *clip = run_walk("62");
    const double *torque = kane_array(clip, "/dynamics/torque", shape);
    const double *rate = kane_array(clip, "/kinematics/angular_velocity", NULL);
    const double *power = kane_array(clip, "/dynamics/power", flat), *mass = kane_array(clip, "/body/mass", NULL);
    double total = 0;
    assert_int_equal(shape[0], kane_frame_count(clip));
    assert_int_equal(shape[1], kane_joint_count(clip));
    assert_int_equal(shape[2], 3);
    assert_int_equal(flat[2], 1);
    for (size_t f = 0; f < shape[0]; f++)
        for (size_t j = 1; j < shape[1]; j++) {
            const double *t = torque + (f * shape[1] + j) * 3, *w = rate + (f * shape[1] + j) * 3;
            const double *p = rate + (f * shape[1] + (size_t)kane_joint_parent(clip, (int)j)) * 3;
            double sum = t[0] * (w[0] - p[0]) + t[1] * (w[1] - p[1]) + t[2] * (w[2] - p[2]);
            assert_near(power[f * shape[1] + j], sum, 1e-9 * (1 + fabs(sum)));
        }
    for (size_t j = 0; j < shape[1]; j++)
        total += mass[j];
    assert_near(total, 62, 1e-9);
    assert_near(kane_total_mass(clip), 62, 0);
    assert_non_null(strstr(kane_history(clip), "body --model deleva --mass 62"));
    assert_string_equal(kane_joint_role(clip, kane_find_role(clip, "left_knee")), "left_knee");
    assert_null(kane_joint_name(clip, (int)shape[1]));
    kane_close(clip);
    kane_close(NULL);
}

/* Callers iterate over an array by its shape, also with one axis or none. */
TEST(every_array_has_its_shape)
{
    KaneClip *clip = run_walk("62");
    const size_t frames = (size_t)kane_frame_count(clip), joints = (size_t)kane_joint_count(clip);
    const struct {
        const char *path;
        size_t shape[3];
    } expected[] = {
        {"/time", {frames, 1, 1}}, {"/motion/root_position", {frames, 3, 1}}, {"/motion/rotation", {frames, joints, 4}},
        {"/skeleton/offset", {joints, 3, 1}}, {"/body/mass", {joints, 1, 1}}, {"/body/inertia", {joints, 6, 1}},
        {"/kinematics/position", {frames, joints, 3}}, {"/kinematics/orientation", {frames, joints, 4}},
        {"/kinematics/com", {frames, 3, 1}}, {"/kinematics/time", {frames, 1, 1}},
        {"/contact/foot_force", {frames, 2, 3}}, {"/contact/confidence", {frames, 1, 1}},
        {"/dynamics/torque", {frames, joints, 3}}, {"/dynamics/power", {frames, joints, 1}},
    };
    const double *angle = kane_array(clip, "/angles/angle", NULL);
    assert_non_null(angle);
    assert_ptr_equal(kane_array(clip, "/anatomy/angle", NULL), angle); /* the old name */
    assert_true(frames > 100 && joints > 10);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        size_t shape[3] = {7, 7, 7};
        assert_non_null(kane_array(clip, expected[i].path, shape));
        assert_memory_equal(shape, expected[i].shape, sizeof shape);
    }
    kane_close(clip);
}

/* Invalid path, not float64, missing. */
TEST(invalid_paths_have_no_array)
{
    static const char *const paths[] = {"", "/", "/dynamics", "dynamics/torque", "/dynamics/torque/", "/joint",
                                        "/skeleton/parent", "/kinematics/valid", "/trust/reason",
                                        "/simulation/momentum", "/tracking/pd/torque"};
    KaneClip *clip = run_walk("62");
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        size_t shape[3] = {7, 7, 7};
        assert_null(kane_array(clip, paths[i], shape));
        assert_int_equal(shape[0], 7);
    }
    kane_close(clip);
}

/* An opened clip has only its motion: no other array, mass or index. */
TEST(array_of_a_missing_group_is_null)
{
    static const char *const paths[] = {"/time", "/motion/rotation", "/body/mass", "/kinematics/position",
                                        "/contact/force", "/dynamics/torque", "/angles/angle"};
    KaneError error = {0};
    KaneClip *clip;
    assert_int_equal(kane_open("data/walk.bvh", NULL, &clip, &error), KANE_OK);
    for (int i = 0; i < 7; i++) {
        size_t shape[3] = {7, 7, 7};
        assert_int_equal(kane_array(clip, paths[i], shape) != NULL, i < 2);
        assert_int_equal(shape[0], i < 2 ? (size_t)kane_frame_count(clip) : 7);
    }
    assert_near(kane_total_mass(clip), 0, 0);
    assert_near(kane_frame_time(clip), 1 / 60.0, 1e-9);
    assert_int_equal(kane_frame_count(clip), 181);
    assert_int_equal(kane_joint_count(clip), 22);
    assert_string_equal(kane_joint_name(clip, 0), "Hips");
    assert_string_equal(kane_joint_role(clip, 0), "hips");
    assert_int_equal(kane_joint_parent(clip, 0), -1);
    assert_int_equal(kane_joint_parent(clip, 1), 0);
    assert_int_equal(kane_joint_parent(clip, 22), -1);
    assert_int_equal(kane_joint_parent(clip, -1), -1);
    assert_null(kane_joint_name(clip, -1));
    assert_null(kane_joint_role(clip, 22));
    assert_int_equal(kane_find_role(clip, "nose"), -1);
    assert_non_null(strstr(kane_history(clip), "import"));
    assert_null(strstr(kane_history(clip), "body"));
    kane_close(clip);
}

/* NULL means default options of kane run. */
TEST(null_options_are_the_defaults)
{
    KaneError error = {0};
    KaneClip *plain, *named;
    KaneOptions *options = kane_options_create();
    size_t shape[3], same[3];
    assert_int_equal(kane_open("data/walk.bvh", NULL, &plain, &error), KANE_OK);
    assert_int_equal(kane_run(plain, NULL, &error), KANE_OK);
    assert_int_equal(kane_open("data/walk.bvh", options, &named, &error), KANE_OK);
    assert_int_equal(kane_run(named, options, &error), KANE_OK);
    const double *torque = kane_array(plain, "/dynamics/torque", shape);
    const double *other = kane_array(named, "/dynamics/torque", same);
    assert_memory_equal(shape, same, sizeof shape);
    assert_memory_equal(torque, other, shape[0] * shape[1] * shape[2] * sizeof *torque);
    assert_true(fabs(kane_total_mass(plain) - 70) < 1e-9);
    kane_close(plain);
    kane_close(named);
    kane_options_destroy(options);
}

/* v_world = orientation(parent) rotation v: joint axes to parent axes, as the header defines. */
TEST(rotations_are_child_to_parent)
{
    KaneClip *clip = run_walk("62");
    size_t shape[3];
    const double *rotation = kane_array(clip, "/motion/rotation", shape);
    const double *world = kane_array(clip, "/kinematics/orientation", NULL);
    double turned = 0;
    for (size_t f = 0; f < shape[0]; f += 10)
        for (size_t j = 1; j < shape[1]; j++) {
            const double *p = world + (f * shape[1] + (size_t)kane_joint_parent(clip, (int)j)) * 4;
            const double *q = rotation + (f * shape[1] + j) * 4, *w = world + (f * shape[1] + j) * 4;
            double product[4] = {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
                                 p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
                                 p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
                                 p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
            double dot = product[0] * w[0] + product[1] * w[1] + product[2] * w[2] + product[3] * w[3];
            assert_near(fabs(dot), 1, 1e-9);
            turned = fmax(turned, 1 - fabs(q[0]));
        }
    assert_true(turned > 0.01);
    kane_close(clip);
}

TEST(saved_clip_opens_with_equal_arrays)
{
    char path[] = "/tmp/kane-library-XXXXXX";
    size_t shape[3], again[3];
    KaneError error = {0};
    KaneClip *clip = run_walk("80"), *opened;
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(kane_save(clip, path, &error), KANE_OK);
    assert_int_equal(kane_open(path, NULL, &opened, &error), KANE_OK);
    const double *torque = kane_array(clip, "/dynamics/torque", shape);
    const double *read = kane_array(opened, "/dynamics/torque", again);
    assert_memory_equal(shape, again, sizeof shape);
    assert_memory_equal(torque, read, shape[0] * shape[1] * shape[2] * sizeof *torque);
    kane_close(clip);
    kane_close(opened);
    unlink(path);
}

/* Rejected as by `kane import -o`: a file that is not a clip file may be a user's work. */
TEST(foreign_file_is_not_overwritten)
{
    char path[] = "/tmp/kane-library-XXXXXX", text[32] = "";
    KaneError error = {0};
    KaneClip *clip;
    assert_int_equal(kane_open("data/walk.bvh", NULL, &clip, &error), KANE_OK);
    int file = mkstemp(path);
    assert_int_equal(write(file, "dear diary", 10), 10);
    assert_int_equal(kane_save(clip, path, &error), KANE_BAD_INPUT);
    assert_int_equal(error.status, KANE_BAD_INPUT);
    assert_memory_equal(error.text, path, strlen(path));
    assert_non_null(strstr(error.text, "not a clip file"));
    assert_int_equal(pread(file, text, sizeof text, 0), 10);
    assert_string_equal(text, "dear diary");
    close(file);
    unlink(path);
    kane_close(clip);
}

TEST(errors_have_status_and_text)
{
    KaneError error = {0};
    KaneClip *clip = (KaneClip *)&error;
    KaneOptions *options = kane_options_create();
    assert_int_equal(kane_options_set(options, "smooth-wings", "8", &error), KANE_USAGE);
    assert_non_null(strstr(error.text, "smooth-wings"));
    assert_int_equal(kane_options_set(options, "smooth-cutoff", "fast", &error), KANE_USAGE);
    assert_int_equal(kane_options_set(options, "smooth-cutoff", NULL, &error), KANE_USAGE);
    assert_int_equal(kane_options_set(options, "max-frames", "10", NULL), KANE_OK);
    assert_int_equal(kane_open("data/walk.bvh", options, &clip, &error), KANE_LIMIT);
    assert_true(error.line > 0 && error.column == 1 && strstr(error.text, "--max-frames"));
    assert_null(clip);
    assert_int_equal(kane_open("data/nothing.bvh", NULL, &clip, &error), KANE_IO);
    kane_options_destroy(options);
    kane_options_destroy(NULL);
    kane_close(NULL);
}

/* Status, message and position of an error; success leaves the error unchanged. */
TEST(options_are_returned_by_value)
{
    static const struct {
        const char *option, *value;
        int status;
        const char *text;
    } cases[] = {
        {"smooth-wings", "8", KANE_USAGE, "unknown option smooth-wings; did you mean smooth-window?"},
        {"smooth-cutof", "8", KANE_USAGE, "unknown option smooth-cutof; did you mean smooth-cutoff?"},
        {"body_mass", "8", KANE_USAGE, "unknown option body_mass; did you mean body-mass?"},
        {"smooth-cutoff", NULL, KANE_USAGE, "smooth-cutoff needs a value"},
        {"body-mass", "0", KANE_USAGE, "body-mass: expected a positive number, found \"0\""},
        {"cutoff", "8", KANE_USAGE, "unknown option cutoff; did you mean smooth-cutoff?"},
        {"", "8", KANE_USAGE, "unknown option "},
        {"import-keep-first-frame", NULL, KANE_OK, "kept"},
        {"contact-reduce-residual", NULL, KANE_OK, "kept"},
        {"body-mass", "61.5", KANE_OK, "kept"},
        {"smooth-cutoff", "auto", KANE_OK, "kept"},
    };
    KaneOptions *options = kane_options_create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        KaneError error = {.status = KANE_IO, .line = 5, .column = 6, .text = "kept"};
        assert_int_equal(kane_options_set(options, cases[i].option, cases[i].value, NULL), cases[i].status);
        assert_int_equal(kane_options_set(options, cases[i].option, cases[i].value, &error), cases[i].status);
        assert_string_equal(error.text, cases[i].text);
        assert_int_equal(error.status, cases[i].status ? cases[i].status : KANE_IO);
        assert_int_equal(error.line, cases[i].status ? 0 : 5);
        assert_int_equal(error.column, cases[i].status ? 0 : 6);
    }
    KaneClip *clip;
    assert_int_equal(kane_open("data/walk.bvh", options, &clip, NULL), KANE_OK);
    assert_int_equal(kane_run(clip, options, NULL), KANE_OK);
    assert_near(kane_total_mass(clip), 61.5, 0);
    assert_non_null(strstr(kane_history(clip), "smooth --method butterworth --cutoff "));
    assert_non_null(strstr(kane_history(clip), "--reduce-residual"));
    assert_non_null(strstr(kane_history(clip), "--keep-first-frame"));
    kane_close(clip);
    kane_options_destroy(options);
}

/* All numeric options: values are recorded in the history; values out of range are rejected with the bound and leave
 * the previous value. */
TEST(numeric_options_are_stored_and_bounded)
{
    static const struct {
        const char *option;
        double good, bad;
        const char *history, *text;
    } cases[] = {
        {"body-mass", 61.25, -1, "--mass 61.25", "expected a positive number, found \"-1\""},
        {"smooth-cutoff", 7.5, NAN, "--cutoff 7.5", "number"},
        {"max-frames", 100000, 0, NULL, "expected a positive integer, found"},
        {"max-frames", 100000, 1.5, NULL, "expected a positive integer, found"},
    };
    KaneError error = {0};
    KaneClip *clip;
    KaneOptions *options = kane_options_create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(kane_options_set_number(options, cases[i].option, cases[i].good, &error), KANE_OK);
        assert_int_equal(kane_options_set_number(options, cases[i].option, cases[i].bad, &error), KANE_USAGE);
        assert_int_equal(error.status, KANE_USAGE);
        if (!strstr(error.text, cases[i].text))
            fail_msg("%s: %s", cases[i].option, error.text);
    }
    assert_int_equal(kane_options_set_number(options, "smooth-method", 1, &error), KANE_USAGE);
    assert_string_equal(error.text, "smooth-method is no number: use kane_options_set");
    assert_int_equal(kane_options_set_number(options, "import-keep-first-frame", 1, &error), KANE_USAGE);
    assert_int_equal(kane_options_set_number(options, "body-segments", 1, &error), KANE_USAGE);
    assert_int_equal(kane_options_set_number(options, "no-such", 1, &error), KANE_USAGE);
    assert_string_equal(error.text, "unknown option no-such");
    assert_int_equal(kane_open("data/walk.bvh", options, &clip, &error), KANE_OK);
    assert_int_equal(kane_run(clip, options, &error), KANE_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (cases[i].history)
            assert_non_null(strstr(kane_history(clip), cases[i].history));
    kane_close(clip);
    kane_options_destroy(options);
}

/* Strings are copied: the caller may free them. */
TEST(text_options_are_stored)
{
    char first[] = "no_segments.tsv", second[] = "no_strength.tsv";
    KaneError error = {0};
    KaneClip *clip;
    KaneOptions *options = kane_options_create();
    assert_int_equal(kane_options_set(options, "body-segments", first, &error), KANE_OK);
    assert_int_equal(kane_options_set(options, "angles-strength", second, &error), KANE_OK);
    assert_int_equal(kane_options_set(options, "body-model", "segments", &error), KANE_OK);
    memset(first, 'x', sizeof first - 1);
    memset(second, 'x', sizeof second - 1);
    assert_int_equal(kane_open("data/walk.bvh", options, &clip, &error), KANE_OK);
    assert_int_equal(kane_run(clip, options, &error), KANE_IO);
    assert_int_equal(error.status, KANE_IO);
    assert_non_null(strstr(error.text, "no_segments.tsv"));
    kane_close(clip);
    kane_options_destroy(options);
}

/* The last joint and one more, roles without a joint, a missing folder. */
TEST(indices_out_of_range_return_null)
{
    KaneError error = {0};
    KaneClip *clip = run_walk("62");
    const size_t joints = (size_t)kane_joint_count(clip);
    assert_string_equal(kane_joint_name(clip, (int)joints - 1), "RightToeBase");
    assert_null(kane_joint_role(clip, -1));
    assert_null(kane_joint_role(clip, (int)joints));
    assert_int_equal(kane_joint_parent(clip, (int)joints - 1), (int)joints - 2);
    assert_int_equal(kane_find_role(clip, "hips"), 0);
    assert_int_equal(kane_find_role(clip, "left_thumb"), -1);
    assert_int_equal(kane_save(clip, "no/folder/walk.h5", &error), KANE_IO);
    assert_int_equal(error.status, KANE_IO);
    assert_memory_equal(error.text, "no/folder/walk.h5", 17);
    assert_int_equal(kane_save(clip, "no/folder/walk.h5", NULL), KANE_IO);
    kane_close(clip);
}

/* ---- Springs, simulate, track ---- */

/* Over-, under- and critically damped, in one step and in many, against closed forms; with a nonzero target. */
TEST(springs_are_exact_for_any_step)
{
    const double omega = 3, zeta[] = {0.4, 1, 2.5}, t = 0.9;
    for (int i = 0; i < 3; i++) {
        KaneSpring whole, part;
        double x = 1.5, v = -0.5, y = 1.5, w = -0.5, z = zeta[i], root = omega * sqrt(fabs(z * z - 1)), expected;
        assert_int_equal(kane_spring_set(&whole, omega, z, t, NULL), KANE_OK);
        assert_int_equal(kane_spring_set(&part, omega, z, t / 90, NULL), KANE_OK);
        kane_spring_step(&whole, 0.5, &x, &v);
        for (int n = 0; n < 90; n++)
            kane_spring_step(&part, 0.5, &y, &w);
        double b = -0.5 + z * omega; /* x0 = 1 from rest at 0.5, v0 = -0.5 */
        if (z < 1)
            expected = exp(-z * omega * t) * (cos(root * t) + b / root * sin(root * t));
        else if (z > 1)
            expected = exp(-z * omega * t) * (cosh(root * t) + b / root * sinh(root * t));
        else
            expected = exp(-omega * t) * (1 + b * t);
        assert_near(x, 0.5 + expected, 1e-13);
        assert_near(y, x, 1e-13);
        assert_near(w, v, 1e-12);
    }
}

TEST(invalid_springs_are_refused)
{
    const double bad[][3] = {{-1, 1, 0.1}, {1, -1, 0.1}, {1, 1, -0.1}, {NAN, 1, 0.1}, {1, INFINITY, 0.1}};
    for (int i = 0; i < 5; i++) {
        KaneError error = {0};
        KaneSpring spring;
        assert_int_equal(kane_spring_set(&spring, bad[i][0], bad[i][1], bad[i][2], &error), KANE_USAGE);
        assert_non_null(strstr(error.text, "not negative"));
        assert_near(spring.position_by_position, 0, 0);
    }
}

/* The mass of tests/sources/scenes: x = cos t. */
TEST(scene_is_simulated)
{
    KaneError error = {0};
    KaneClip *clip;
    size_t shape[3];
    KaneOptions *options = kane_options_create_for(KANE_COMMAND_SIMULATE);
    assert_int_equal(kane_options_set_number(options, "duration", 3, &error), KANE_OK);
    assert_int_equal(kane_options_set(options, "key", "drawn", &error), KANE_OK);
    assert_int_equal(kane_simulate("tests/sources/scenes/damped_slides.xml", options, &clip, &error), KANE_OK);
    const double *x = kane_array(clip, "/dof/position", shape), *time = kane_array(clip, "/time", NULL);
    assert_int_equal(shape[0], 181);
    assert_int_equal(shape[1], 4);
    for (size_t f = 0; f < shape[0]; f++)
        assert_near(x[f * shape[1]], cos(time[f]), 1e-4);
    assert_non_null(strstr(kane_history(clip), "simulate"));
    kane_close(clip);
    assert_int_equal(kane_simulate("tests/absent.xml", options, &clip, &error), KANE_IO);
    assert_null(clip);
    assert_int_equal(kane_options_set(options, "friction", "0.5", &error), KANE_OK);
    assert_int_equal(kane_simulate("tests/sources/scenes/damped_slides.xml", options, &clip, &error), KANE_USAGE);
    assert_non_null(strstr(error.text, "no effect"));
    kane_options_destroy(options);
}

TEST(clip_is_tracked)
{
    KaneError error = {0};
    KaneClip *clip = run_walk("62");
    size_t shape[3];
    double max = 0;
    KaneOptions *options = kane_options_create_for(KANE_COMMAND_TRACK);
    assert_int_equal(kane_options_set(options, "controller", "kane-feedforward", &error), KANE_OK);
    assert_int_equal(kane_options_set_number(options, "stiffness", 500, &error), KANE_OK);
    assert_int_equal(kane_track(clip, options, &error), KANE_OK);
    const double *angle = kane_array(clip, "/tracking/kane-feedforward/orientation_error", shape);
    assert_int_equal(shape[1], kane_joint_count(clip));
    for (size_t i = 0; i < shape[0] * shape[1]; i++)
        max = fmax(max, angle[i]);
    assert_true(max > 1e-5 && max < 0.01);   /* rad */
    assert_non_null(strstr(kane_history(clip), "--stiffness 500"));
    kane_options_destroy(options);
    kane_close(clip);
}

TEST(empty_options_equal_the_defaults)
{
    KaneClip *one = run_walk("62"), *two = run_walk("62");
    KaneOptions *options = kane_options_create_for(KANE_COMMAND_TRACK);
    size_t shape[3];
    assert_int_equal(kane_track(one, NULL, NULL), KANE_OK);
    assert_int_equal(kane_track(two, options, NULL), KANE_OK);
    assert_string_equal(kane_history(one), kane_history(two));
    const double *angle = kane_array(one, "/tracking/kane/orientation_error", shape);
    assert_non_null(angle);
    assert_memory_equal(angle, kane_array(two, "/tracking/kane/orientation_error", shape),
                        shape[0] * shape[1] * sizeof *angle);
    kane_options_destroy(options);
    kane_close(one);
    kane_close(two);
}

TEST(option_of_wrong_command_or_type_is_refused)
{
    KaneError error = {0};
    KaneClip *clip = run_walk("62"), *other;
    KaneOptions *track = kane_options_create_for(KANE_COMMAND_TRACK), *run = kane_options_create();
    assert_int_equal(kane_options_set(track, "body-mass", "62", &error), KANE_USAGE);
    assert_int_equal(kane_options_set_number(track, "controller", 3, &error), KANE_USAGE);
    assert_non_null(strstr(error.text, "no number"));
    assert_int_equal(kane_options_set_number(track, "dt", NAN, &error), KANE_USAGE);
    assert_int_equal(kane_simulate("data/scenes/stack.xml", run, &other, &error), KANE_USAGE);
    assert_non_null(strstr(error.text, "kane simulate"));
    assert_int_equal(kane_run(clip, track, &error), KANE_USAGE);
    assert_int_equal(kane_track(clip, run, &error), KANE_USAGE);
    assert_int_equal(kane_options_set(track, "scene", "steady", &error), KANE_OK);
    assert_int_equal(kane_track(clip, track, &error), KANE_USAGE);
    kane_options_destroy(track);
    kane_options_destroy(run);
    kane_close(clip);
}
