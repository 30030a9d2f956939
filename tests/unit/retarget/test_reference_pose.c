/* analysis/retarget/reference_pose: the pose in which figures are compared, and limits of joints. */
#include "analysis/motion/forward_kinematics.h"
#include "tests/support/test.h"

#include <stdlib.h>

#include "analysis/retarget/even_pose.h"
#include "tests/support/retarget_walk.h"
#include "tests/support/walker.h"

/* Joint limits: a joint outside its range is moved to the limit, one inside is unchanged. */

/* The left knee of the walker flexes by up to 0.55 rad about its left; a limit of 0.4 clips it there and nowhere
 * else. */
TEST(knee_flexion_is_clipped_at_its_limit)
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

/* The reference pose for comparing bodies: symmetrised if taken from a motion; roots above the hips. */

static Vec3 in_body(const ReferencePose *r, Role from, Role to)
{
    return quat_rotate_inverse(r->body, reference_between(r, from, to));
}

TEST(asymmetric_frame_becomes_symmetric)
{
    static const Role bones[][2] = {{ROLE_LEFT_HIP, ROLE_LEFT_KNEE}, {ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE},
                                    {ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW}, {ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST},
                                    {ROLE_HIPS, ROLE_LEFT_SHOULDER}};
    Walk w;
    ReferencePose r;
    Arena arena = {0};
    (void)state;
    walk_init(&w);
    ClipView clip = {.skeleton = &w.skeleton, .motion = &w.motion};
    w.motion.rotation[0] = quat_mul(quat_from_axis_angle(vec3(0, 1, 0), 0.7), quat_from_axis_angle(vec3(0, 0, 1), 0.1));
    w.motion.rotation[2] = quat_from_axis_angle(vec3(0, 0, 1), 0.15);
    w.motion.rotation[9] = quat_from_axis_angle(vec3(0, 1, 0), 0.2);
    w.motion.rotation[13] = quat_from_axis_angle(vec3(0, 0, 1), -0.8);
    assert_int_equal(reference_pose_init(&r, &clip, 0, &arena, NULL), STATUS_OK);
    assert_true(r.unlike > 0.3);
    assert_int_equal(even_pose(&r, &w.motion, NULL), STATUS_OK);
    assert_near(r.unlike, 0, 1e-9);
    for (size_t i = 0; i < sizeof bones / sizeof *bones; i++) {
        Vec3 left = in_body(&r, bones[i][0], bones[i][1]);
        Vec3 right = in_body(&r, role_mirror(bones[i][0]), role_mirror(bones[i][1]));
        assert_vec3_near(vec3(-right.x, right.y, right.z), left, 1e-9);
    }
    assert_near(reference_between(&r, ROLE_LEFT_HIP, ROLE_RIGHT_HIP).y, 0, 1e-9);
    assert_true(fabs(in_body(&r, ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW).x) > 0.05); /* arms half raised, not at rest */
    for (int side = 0; side < 2; side++) { /* soles are flat, as where the walk stands on them */
        int ankle = r.joint[side ? ROLE_RIGHT_ANKLE : ROLE_LEFT_ANKLE];
        assert_true(quat_rotate(r.orientation[ankle], vec3(0, 1, 0)).y > 0.93);
    }
    arena_free(&arena);
    walk_free(&w);
}

TEST(given_rest_pose_is_unchanged)
{
    Walk w;
    ReferencePose r;
    Arena arena = {0};
    (void)state;
    walk_init(&w);
    ClipView clip = {.skeleton = &w.skeleton, .motion = &w.motion};
    w.skeleton.offset[2].x += 0.1;
    assert_int_equal(reference_pose_init(&r, &clip, REFERENCE_REST, &arena, NULL), STATUS_OK);
    Vec3 shank = reference_between(&r, ROLE_LEFT_HIP, ROLE_LEFT_KNEE);
    assert_int_equal(even_pose(&r, &w.motion, NULL), STATUS_OK);
    assert_vec3_near(reference_between(&r, ROLE_LEFT_HIP, ROLE_LEFT_KNEE), shank, 0);
    arena_free(&arena);
    walk_free(&w);
}

/* The walker below a root with hips and spine as children. */
static void rooted_skeleton(Skeleton *s)
{
    Skeleton old;
    walker_skeleton(&old);
    assert_int_equal(skeleton_init(s, WALKER_JOINTS + 1, 0, NULL), STATUS_OK);
    skeleton_set_name(s, 0, "Base", NULL);
    s->parent[0] = -1;
    for (int j = 0; j < WALKER_JOINTS; j++) {
        skeleton_set_name(s, j + 1, old.name[j], NULL);
        s->parent[j + 1] = old.role[j] == ROLE_SPINE ? 0 : old.parent[j] + 1;
        s->offset[j + 1] = old.offset[j];
        s->role[j + 1] = s->segment[j + 1] = old.role[j];
    }
    s->offset[0] = vec3_add(old.offset[0], vec3(0, 0.08, 0.06));
    s->offset[1] = vec3(0, -0.08, -0.06);
    skeleton_free(&old);
}

/* Its first bone points down and back, that of the clip's hips along a leg: they do not correspond. */
TEST(root_above_the_hips_rotates_with_hips)
{
    Walk w;
    Skeleton rooted;
    Motion out;
    RetargetScore score;
    (void)state;
    walk_init(&w);
    rooted_skeleton(&rooted);
    assert_int_equal(retarget(&rooted, &w, 0, &out, &score), STATUS_OK);
    Arena arena = {0};
    size_t joints = WALKER_JOINTS + 1;
    Vec3 *position = arena_array(&arena, FRAMES, joints, sizeof *position);
    Quat *turn = arena_array(&arena, FRAMES, joints, sizeof *turn);
    ClipView view = {.skeleton = &rooted, .motion = &out};
    assert_int_equal(forward_kinematics(&view, LANES_AUTO, &(WorldPoses){position, turn, NULL}, NULL), STATUS_OK);
    int left = skeleton_find_role(&rooted, ROLE_LEFT_SHOULDER);
    int right = skeleton_find_role(&rooted, ROLE_RIGHT_SHOULDER);
    for (size_t f = 0; f < FRAMES; f++) {
        Vec3 line = vec3_sub(position[f * joints + (size_t)left], position[f * joints + (size_t)right]);
        const Vec3 *source = w.kinematics.position + f * WALKER_JOINTS;
        assert_vec3_near(line, vec3_sub(source[13], source[16]), 0.005);
    }
    arena_free(&arena);
    motion_free(&out);
    skeleton_free(&rooted);
    walk_free(&w);
}

/* The largest angle between a bone and the mirror image of its counterpart, in closed form, for each asymmetric
 * limb. */
TEST(asymmetry_is_the_max_angle)
{
    static const struct {
        int joint;
        double y, z;
        double unlike;
    } cases[] = {{14, 0.3, 0, 0.3}, {14, 0, 0.4, 0.4}, {17, 0.2, 0, 0.2},
                  {1, 0, 0.25, 0.25}, {2, 0, 0.15, 0.15}, {6, 0, 0.35, 0.35}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Walk w;
        ReferencePose r;
        Arena arena = {0};
        walk_init(&w);
        ClipView clip = {.skeleton = &w.skeleton, .motion = &w.motion};
        for (int j = 0; j < WALKER_JOINTS; j++)
            w.motion.rotation[j] = QUAT_IDENTITY;
        Vec3 turn = vec3(0, cases[i].y, cases[i].z);
        w.motion.rotation[cases[i].joint] = quat_from_axis_angle(vec3_normalize(turn), vec3_norm(turn));
        assert_int_equal(reference_pose_init(&r, &clip, 0, &arena, NULL), STATUS_OK);
        assert_near(r.unlike, cases[i].unlike, 1e-9);
        assert_near(r.leg, 0.82, 1e-12);
        arena_free(&arena);
        walk_free(&w);
    }
}
