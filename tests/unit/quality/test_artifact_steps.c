/* analysis/quality/artifact_steps: jumps are found at their frame, at any frame rate; human motion is not reported. */
#include "tests/support/test.h"

#include "analysis/quality/artifacts.h"
#include "analysis/quality/artifacts_internal.h"
#include "tests/support/chain_motion.h"

static const double noise = 2e-4;

typedef struct Case {
    Skeleton skeleton;
    Motion motion;
    Artifacts faults;
} Case;

static Case chain_case(int frames, double fps)
{
    Case c = {0};
    chain_motion(&c.skeleton, &c.motion, frames, fps, noise);
    return c;
}

static void find(Case *c)
{
    assert_int_equal(artifact_steps_find(&c->skeleton, &c->motion, &c->faults, NULL), STATUS_OK);
}

static void free_case(Case *c)
{
    skeleton_free(&c->skeleton);
    motion_free(&c->motion);
    artifacts_free(&c->faults);
}

static void shift(Motion *m, int first, int last, Vec3 by)
{
    for (int f = first; f <= last; f++)
        m->root_position[f] = vec3_add(m->root_position[f], by);
}

static void turn(Motion *m, int joint, int first, int last, double degrees)
{
    for (int f = first; f <= last; f++) {
        Quat *q = &m->rotation[motion_index(m, f, joint)];
        *q = quat_mul(*q, quat_from_axis_angle(vec3(0.6, 0, 0.8), degrees * M_PI / 180));
    }
    motion_make_continuous(m);
}

static const double rates[] = {24, 30, 60, 120, 240};
enum { RATES = sizeof rates / sizeof *rates };

TEST(clean_motion_has_no_artifacts)
{
    for (int i = 0; i < RATES; i++) {
        Case c = chain_case((int)(4 * rates[i]), rates[i]);
        find(&c);
        assert_int_equal(c.faults.count, 0);
        free_case(&c);
    }
}

TEST(teleport_of_one_frame_is_found)
{
    for (int i = 0; i < RATES; i++) {
        Case c = chain_case(100, rates[i]);
        shift(&c.motion, 40, 40, vec3(0.1, 0.05, -0.17)); /* 0.2 m */
        find(&c);
        assert_int_equal(c.faults.count, 1);
        assert_int_equal(c.faults.artifact[0].kind, TRUST_TELEPORT);
        assert_int_equal(c.faults.artifact[0].first, 40);
        assert_int_equal(c.faults.artifact[0].last, 40);
        assert_false(c.faults.artifact[0].stays);
        free_case(&c);
    }
}

TEST(permanent_teleport_is_found)
{
    for (int i = 0; i < RATES; i++) {
        Case c = chain_case(100, rates[i]);
        shift(&c.motion, 40, 99, vec3(0, 0.2, 0));
        find(&c);
        assert_int_equal(c.faults.count, 1);
        assert_int_equal(c.faults.artifact[0].first, 40);
        assert_int_equal(c.faults.artifact[0].last, 40);
        assert_true(c.faults.artifact[0].stays);
        assert_near(c.faults.artifact[0].size, 0.2, 0.06);
        free_case(&c);
    }
}

TEST(flips_of_one_to_five_frames_are_found)
{
    for (int i = 0; i < RATES * 5 * CHAIN_JOINTS; i++) {
        int joint = i % CHAIN_JOINTS, frames = 1 + i / CHAIN_JOINTS % 5, from = 30 + i % 7;
        Case c = chain_case(100, rates[i / CHAIN_JOINTS / 5]);
        turn(&c.motion, joint, from, from + frames - 1, 60 + 6 * (i % 21));
        find(&c);
        assert_true(c.faults.count > 0);
        for (int k = 0; k < c.faults.count; k++) {
            assert_int_equal(c.faults.artifact[k].kind, TRUST_FLIP);
            assert_int_equal(c.faults.artifact[k].joint, joint);
            assert_true(c.faults.artifact[k].first >= from - 1 && c.faults.artifact[k].last <= from + frames);
        }
        free_case(&c);
    }
}

/* A landing: 5 m/s to zero within a frame, 15 g at 30 Hz. */
TEST(impact_of_15_g_is_no_artifact)
{
    Case c = chain_case(60, 30);
    for (int f = 0; f < 30; f++)
        c.motion.root_position[f].y += (30 - f) * 5.0 / 30;
    find(&c);
    assert_int_equal(c.faults.count, 0);
    free_case(&c);
}

/* A throw: the forearm rotates at 2,000 deg/s for 0.1 s. */
TEST(throw_of_2000_deg_per_s_is_no_artifact)
{
    for (int i = 1; i < RATES; i++) {
        Case c = chain_case(100, rates[i]);
        double angle = 0;
        for (int f = 0; f < 100; f++) {
            double t = (f - 50) / rates[i];
            angle += fabs(t) < 0.1 ? 2000 / rates[i] * (1 + cos(M_PI * t / 0.1)) / 2 : 0;
            turn(&c.motion, CHAIN_FOREARM, f, f, angle);
        }
        find(&c);
        assert_int_equal(c.faults.count, 0);
        free_case(&c);
    }
}

/* A joint that alternately rotates by 40 degrees and back by 14 differs from its neighbours by more than the 46 degrees
 * allowed for a calm joint at 30 Hz. It moves throughout, so none of its rotations is an artifact, including the first
 * and last ones. */
TEST(continuously_moving_joint_has_no_flips)
{
    Case c = chain_case(30, 30);
    for (int f = 1; f < 30; f++)
        turn(&c.motion, CHAIN_FOREARM, f, f, 26 * (f / 2) + (f % 2 ? 40 : 0));
    find(&c);
    assert_int_equal(c.faults.count, 0);
    free_case(&c);
}

TEST(short_takes_are_searched)
{
    for (int frames = 1; frames <= 4; frames++) {
        Case c = chain_case(frames, 30);
        find(&c);
        assert_int_equal(c.faults.count, 0);
        free_case(&c);
    }
}
