/* analysis/quality/artifact_holds: frozen intervals are found; rest and easing are not reported. */
#include "tests/support/test.h"

#include <stdlib.h>

#include "analysis/quality/artifacts.h"
#include "analysis/quality/artifacts_internal.h"
#include "tests/support/chain_motion.h"

typedef struct Case {
    Skeleton skeleton;
    Motion motion;
    Artifacts faults;
} Case;

static Case chain_case(int frames, double fps, double noise)
{
    Case c = {0};
    chain_motion(&c.skeleton, &c.motion, frames, fps, noise);
    return c;
}

static void find(Case *c)
{
    assert_int_equal(artifact_holds_find(&c->skeleton, &c->motion, &c->faults, NULL), STATUS_OK);
}

static void free_case(Case *c)
{
    skeleton_free(&c->skeleton);
    motion_free(&c->motion);
    artifacts_free(&c->faults);
}

/* Frame `to` gets the pose of frame `from`, or one joint of it. */
static void copy_pose(Motion *m, int from, int to, int joint)
{
    for (int j = 0; j < m->joint_count; j++)
        if (joint < 0 || j == joint)
            m->rotation[motion_index(m, to, j)] = m->rotation[motion_index(m, from, j)];
    if (joint < 0)
        m->root_position[to] = m->root_position[from];
}

TEST(frozen_pose_of_0_2_s_is_found)
{
    static const double rates[] = {24, 30, 120, 240};
    for (int i = 0; i < 4; i++) {
        int held = (int)ceil(0.2 * rates[i]);
        Case c = chain_case((int)(3 * rates[i]), rates[i], 1e-4);
        for (int f = 20; f < 20 + held; f++)
            copy_pose(&c.motion, 19, f, -1);
        find(&c);
        assert_int_equal(c.faults.count, 1);
        assert_int_equal(c.faults.artifact[0].kind, TRUST_FROZEN);
        assert_int_equal(c.faults.artifact[0].joint, ARTIFACT_WHOLE_POSE);
        assert_int_equal(c.faults.artifact[0].first, 20);
        assert_int_equal(c.faults.artifact[0].last, 19 + held);
        free_case(&c);
    }
}

TEST(frozen_joint_is_found)
{
    for (int joint = 0; joint < CHAIN_JOINTS; joint++) {
        Case c = chain_case(300, 100, 1e-4);
        for (int f = 120; f < 160; f++)
            copy_pose(&c.motion, 119, f, joint);
        find(&c);
        assert_int_equal(c.faults.count, 1);
        assert_int_equal(c.faults.artifact[0].joint, joint);
        assert_int_equal(c.faults.artifact[0].first, 120);
        assert_int_equal(c.faults.artifact[0].last, 159);
        free_case(&c);
    }
}

/* A take at 30 Hz with each row written four times. */
TEST(repeated_rows_of_upsampling_are_not_frozen)
{
    Case c = chain_case(400, 120, 1e-4);
    for (int f = 0; f < 400; f++)
        copy_pose(&c.motion, f / 4 * 4, f, -1);
    find(&c);
    assert_int_equal(c.faults.count, 0);
    free_case(&c);
}

/* An animated pose: cubic ease in and out, constant in between. */
TEST(eased_pose_is_not_frozen)
{
    Case c = chain_case(120, 30, 0);
    for (int f = 0; f < 120; f++) {
        double u = f < 40 ? f / 40.0 : f < 80 ? 1 : (120 - f) / 40.0, ease = u * u * (3 - 2 * u);
        for (int j = 0; j < CHAIN_JOINTS; j++)
            c.motion.rotation[motion_index(&c.motion, f, j)] = quat_from_axis_angle(vec3(1, 0, 0), ease * (1 + j));
        c.motion.root_position[f] = vec3(0, 1 - 0.3 * ease, 0);
    }
    find(&c);
    assert_int_equal(c.faults.count, 0);
    free_case(&c);
}

/* A knee that a solver prevents from hyperextending. */
TEST(hinge_at_its_limit_is_not_frozen)
{
    Case c = chain_case(300, 100, 1e-4);
    for (int f = 0; f < 300; f++)
        c.motion.rotation[motion_index(&c.motion, f, CHAIN_FOREARM)] =
            quat_from_axis_angle(vec3(1, 0, 0), fmax(0, 0.3 + sin(0.021 * f)));
    find(&c);
    assert_int_equal(c.faults.count, 0);
    free_case(&c);
}

TEST(linearly_filled_gap_is_found)
{
    Case c = chain_case(300, 100, 1e-4);
    for (int f = 101; f < 130; f++) {
        double u = (f - 100) / 30.0;
        for (int j = 0; j < CHAIN_JOINTS; j++)
            c.motion.rotation[motion_index(&c.motion, f, j)] =
                quat_slerp(c.motion.rotation[motion_index(&c.motion, 100, j)],
                           c.motion.rotation[motion_index(&c.motion, 130, j)], u);
        Vec3 a = c.motion.root_position[100], b = c.motion.root_position[130];
        c.motion.root_position[f] = vec3_mad(a, u, vec3_sub(b, a));
    }
    find(&c);
    assert_int_equal(c.faults.count, 1);
    assert_int_equal(c.faults.artifact[0].kind, TRUST_INTERPOLATED);
    assert_true(abs(c.faults.artifact[0].first - 102) <= 1 && abs(c.faults.artifact[0].last - 130) <= 1);
    free_case(&c);
}
