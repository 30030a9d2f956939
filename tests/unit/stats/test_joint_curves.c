/* analysis/stats/joint_curves: curves of joints, and their quantization. */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/stats/joint_curves.h"
#include "analysis/stats/joint_series.h"
#include "analysis/stats/quantized_curve.h"
#include "tests/support/hinge_clip.h"
#include "tests/support/random_number.h"

/* The torques of the clip per frame, unknown where not trusted; means over hundredths of a
 * clip, and the distance of two clips. */

static Traces traces_of(const Clip *clip)
{
    JointSeries series;
    Traces traces;
    assert_int_equal(joint_series_init(&series, clip, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_int_equal(traces_init(&traces, clip, &series, NULL), STATUS_OK);
    joint_series_free(&series);
    return traces;
}

TEST(traces_are_torques_of_roles)
{
    Clip clip = hinge_clip(200, 30);
    clip.kinematics.valid[5] = 0;
    Traces traces = traces_of(&clip);
    assert_int_equal(traces.count, 1); /* the hips only have the residual */
    assert_int_equal(traces.frame_count, 200);
    assert_int_equal(traces.role[0], ROLE_LEFT_KNEE);
    for (int f = 0; f < 200; f++)
        if (f == 5)
            assert_true(isnan(traces.nm[f]));
        else
            assert_near(traces.nm[f], vec3_norm(clip.dynamics.torque[2 * f + 1]), 30 * 6e-8);
    traces_free(&traces);
    clip_free(&clip);
}

/* The floating base has the residual, about the centre of mass. */
TEST(quantity_of_the_base_is_the_residual)
{
    Clip clip = hinge_clip(20, 30);
    double value[20];
    clip.dynamics.torque[2 * 7] = vec3(9, 9, 9); /* the same about the root joint */
    assert_int_equal(joint_quantity(&clip, 0, QUANTITY_TORQUE, COMPONENT_NORM, value, NULL), STATUS_OK);
    assert_near(value[7], 3, 1e-12);
    assert_int_equal(joint_quantity(&clip, 1, QUANTITY_TORQUE, COMPONENT_Z, value, NULL), STATUS_OK);
    assert_near(value[7], clip.dynamics.torque[2 * 7 + 1].z, 0);
    clip_free(&clip);
}

TEST(clip_without_dynamics_has_no_traces)
{
    Clip clip = hinge_clip(20, 30);
    clip_drop(&clip, CLIP_DYNAMICS);
    Traces traces = traces_of(&clip);
    assert_int_equal(traces.count, 0);
    traces_free(&traces);
    clip_free(&clip);
}

TEST(profile_does_not_depend_on_the_frame_rate)
{
    Profile profile[2];
    int counts[2] = {51, 1001};
    for (int k = 0; k < 2; k++) {
        int n = counts[k], *frame = calloc((size_t)n, sizeof *frame);
        double *torque = calloc((size_t)n, sizeof *torque);
        for (int i = 0; i < n; i++) {
            frame[i] = i;
            torque[i] = 10.0 * i / (n - 1);
        }
        JointSeries s = {.count = n, .stride = n, .joint_count = 1, .has_load = 1, .frame = frame, .torque = torque};
        profile_compute(&s, 0, 2, profile[k].nm_kg);
        free(frame);
        free(torque);
    }
    for (int p = 0; p < PROFILE_POINTS; p++)
        assert_near(profile[0].nm_kg[p], 5 * (p + 0.5) / PROFILE_POINTS, 1e-6); /* the ramp's mean in each part */
    for (int p = 0; p < PROFILE_POINTS; p++)
        assert_near(profile[1].nm_kg[p], profile[0].nm_kg[p], 1e-6);
}

TEST(profile_of_one_frame_is_constant)
{
    int frame[] = {7};
    double torque[] = {30};
    float nm_kg[PROFILE_POINTS];
    JointSeries s = {.count = 1, .stride = 1, .joint_count = 1, .has_load = 1, .frame = frame, .torque = torque};
    profile_compute(&s, 0, 60, nm_kg);
    for (int p = 0; p < PROFILE_POINTS; p++)
        assert_near(nm_kg[p], 0.5, 1e-7);
}

/* 16-bit values, rounded up or to the nearest. */

enum { COUNT = 5000 };

TEST(quantization_step_bounds_the_error)
{
    static float value[COUNT];
    static unsigned char bytes[2 * COUNT];
    unsigned seed = 3;
    for (int round = 0; round < 20; round++) {
        double scale = pow(10, round - 10);
        for (int i = 0; i < COUNT; i++)
            value[i] = i % 97 == 5 ? NAN : (float)(scale * fabs(random_number(&seed)));
        for (int rounding = 0; rounding < 2; rounding++) {
            double step = quantized_curve_pack(value, COUNT, rounding, bytes);
            for (int i = 0; i < COUNT; i++) {
                unsigned steps = quantized_curve_at(bytes, (size_t)i);
                assert_int_equal(steps == COARSE_UNKNOWN, isnan(value[i]));
                double over = steps * step - (double)value[i];
                if (steps != COARSE_UNKNOWN && rounding == COARSE_UP)
                    assert_true(over >= 0 && over < step);
                else if (steps != COARSE_UNKNOWN)
                    assert_true(fabs(over) <= 0.5001 * step);
            }
        }
    }
}

TEST(zero_and_max_are_quantized_exactly)
{
    const float value[] = {0, 7, 0, NAN}, none[] = {0, NAN};
    unsigned char bytes[8];
    double step = quantized_curve_pack(value, 4, COARSE_UP, bytes);
    assert_int_equal(quantized_curve_at(bytes, 0), 0);
    assert_int_equal(quantized_curve_at(bytes, 1), COARSE_MAX);
    assert_near(step * COARSE_MAX, 7, 1e-14);
    assert_true(quantized_curve_pack(none, 2, COARSE_UP, bytes) > 0);
    assert_int_equal(quantized_curve_at(bytes, 0), 0);
    assert_int_equal(quantized_curve_at(bytes, 1), COARSE_UNKNOWN);
}
