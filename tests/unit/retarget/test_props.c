/* analysis/retarget/props and hand_tie: a prop beside the body follows the clip's and stays in the hands that have it,
 * with or without a counterpart on the target. Distances between positions in the world, scaled by arm length. */
#include "tests/support/test.h"

#include <math.h>

#include "analysis/motion/joint_pose.h"
#include "analysis/retarget/ik_bones.h"
#include "tests/support/retarget_walk.h"

enum { JOINTS = WALKER_JOINTS + 2, SWORD = JOINTS - 1, LEFT_ARM = 14, RIGHT_ARM = 17, WRIST = 2 };

/* The walker below World, beside a sword. */
static void armed_skeleton(Skeleton *out)
{
    Skeleton walker;
    walker_skeleton(&walker);
    assert_int_equal(skeleton_init(out, JOINTS, WALKER_ENDS, NULL), STATUS_OK);
    skeleton_set_name(out, 0, "World", NULL);
    skeleton_set_name(out, SWORD, "Sword", NULL);
    out->parent[0] = -1;
    out->parent[SWORD] = 0;
    for (int j = 0; j < WALKER_JOINTS; j++) {
        skeleton_set_name(out, j + 1, walker.name[j], NULL);
        out->parent[j + 1] = walker.parent[j] + 1;
        out->offset[j + 1] = walker.offset[j];
        out->role[j + 1] = out->segment[j + 1] = walker.role[j];
    }
    for (int e = 0; e < WALKER_ENDS; e++) {
        out->end_parent[e] = walker.end_parent[e] + 1;
        out->end_offset[e] = walker.end_offset[e];
    }
    skeleton_free(&walker);
}

/* Arms 15 % longer, shoulders 40 % wider. */
static void widen(Skeleton *s, int left_arm, int right_arm)
{
    for (int side = 0; side < 2; side++) {
        int arm = side ? right_arm : left_arm;
        s->offset[arm].x *= 1.4;
        s->offset[arm + 1].x *= 1.15;
        s->offset[arm + 2].x *= 1.15;
    }
}

/* Both forearms forward and inwards, so that the hands are 20 cm apart. */
static void reach_forward(Motion *m, int frame)
{
    for (int side = 0; side < 2; side++) {
        double sign = side ? -1 : 1;
        Quat *q = m->rotation + motion_index(m, frame, side ? RIGHT_ARM : LEFT_ARM);
        q[0] = quat_from_axis_angle(vec3(0, 0, 1), -1.2 * sign);
        q[1] = quat_between(vec3(sign, 0, 0), quat_rotate_inverse(q[0], vec3_normalize(vec3(-0.6 * sign, 0.2, 0.5))));
    }
}

/* A walk with a sword between the hands, or on the floor. */
static void armed_walk(Walk *w, int in_hands)
{
    Motion walk;
    *w = (Walk){0};
    armed_skeleton(&w->skeleton);
    walker_motion(&walk, FRAMES, 60);
    assert_int_equal(motion_init(&w->motion, FRAMES, JOINTS, walk.frame_time, 1, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        w->motion.time[f] = walk.time[f];
        w->motion.rotation[motion_index(&w->motion, f, 0)] = QUAT_IDENTITY;
        w->motion.rotation[motion_index(&w->motion, f, SWORD)] = QUAT_IDENTITY;
        for (int j = 0; j < WALKER_JOINTS; j++) {
            size_t at = motion_index(&w->motion, f, j + 1);
            w->motion.rotation[at] = walk.rotation[motion_index(&walk, f, j)];
            w->motion.translation[at] = j ? w->skeleton.offset[j + 1] : walk.root_position[f];
        }
        reach_forward(&w->motion, f);
        Vec3 left = joint_pose(&w->skeleton, &w->motion, f, LEFT_ARM + WRIST).position;
        Vec3 right = joint_pose(&w->skeleton, &w->motion, f, RIGHT_ARM + WRIST).position;
        w->motion.translation[motion_index(&w->motion, f, SWORD)] =
            in_hands ? vec3_add(vec3_lerp(left, right, 0.5), vec3(0, 0, 0.05)) : vec3(1.5, 0.1, 0.3);
    }
    motion_make_continuous(&w->motion);
    motion_free(&walk);
    walk_update(w);
}

static Motion put_on(const Skeleton *target, const Walk *w, HandReach hands, const HandHold *hold, int holds)
{
    RetargetDef def = retarget_default_def();
    RetargetJob job = walk_job(target, w);
    RetargetScore score;
    Motion out;
    def.hands = hands;
    def.hold = hold;
    def.hold_count = holds;
    def.score_mirror = 0;
    assert_int_equal(retarget_motion(&job, &def, &out, &score, NULL), STATUS_OK);
    return out;
}

static Vec3 at(const Skeleton *s, const Motion *m, int frame, const char *name)
{
    return joint_pose(s, m, frame, skeleton_find(s, name)).position;
}

/* Largest distance of a vector between two joints from the clip's, scaled by arm length, m. */
static double apart_error(const Skeleton *target, const Motion *out, const Walk *w, const char *from, const char *to)
{
    double max = 0;
    for (int f = 20; f < FRAMES - 20; f++) {
        Vec3 now = vec3_sub(at(target, out, f, to), at(target, out, f, from));
        Vec3 then = vec3_sub(at(&w->skeleton, &w->motion, f, to), at(&w->skeleton, &w->motion, f, from));
        max = fmax(max, vec3_distance(now, vec3_scale(then, 1.15)));
    }
    return max;
}

TEST(prop_of_the_target_stays_in_both_hands)
{
    Walk w;
    Skeleton target;
    armed_walk(&w, 1);
    armed_skeleton(&target);
    widen(&target, LEFT_ARM, RIGHT_ARM);
    Motion plain = put_on(&target, &w, HANDS_ROTATION, NULL, 0), out = put_on(&target, &w, HANDS_AUTO, NULL, 0);
    assert_true(apart_error(&target, &plain, &w, "RightHand", "LeftHand") > 0.05);
    assert_true(apart_error(&target, &out, &w, "Sword", "LeftHand") < 0.01);
    assert_true(apart_error(&target, &out, &w, "Sword", "RightHand") < 0.01);
    motion_free(&plain);
    motion_free(&out);
    skeleton_free(&target);
    walk_free(&w);
}

TEST(prop_on_the_floor_keeps_its_scaled_position)
{
    Walk w;
    Skeleton target;
    armed_walk(&w, 0);
    armed_skeleton(&target);
    scale_skeleton(&target, 0.8);
    Motion out = put_on(&target, &w, HANDS_AUTO, NULL, 0);
    for (int f = 0; f < FRAMES; f++)
        assert_vec3_near(at(&target, &out, f, "Sword"), vec3(1.2, 0.08, 0.24), 1e-6);
    motion_free(&out);
    skeleton_free(&target);
    walk_free(&w);
}

/* A target without the sword: the hands keep their places at the clip's. */
TEST(fixed_hands_stay_at_a_prop_that_the_target_lacks)
{
    Walk w;
    Skeleton target;
    armed_walk(&w, 1);
    walker_skeleton(&target);
    widen(&target, LEFT_ARM - 1, RIGHT_ARM - 1);
    const HandHold hold[] = {{0, SWORD}, {1, SWORD}};
    Motion plain = put_on(&target, &w, HANDS_ROTATION, NULL, 0), out = put_on(&target, &w, HANDS_AUTO, hold, 2);
    assert_true(apart_error(&target, &plain, &w, "RightHand", "LeftHand") > 0.05);
    assert_true(apart_error(&target, &out, &w, "RightHand", "LeftHand") < 0.015);
    motion_free(&plain);
    motion_free(&out);
    skeleton_free(&target);
    walk_free(&w);
}

/* In some rigs the spine begins beside the pelvis: what is below a role is no prop. */
TEST(joints_of_a_spine_beside_the_pelvis_are_no_props)
{
    Skeleton s;
    armed_skeleton(&s);
    s.parent[10] = 0; /* the spine */
    s.role[10] = s.role[11] = ROLE_NONE;
    for (int j = 0; j < SWORD; j++)
        assert_int_equal(joint_is_beside_body(&s, j), 0);
    assert_int_equal(joint_is_beside_body(&s, SWORD), 1);
    skeleton_free(&s);
}

TEST(clip_with_a_prop_onto_itself_is_unchanged)
{
    Walk w;
    armed_walk(&w, 1);
    Motion out = put_on(&w.skeleton, &w, HANDS_AUTO, NULL, 0);
    for (int f = 0; f < FRAMES; f += 5)
        for (int j = 0; j < JOINTS; j++)
            assert_vec3_near(joint_pose(&w.skeleton, &out, f, j).position,
                             joint_pose(&w.skeleton, &w.motion, f, j).position, 1e-6);
    motion_free(&out);
    walk_free(&w);
}
