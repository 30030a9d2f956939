/* analysis/clip/tracking and its group in a clip file: one group per controller, each value bit for bit. */
#include "tests/support/test.h"

#include <string.h>

#include "formats/container/container.h"
#include "tests/support/sample_clip.h"
#include "tests/support/altered_image.h"

enum { FRAMES = 7, JOINTS = 5, STEPS = 12 };

static void fill_run(Tracking *t, ControllerKind kind, unsigned *seed)
{
    size_t count = (size_t)STEPS * JOINTS;
    assert_int_equal(tracking_add_run(t, kind, 0, NULL), STATUS_OK);
    TrackingRun *run = &t->run[kind];
    sample_fill(run->orientation_error, count * sizeof(double), seed);
    sample_fill(run->position_error, count * sizeof(double), seed);
    sample_rotations(run->orientation, count, seed);
    sample_fill(run->torque, count * sizeof(Vec3), seed);
    sample_fill(&run->mean_error, sizeof(double), seed);
    sample_fill(&run->torque_sum_mean, sizeof(double), seed);
}

static void tracked_clip(Clip *c)
{
    unsigned seed = 3;
    assert_int_equal(sample_clip(c, FRAMES, JOINTS, 2), 0);
    assert_int_equal(tracking_init(&c->tracking, STEPS, JOINTS, NULL), STATUS_OK);
    for (int f = 0; f < STEPS; f++)
        c->tracking.time[f] = 0.01 * f;
    for (int j = 0; j < JOINTS; j++)
        c->tracking.carrier[j] = j / 2;
    fill_run(&c->tracking, CONTROLLER_PD, &seed);
    fill_run(&c->tracking, CONTROLLER_KANE_FEEDFORWARD, &seed);
    c->has_tracking = 1;
}

TEST(tracking_round_trips_through_a_clip_file)
{
    Clip clip, back;
    ContainerImage image;
    ContainerDef def = container_default_def();
    char warning[80];
    Error err = {0};
    tracked_clip(&clip);
    assert_int_equal(container_encode(&clip, &def, &image, NULL), STATUS_OK);
    assert_int_equal(container_decode_guarded(&image, &back, warning, sizeof warning, &err), STATUS_OK);
    assert_string_equal(warning, "");
    assert_int_equal(back.has_tracking, 1);
    assert_int_equal(back.tracking.frame_count, STEPS);
    assert_memory_equal(back.tracking.time, clip.tracking.time, STEPS * sizeof(double));
    assert_memory_equal(back.tracking.carrier, clip.tracking.carrier, JOINTS * sizeof(int));
    for (int i = 0; i < CONTROLLER_COUNT; i++) {
        const TrackingRun *a = &clip.tracking.run[i], *b = &back.tracking.run[i];
        assert_int_equal(a->present, b->present);
        if (!a->present)
            continue;
        assert_memory_equal(a->orientation_error, b->orientation_error, STEPS * JOINTS * sizeof(double));
        assert_memory_equal(a->position_error, b->position_error, STEPS * JOINTS * sizeof(double));
        assert_memory_equal(a->orientation, b->orientation, STEPS * JOINTS * sizeof(Quat));
        assert_memory_equal(a->torque, b->torque, STEPS * JOINTS * sizeof(Vec3));
        assert_memory_equal(&a->mean_error, &b->mean_error, sizeof(double));
        assert_memory_equal(&a->torque_sum_mean, &b->torque_sum_mean, sizeof(double));
    }
    container_image_free(&image);
    clip_free(&back);
    clip_free(&clip);
}

TEST(lumped_joint_out_of_range_is_refused)
{
    Clip clip, sound, back;
    Error err = {0};
    tracked_clip(&clip);
    tracked_clip(&sound);
    clip.tracking.carrier[2] = JOINTS;
    ContainerImage image = altered_image(&sound, &clip);
    assert_int_equal(container_decode(&image, &back, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "/tracking/carrier"));
    container_image_free(&image);
    clip_free(&sound);
    clip_free(&clip);
}

TEST(earlier_stages_drop_tracking)
{
    Clip clip;
    tracked_clip(&clip);
    clip_drop(&clip, CLIP_TRACKING);
    assert_int_equal(clip.has_tracking, 0);
    assert_int_equal(clip.has_dynamics, 1);
    assert_null(clip.tracking.time);
    clip_free(&clip);
}

/* Orientations become rotations from joint to parent, with the sign nearest to the previous frame. */
TEST(tracking_run_converts_to_a_motion)
{
    Clip clip;
    Motion out;
    tracked_clip(&clip);
    tracking_free(&clip.tracking);
    assert_int_equal(tracking_init(&clip.tracking, STEPS, JOINTS, NULL), STATUS_OK);
    assert_int_equal(tracking_add_run(&clip.tracking, CONTROLLER_PD, 1, NULL), STATUS_OK);
    TrackingRun *run = &clip.tracking.run[CONTROLLER_PD];
    for (int f = 0; f < STEPS; f++) {
        clip.tracking.time[f] = 2 + 0.01 * f;
        run->root_position[f] = vec3(f, 0, 1);
        for (int j = 0; j < JOINTS; j++) {
            Quat q = quat_from_axis_angle(vec3(0, 0, 1), 0.1 * f * (j + 1));
            run->orientation[f * JOINTS + j] = f % 2 ? quat_neg(q) : q;
        }
    }
    assert_int_equal(tracking_motion(&clip.tracking, CONTROLLER_KANE_FEEDFORWARD, &clip.skeleton, &out, NULL),
                     STATUS_BAD_INPUT);
    assert_int_equal(tracking_motion(&clip.tracking, CONTROLLER_PD, &clip.skeleton, &out, NULL), STATUS_OK);
    assert_near(out.frame_time, 0.01, 1e-15);
    for (int f = 0; f < STEPS; f++) {
        assert_near(out.time[f], 2 + 0.01 * f, 0);
        assert_vec3_near(out.root_position[f], vec3(f, 0, 1), 0);
        for (int j = 0; j < JOINTS; j++)
            assert_near(quat_dot(out.rotation[f * JOINTS + j], quat_from_axis_angle(vec3(0, 0, 1), 0.1 * f)), 1, 1e-14);
    }
    motion_free(&out);
    clip_free(&clip);
}

TEST(every_controller_has_a_name)
{
    for (int i = 0; i < CONTROLLER_COUNT; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(controller_name((ControllerKind)i), controller_name((ControllerKind)k));
    assert_string_equal(controller_name(CONTROLLER_COUNT), "");
}
