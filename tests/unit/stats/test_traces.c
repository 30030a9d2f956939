/* analysis/stats/traces: the torques of the clip frame by frame, nothing where they are not to be trusted. */
#include "tests/support/assert_near.h"

#include <math.h>

#include "analysis/stats/traces.h"
#include "tests/support/hinge_clip.h"

static Traces traces_of(const Clip *clip)
{
    JointSeries series;
    Traces traces;
    assert_int_equal(joint_series_init(&series, clip, NULL), STATUS_OK);
    assert_int_equal(traces_init(&traces, clip, &series, NULL), STATUS_OK);
    joint_series_free(&series);
    return traces;
}

static void traces_are_the_torques_of_the_roles(void **state)
{
    (void)state;
    Clip clip = hinge_clip(200, 30);
    clip.kinematics.valid[5] = 0;
    Traces traces = traces_of(&clip);
    assert_int_equal(traces.count, 2);
    assert_int_equal(traces.frame_count, 200);
    assert_int_equal(traces.role[0], ROLE_HIPS);
    assert_int_equal(traces.role[1], ROLE_LEFT_KNEE);
    for (int f = 0; f < 200; f++)
        if (f == 5)
            assert_true(isnan(traces.nm[200 + f]));
        else
            assert_near(traces.nm[200 + f], vec3_norm(clip.dynamics.torque[2 * f + 1]), 30 * 6e-8);
    traces_free(&traces);
    clip_free(&clip);
}

static void a_clip_without_dynamics_has_none(void **state)
{
    (void)state;
    Clip clip = hinge_clip(20, 30);
    clip_drop(&clip, CLIP_DYNAMICS);
    Traces traces = traces_of(&clip);
    assert_int_equal(traces.count, 0);
    traces_free(&traces);
    clip_free(&clip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traces_are_the_torques_of_the_roles),
        cmocka_unit_test(a_clip_without_dynamics_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
