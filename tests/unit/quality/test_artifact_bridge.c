/* analysis/quality/artifact_bridge: the filter input has the artifacts bridged, and the flags of the artifacts
 * remain. */
#include "analysis/math/passes.h"
#include "tests/support/test.h"

#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/quality/artifact_bridge.h"
#include "analysis/quality/artifact_search.h"
#include "analysis/quality/artifacts.h"
#include "tests/support/chain_motion.h"

enum { FRAMES = 240 };

typedef struct Case {
    Skeleton skeleton;
    Motion sound, motion;
    Trust trust;
    TakenSteps taken;
} Case;

static Case chain_case(void)
{
    Case c = {0};
    chain_motion(&c.skeleton, &c.sound, FRAMES, 120, 0);
    skeleton_free(&c.skeleton);
    chain_motion(&c.skeleton, &c.motion, FRAMES, 120, 0);
    return c;
}

static void bridge(Case *c)
{
    Artifacts faults = {0};
    assert_int_equal(trust_init(&c->trust, FRAMES, CHAIN_JOINTS, 0, NULL), STATUS_OK);
    assert_int_equal(artifacts_find(&c->skeleton, &c->motion, &faults, NULL), STATUS_OK);
    assert_true(faults.count > 0);
    assert_int_equal(artifacts_mark(&c->skeleton, &faults, &c->trust, NULL), STATUS_OK);
    artifacts_free(&faults);
    assert_true(artifact_bridge_needed(&c->trust));
    assert_int_equal(artifact_bridge(&c->skeleton, &c->trust, &c->motion, &c->taken, NULL), STATUS_OK);
}

static void free_case(Case *c)
{
    skeleton_free(&c->skeleton);
    motion_free(&c->sound);
    motion_free(&c->motion);
    trust_free(&c->trust);
    taken_steps_free(&c->taken);
}

static double angle_off(const Case *c, int frame, int joint)
{
    size_t at = motion_index(&c->motion, frame, joint);
    return 2 * vec3_norm(quat_log(quat_mul(c->motion.rotation[at], quat_conjugate(c->sound.rotation[at]))));
}

static double farthest(const Case *c)
{
    double max = 0;
    for (int f = 0; f < FRAMES; f++)
        max = fmax(max, vec3_distance(c->motion.root_position[f], c->sound.root_position[f]));
    return max;
}

static double largest_turn(const Case *c)
{
    double max = 0;
    for (int f = 0; f < FRAMES; f++)
        for (int j = 0; j < CHAIN_JOINTS; j++)
            max = fmax(max, angle_off(c, f, j));
    return max;
}

TEST(teleport_of_one_frame_is_bridged)
{
    Case c = chain_case();
    c.motion.root_position[100].x += 2;
    bridge(&c);
    assert_int_equal(c.taken.count, 0);
    assert_near(farthest(&c), 0, 1e-4);
    assert_near(largest_turn(&c), 0, 1e-12);
    free_case(&c);
}

TEST(flip_is_bridged_in_its_joint_only)
{
    Case c = chain_case();
    for (int f = 100; f < 105; f++) {
        Quat *q = &c.motion.rotation[motion_index(&c.motion, f, CHAIN_ARM)];
        *q = quat_mul(*q, quat_from_axis_angle(vec3(0, 1, 0), 2));
    }
    motion_make_continuous(&c.motion);
    bridge(&c);
    assert_near(largest_turn(&c), 0, 2e-3);
    for (int f = 0; f < FRAMES; f++)
        assert_near(angle_off(&c, f, CHAIN_TRUNK) + angle_off(&c, f, CHAIN_HAND), 0, 1e-12);
    free_case(&c);
}

TEST(frozen_pose_is_bridged_smoothly)
{
    Case c = chain_case();
    for (int f = 100; f < 130; f++) {
        c.motion.root_position[f] = c.motion.root_position[99];
        memcpy(c.motion.rotation + motion_index(&c.motion, f, 0), c.motion.rotation + motion_index(&c.motion, 99, 0),
               CHAIN_JOINTS * sizeof(Quat));
    }
    bridge(&c);
    assert_near(farthest(&c), 0, 0.02);
    assert_near(largest_turn(&c), 0, 0.08);
    free_case(&c);
}

TEST(path_step_is_removed_to_the_end)
{
    Case c = chain_case();
    for (int f = 100; f < FRAMES; f++)
        c.motion.root_position[f] = vec3_add(c.motion.root_position[f], vec3(1, 0.4, 0));
    bridge(&c);
    artifact_put_back(&c.motion, &c.taken);
    assert_int_equal(c.taken.count, 1);
    assert_near(farthest(&c), 0, 1e-4);
    free_case(&c);
}

/* Two joined takes: the pose changes where the second begins, and both are on the same ground. */
TEST(joined_take_keeps_its_ground_height)
{
    Case c = chain_case();
    for (int f = 0; f < FRAMES; f++) {
        /* hangs from the root by 0.5 + 0.3 + 0.3 m, then with the forearm flexed by 60 deg */
        Quat *q = &c.motion.rotation[motion_index(&c.motion, f, 0)];
        c.motion.root_position[f].y = f < 100 ? 1.1 : 0.95;
        q[CHAIN_TRUNK] = quat_from_axis_angle(vec3(0, 0, 1), PI);
        q[CHAIN_ARM] = quat_from_axis_angle(vec3(0, 0, 1), 0.5 * PI);
        q[CHAIN_FOREARM] = f < 100 ? QUAT_IDENTITY : quat_from_axis_angle(vec3(0, 0, 1), PI / 3);
    }
    motion_make_continuous(&c.motion);
    bridge(&c);
    artifact_put_back(&c.motion, &c.taken);
    double fall = c.motion.root_position[FRAMES - 1].y - c.motion.root_position[0].y;
    assert_near(fall, -0.15, 1e-6);
    free_case(&c);
}

TEST(permanent_joint_rotation_is_restored)
{
    Case c = chain_case();
    Quat turned = quat_from_axis_angle(vec3(0, 0, 1), 1.5);
    for (int f = 100; f < FRAMES; f++) {
        size_t at = motion_index(&c.motion, f, CHAIN_FOREARM);
        c.motion.rotation[at] = c.sound.rotation[at] = quat_mul(turned, c.motion.rotation[at]);
    }
    motion_make_continuous(&c.motion);
    bridge(&c);
    assert_true(angle_off(&c, 150, CHAIN_FOREARM) > 1.4); /* removed */
    artifact_put_back(&c.motion, &c.taken);
    assert_near(largest_turn(&c), 0, 1e-12);
    free_case(&c);
}

/* Hundreds of steps, each found relative to the previous ones: the filter input and the restored motion must be unit
 * quaternions. */
TEST(repeated_steps_keep_unit_quaternions)
{
    for (int every = 3; every <= 8; every++) {
        Case c = chain_case();
        Quat turned = QUAT_IDENTITY, step = quat_from_axis_angle(vec3(0, 0, 1), 170 * PI / 180);
        for (int f = 0; f < FRAMES; f++) {
            size_t at = motion_index(&c.motion, f, CHAIN_HAND);
            turned = f > 0 && f % every == 0 ? quat_normalize(quat_mul(step, turned)) : turned;
            c.motion.rotation[at] = c.sound.rotation[at] = quat_mul(turned, c.motion.rotation[at]);
        }
        size_t count = FRAMES * CHAIN_JOINTS;
        motion_make_continuous(&c.motion);
        bridge(&c);
        assert_near(rotations_length_error(c.motion.rotation, count), 0, 1e-15);
        artifact_put_back(&c.motion, &c.taken);
        assert_near(rotations_length_error(c.motion.rotation, count), 0, 1e-15);
        free_case(&c);
    }
}

/* An artifact of the whole pose, and the frames that a filter takes from its bridge: 0.05 s, six frames at 120 Hz. */
TEST(bridged_frames_are_reported)
{
    Trust trust;
    uint8_t bridged[FRAMES];
    assert_int_equal(trust_init(&trust, FRAMES, CHAIN_JOINTS, 1, NULL), STATUS_OK);
    for (int j = 0; j < CHAIN_JOINTS; j++) {
        trust.joint_reason[100 * CHAIN_JOINTS + j] = trust.joint_reason[3 * CHAIN_JOINTS + j] = TRUST_FROZEN;
        trust.joint_reason[200 * CHAIN_JOINTS + j] = j ? TRUST_FROZEN : TRUST_ADJACENT_JOINT | TRUST_EDGE;
    }
    artifact_bridge_frames(&trust, 1 / 120.0, bridged);
    for (int f = 0; f < FRAMES; f++)
        assert_int_equal(bridged[f], f <= 9 || (f >= 94 && f <= 106));
    trust_free(&trust);
}
