/* analysis/motion/forward_kinematics: closed forms, rotation of the whole body with its root, centre of mass. */
#include "analysis/motion/forward_kinematics.h"
#include "tests/support/test.h"

#include "analysis/math/elementary.h"

enum { JOINTS = 3, FRAMES = 11 };

typedef struct Arm {
    Skeleton skeleton;
    Motion motion;
    Body body;
    Vec3 position[FRAMES * JOINTS], com[FRAMES];
    Quat orientation[FRAMES * JOINTS];
} Arm;

/* Three joints one metre apart along X; 90 degrees about Z at the second. */
static void arm_init(Arm *a)
{
    assert_int_equal(skeleton_init(&a->skeleton, JOINTS, 0, NULL), STATUS_OK);
    assert_int_equal(motion_init(&a->motion, FRAMES, JOINTS, 0.01, 0, NULL), STATUS_OK);
    assert_int_equal(body_init(&a->body, JOINTS, NULL), STATUS_OK);
    for (int j = 0; j < JOINTS; j++) {
        a->skeleton.parent[j] = j - 1;
        a->skeleton.offset[j] = vec3(1, 0, 0);
        a->body.mass[j] = j + 1;
        a->body.com[j] = vec3(0.5, 0, 0);
    }
    for (int f = 0; f < FRAMES; f++) {
        a->motion.root_position[f] = vec3(0, 0, f);
        for (int j = 0; j < JOINTS; j++)
            a->motion.rotation[motion_index(&a->motion, f, j)] = QUAT_IDENTITY;
        a->motion.rotation[motion_index(&a->motion, f, 1)] = quat_from_axis_angle(vec3(0, 0, 1), 0.5 * PI);
    }
}

static void arm_free(Arm *a)
{
    skeleton_free(&a->skeleton);
    motion_free(&a->motion);
    body_free(&a->body);
}

static Status arm_pose(Arm *a)
{
    ClipView view = {.skeleton = &a->skeleton, .body = &a->body, .motion = &a->motion};
    return forward_kinematics(&view, LANES_AUTO, &(WorldPoses){a->position, a->orientation, a->com}, NULL);
}

TEST(bent_arm_has_its_position)
{
    Arm a;
    arm_init(&a);
    assert_int_equal(arm_pose(&a), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        assert_vec3_near(a.position[f * JOINTS + 1], vec3(1, 0, f), 1e-15);
        assert_vec3_near(a.position[f * JOINTS + 2], vec3(1, 1, f), 1e-15);
        assert_vec3_near(quat_rotate(a.orientation[f * JOINTS + 2], vec3(1, 0, 0)), vec3(0, 1, 0), 1e-15);
        /* (1 kg at x = 0.5, 2 kg at (1, 0.5), 3 kg at (1, 1.5)) / 6 kg */
        assert_vec3_near(a.com[f], vec3(5.5 / 6, 5.5 / 6, f), 1e-14);
    }
    arm_free(&a);
}

TEST(root_rotation_rotates_all_joints)
{
    Arm a, b;
    Quat turn = quat_normalize((Quat){0.2, 0.7, -0.4, 0.1});
    arm_init(&a);
    arm_init(&b);
    for (int f = 0; f < FRAMES; f++)
        b.motion.rotation[motion_index(&b.motion, f, 0)] = turn;
    assert_int_equal(arm_pose(&a), STATUS_OK);
    assert_int_equal(arm_pose(&b), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        Vec3 root = a.motion.root_position[f];
        for (int j = 0; j < JOINTS; j++)
            assert_vec3_near(vec3_sub(b.position[f * JOINTS + j], root),
                             quat_rotate(turn, vec3_sub(a.position[f * JOINTS + j], root)), 1e-14);
        assert_vec3_near(vec3_sub(b.com[f], root), quat_rotate(turn, vec3_sub(a.com[f], root)), 1e-14);
    }
    arm_free(&a);
    arm_free(&b);
}

TEST(translations_replace_the_offset)
{
    Arm a;
    arm_init(&a);
    Vec3 slide[FRAMES * JOINTS] = {{0, 0, 0}};
    for (int f = 0; f < FRAMES; f++)
        slide[f * JOINTS + 2] = vec3(0.1 * f, 0, 0);
    a.motion.translation = slide;
    assert_int_equal(arm_pose(&a), STATUS_OK);
    for (int f = 0; f < FRAMES; f++)
        assert_vec3_near(a.position[f * JOINTS + 2], vec3(0, 0.1 * f, f), 1e-15);
    a.motion.translation = NULL;
    arm_free(&a);
}

TEST(massless_body_has_its_centre_at_the_root)
{
    Arm a;
    arm_init(&a);
    for (int j = 0; j < JOINTS; j++) {
        a.body.mass[j] = 0;
        a.body.com[j] = vec3(0, 0, 0);
    }
    assert_int_equal(arm_pose(&a), STATUS_OK);
    assert_vec3_near(a.com[4], vec3(0, 0, 4), 0);
    arm_free(&a);
}

TEST(tree_out_of_order_is_refused)
{
    Arm a;
    arm_init(&a);
    a.skeleton.parent[1] = 2;
    assert_int_equal(arm_pose(&a), STATUS_USAGE);
    a.skeleton.parent[1] = 0;
    a.motion.joint_count = 2;
    assert_int_equal(arm_pose(&a), STATUS_USAGE);
    arm_free(&a);
}

/* A joint by its path alone: the pose of the tree to rounding, the same bits at every width, with translations too. */
TEST(single_joint_pose_equals_the_tree)
{
    Arm a;
    Vec3 slide[FRAMES * JOINTS], place[FRAMES], other[FRAMES];
    Quat turn[FRAMES], turned[FRAMES];
    const LaneWidth widths[] = {LANES_PAIR, LANES_AVX2, LANES_AVX512};
    arm_init(&a);
    ClipView view = {.skeleton = &a.skeleton, .body = &a.body, .motion = &a.motion};
    for (int i = 0; i < FRAMES * JOINTS; i++) {
        slide[i] = vec3(1 + 0.1 * i, 0.3 * i, -0.2);
        a.motion.rotation[i] = quat_normalize((Quat){0.9, 0.1 * (i % 5), -0.07 * (i % 7), 0.2});
    }
    for (int translates = 0; translates < 2; translates++) {
        a.motion.translation = translates ? slide : NULL;
        assert_int_equal(arm_pose(&a), STATUS_OK);
        for (int joint = 0; joint < JOINTS; joint++) {
            joint_path(&view, joint, 2, FRAMES - 2, LANES_SCALAR, &(WorldPoses){place, turn, NULL});
            for (int i = 0; i < 3; i++) {
                joint_path(&view, joint, 2, FRAMES - 2, widths[i], &(WorldPoses){other, turned, NULL});
                assert_memory_equal(other, place, (FRAMES - 2) * sizeof *place);
                assert_memory_equal(turned, turn, (FRAMES - 2) * sizeof *turn);
            }
            for (int f = 2; f < FRAMES; f++) {
                assert_vec3_near(place[f - 2], a.position[f * JOINTS + joint], 1e-14 * (1 + vec3_norm(place[f - 2])));
                assert_near(fabs(quat_dot(turn[f - 2], a.orientation[f * JOINTS + joint])), 1, 1e-14);
            }
        }
    }
    a.motion.translation = NULL;
    arm_free(&a);
}
