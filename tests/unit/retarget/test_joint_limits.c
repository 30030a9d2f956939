/* Joint limits: a joint outside its range is moved to the limit, one inside is unchanged. */
#include "tests/support/test.h"

#include <stdlib.h>

#include "analysis/retarget/reference_pose.h"
#include "tests/support/walker.h"

/* The left knee of the walker flexes by up to 0.55 rad about its left; a limit of 0.4 clips it there and nowhere
 * else. */
TEST(a_knee_is_stopped)
{
    Skeleton s;
    Motion m, before;
    ReferencePose r;
    Arena arena = {0};
    (void)state;
    walker_skeleton(&s);
    walker_motion(&m, 120, 60);
    walker_motion(&before, 120, 60);
    assert_int_equal(reference_pose_init(&r, &(ClipView){.skeleton = &s}, REFERENCE_REST, &arena, NULL), STATUS_OK);
    JointLimit knee = {ROLE_LEFT_KNEE, {-0.1, -0.1, 0}, {0.1, 0.1, 0.4}};
    JointLimits limits = {1, &knee};
    int hits = joint_limits_apply(&limits, &r, &m), over = 0;
    for (int f = 0; f < m.frame_count; f++) {
        double bend = 2 * quat_log(before.rotation[motion_index(&m, f, 2)]).x;
        over += bend > 0.4;
        assert_near(2 * quat_log(m.rotation[motion_index(&m, f, 2)]).x, fmin(bend, 0.4), 1e-9);
        assert_near(fabs(quat_dot(m.rotation[motion_index(&m, f, 6)], before.rotation[motion_index(&m, f, 6)])), 1,
                    1e-15);
    }
    assert_true(over > 0);
    assert_int_equal(hits, over);
    assert_int_equal(joint_limits_apply(&limits, &r, &m), over); /* a joint at its limit is still valid */
    assert_int_equal(joint_limits_apply(&(JointLimits){0}, &r, &m), 0);
    arena_free(&arena);
    motion_free(&m);
    motion_free(&before);
    skeleton_free(&s);
}
