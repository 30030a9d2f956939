/* analysis/motion/first_frame: a pose put before the take is found, a take that starts at once is not. */
#include "tests/support/assert_near.h"

#include "analysis/evidence/first_frame.h"
#include "tests/support/walker.h"

static int fake(const Motion *m, double *confidence)
{
    Skeleton s;
    walker_skeleton(&s);
    int found = first_frame_is_fake(&s, m, confidence);
    skeleton_free(&s);
    return found;
}

static void rest_pose_before_the_take(void **state)
{
    (void)state;
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

static void a_root_elsewhere_before_the_take(void **state)
{
    (void)state;
    Motion m;
    double confidence;
    walker_motion(&m, 60, 30);
    m.root_position[0] = vec3(0, 0, 0);
    assert_true(fake(&m, &confidence));
    motion_free(&m);
}

/* The same walk begun anywhere, at any rate and up to eight times as fast. */
static void a_take_is_kept_wherever_it_starts(void **state)
{
    (void)state;
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

static void few_frames_cannot_tell(void **state)
{
    (void)state;
    Motion m;
    double confidence;
    walker_motion(&m, 4, 30);
    m.root_position[0] = vec3(9, 9, 9);
    assert_false(fake(&m, &confidence));
    assert_near(confidence, 0.5, 0);
    motion_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest_pose_before_the_take),
        cmocka_unit_test(a_root_elsewhere_before_the_take),
        cmocka_unit_test(a_take_is_kept_wherever_it_starts),
        cmocka_unit_test(few_frames_cannot_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
