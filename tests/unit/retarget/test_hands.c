/* analysis/retarget/hands: goals of hands, and limbs of two bones. */
#include "analysis/retarget/scorecard.h"
#include "analysis/retarget/two_bone.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/retarget/hands.h"
#include "analysis/retarget/retarget.h"
#include "tests/support/retarget_walk.h"

/* Two-bone inverse kinematics: reaches the target, keeps the bending direction, never snaps straight. */

static const TwoBone leg = {{0, 1, 0}, {0.02, 0.55, 0.05}, {0, 0.12, 0}, {1, 0, 0}};

static Vec3 middle_of(const TwoBone *limb, TwoBoneRotation t)
{
    return vec3_add(limb->root, quat_rotate(t.root, vec3_sub(limb->middle, limb->root)));
}

static Vec3 end_of(const TwoBone *limb, TwoBoneRotation t)
{
    return vec3_add(middle_of(limb, t), quat_rotate(t.middle, vec3_sub(limb->end, limb->middle)));
}

TEST(limb_reaches_its_target)
{
    for (int i = 0; i < 200; i++) {
        Vec3 to = {0.002 * i - 0.2, 0.2 + 0.0005 * i, 0.3 - 0.003 * i};
        assert_vec3_near(end_of(&leg, two_bone_solve(&leg, to, vec3_distance(to, leg.root))), to, 1e-12);
    }
}

/* If the limb is already at the target, nothing rotates. */
TEST(limb_at_its_target_does_not_move)
{
    TwoBoneRotation t = two_bone_solve(&leg, leg.end, vec3_distance(leg.end, leg.root));
    assert_vec3_near(middle_of(&leg, t), leg.middle, 1e-12);
    assert_vec3_near(end_of(&leg, t), leg.end, 1e-12);
}

/* The knee of a straight leg flexes forward, about the body's left. */
TEST(straight_leg_flexes_forward)
{
    TwoBone straight = {{0, 1, 0}, {0, 0.5, 0}, {0, 0, 0}, {1, 0, 0}};
    Vec3 to = {0, 0.1, 0};
    TwoBoneRotation t = two_bone_solve(&straight, to, 0.9);
    assert_vec3_near(end_of(&straight, t), to, 1e-12);
    assert_true(middle_of(&straight, t).z > 0.2);
    assert_near(middle_of(&straight, t).x, 0, 1e-12);
}

/* Out of reach: towards the target, as far as allowed; without target direction or length nothing rotates. */
TEST(target_out_of_reach_is_approached)
{
    Vec3 far = {0, -3, 1};
    double length = vec3_distance(leg.root, leg.middle) + vec3_distance(leg.middle, leg.end);
    TwoBoneRotation t = two_bone_solve(&leg, far, 10);
    assert_near(vec3_distance(end_of(&leg, t), leg.root), length, 1e-9);
    Vec3 way = vec3_normalize(vec3_sub(far, leg.root)), reached = vec3_normalize(vec3_sub(end_of(&leg, t), leg.root));
    assert_vec3_near(reached, way, 1e-9);
    t = two_bone_solve(&leg, leg.root, 0);
    assert_near(t.root.w, 1, 0);
    TwoBone none = {{0, 0, 0}, {0, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    t = two_bone_solve(&none, far, 1);
    assert_near(t.middle.w, 1, 0);
}

TEST(soft_ratio_is_smooth_and_bounded)
{
    const double h = 1e-6;
    assert_near(two_bone_soft_ratio(0.9, 0.95, 0.02), 0.9, 0);
    double slope = (two_bone_soft_ratio(0.95 + h, 0.95, 0.02) - two_bone_soft_ratio(0.95, 0.95, 0.02)) / h;
    assert_near(slope, 1, 1e-3);
    for (double r = 0.95; r < 3; r += 0.01)
        assert_true(two_bone_soft_ratio(r, 0.95, 0.02) < 0.97);
}

/* Hands: forearms stay out of the body, arms clear of it are unchanged. */

enum { HEAD = 12, LEFT_SHOULDER = 13, RIGHT_SHOULDER = 16 };

/* Upper arms hang, both forearms point forward, and inwards by `inwards` of their length. */
static void fold_arms(Motion *m, double inwards)
{
    for (int f = 0; f < m->frame_count; f++)
        for (int side = 0; side < 2; side++) {
            double sign = side ? -1 : 1;
            Quat *q = m->rotation + motion_index(m, f, side ? RIGHT_SHOULDER : LEFT_SHOULDER);
            Vec3 way = vec3_normalize(vec3(-sign * inwards, 0.1, 0.5));
            q[0] = quat_from_axis_angle(vec3(0, 0, 1), -1.3 * sign);
            q[1] = quat_between(vec3(sign, 0, 0), quat_rotate_inverse(q[0], way));
        }
    motion_make_continuous(m);
}

static Motion put_on(const Skeleton *target, const Walk *w, HandReach hands, RetargetScore *score)
{
    RetargetDef def = retarget_default_def();
    RetargetJob job = walk_job(target, w);
    Motion out;
    def.hands = hands;
    def.score_mirror = 0;
    assert_int_equal(retarget_motion(&job, &def, &out, score, NULL), STATUS_OK);
    return out;
}

/* Largest rotation difference of any arm joint between two motions, degrees. */
static double arms_differ(const Motion *a, const Motion *b)
{
    double max = 0;
    for (int f = 0; f < a->frame_count; f++)
        for (int j = LEFT_SHOULDER; j < RIGHT_SHOULDER + 3; j++)
            max = fmax(max, rotation_angle(a->rotation[motion_index(a, f, j)], b->rotation[motion_index(b, f, j)]));
    return max;
}

/* With shoulders half as wide, forearms in front of the belly would penetrate it. */
TEST(forearms_do_not_penetrate_the_trunk)
{
    Walk w;
    Skeleton narrow;
    RetargetScore copied, score;
    (void)state;
    walk_init(&w);
    fold_arms(&w.motion, 0.8);
    assert_int_equal(skeleton_copy(&narrow, &w.skeleton, NULL), STATUS_OK);
    narrow.offset[LEFT_SHOULDER].x = 0.08;
    narrow.offset[RIGHT_SHOULDER].x = -0.08;
    Motion plain = put_on(&narrow, &w, HANDS_ROTATION, &copied), out = put_on(&narrow, &w, HANDS_AUTO, &score);
    assert_true(copied.overlap_increase_cm > 2);
    assert_true(score.overlap_increase_cm < 0.6);
    assert_true(score.bone_direction_deg < 13);
    assert_true(arms_differ(&plain, &out) > 5);
    motion_free(&plain);
    motion_free(&out);
    skeleton_free(&narrow);
    walk_free(&w);
}

/* Forearms that are clear of the body by more than their own thickness may be nearer to a narrower one. */
TEST(arms_nearer_but_clear_of_the_trunk_are_unchanged)
{
    Walk w;
    Skeleton narrow;
    RetargetScore copied, score;
    (void)state;
    walk_init(&w);
    fold_arms(&w.motion, -0.2);
    assert_int_equal(skeleton_copy(&narrow, &w.skeleton, NULL), STATUS_OK);
    narrow.offset[LEFT_SHOULDER].x *= 0.8;
    narrow.offset[RIGHT_SHOULDER].x *= 0.8;
    Motion plain = put_on(&narrow, &w, HANDS_ROTATION, &copied), out = put_on(&narrow, &w, HANDS_AUTO, &score);
    assert_true(copied.overlap_increase_cm < 1e-9);
    assert_true(arms_differ(&plain, &out) < 0.5);
    motion_free(&plain);
    motion_free(&out);
    skeleton_free(&narrow);
    walk_free(&w);
}

/* Hands of narrow shoulders that hang beside the hips do not hold them: on wide shoulders they hang, too. */
TEST(hanging_hands_are_not_fixed_to_the_hips)
{
    Walk w;
    Skeleton wide;
    RetargetScore copied, score;
    (void)state;
    walk_init(&w);
    assert_int_equal(skeleton_copy(&wide, &w.skeleton, NULL), STATUS_OK);
    w.skeleton.offset[LEFT_SHOULDER].x = 0.12;
    w.skeleton.offset[RIGHT_SHOULDER].x = -0.12;
    for (int f = 0; f < w.motion.frame_count; f++)
        for (int side = 0; side < 2; side++)
            w.motion.rotation[motion_index(&w.motion, f, side ? RIGHT_SHOULDER : LEFT_SHOULDER)] =
                quat_from_axis_angle(vec3(0, 0, 1), side ? 1.5 : -1.5);
    motion_make_continuous(&w.motion);
    walk_update(&w);
    Motion plain = put_on(&wide, &w, HANDS_ROTATION, &copied), out = put_on(&wide, &w, HANDS_AUTO, &score);
    assert_true(arms_differ(&plain, &out) < 0.5);
    motion_free(&plain);
    motion_free(&out);
    skeleton_free(&wide);
    walk_free(&w);
}

/* A body of another size with a different shank proportion keeps the arms. */
TEST(arms_clear_of_the_trunk_are_unchanged)
{
    Walk w;
    Skeleton giant;
    RetargetScore score;
    (void)state;
    walk_init(&w);
    fold_arms(&w.motion, 0.8);
    assert_int_equal(skeleton_copy(&giant, &w.skeleton, NULL), STATUS_OK);
    scale_skeleton(&giant, 1.27);
    giant.offset[3].y *= 1.08;
    giant.offset[7].y *= 1.08;
    Motion plain = put_on(&giant, &w, HANDS_ROTATION, &score), out = put_on(&giant, &w, HANDS_AUTO, &score);
    assert_true(arms_differ(&plain, &out) < 0.01);
    motion_free(&plain);
    motion_free(&out);
    skeleton_free(&giant);
    walk_free(&w);
}

/* A pair whose target equals the source with its left wrist lower by a distance. */
static void score_of_lowered_hand(double lower, double wrist_height, RetargetScore *score)
{
    Walk w;
    Arena arena = {0};
    ReferencePose reference;
    FootContact contact = {.frame_count = FRAMES, .normal = {0, 1, 0}};
    walk_init(&w);
    ClipView view = {.skeleton = &w.skeleton, .motion = &w.motion, .kinematics = &w.kinematics};
    assert_int_equal(reference_pose_init(&reference, &view, REFERENCE_REST, &arena, NULL), STATUS_OK);
    size_t points = (size_t)FRAMES * WALKER_JOINTS;
    Vec3 *source = malloc(points * sizeof *source), *target = malloc(points * sizeof *target);
    memcpy(source, w.kinematics.position, points * sizeof *source);
    int wrist = reference.joint[ROLE_LEFT_WRIST];
    for (int f = 0; f < FRAMES; f++)
        source[f * WALKER_JOINTS + wrist].y = wrist_height + 0.001 * (f == 70);
    memcpy(target, source, points * sizeof *source);
    for (int f = 0; f < FRAMES; f++)
        target[f * WALKER_JOINTS + wrist].y -= lower + 0.01 * (f == 30);
    ScoredPair pair = {.target = {&reference, {NULL, NULL, target, w.kinematics.orientation, WALKER_JOINTS}},
                       .source = {&reference, {NULL, NULL, source, w.kinematics.orientation, WALKER_JOINTS}},
                       .contact = &contact, .frame_count = FRAMES, .frame_time = 1.0 / 60, .scale = 1};
    *score = retarget_score_unknown();
    score_wrists(&pair, score);
    free(source);
    free(target);
    arena_free(&arena);
    walk_free(&w);
}

/* Only depth below the ground counts, and only the increase over the source. */
TEST(hand_in_the_ground_is_measured)
{
    RetargetScore score;
    score_of_lowered_hand(0.05, -0.02, &score);
    assert_near(score.wrist_depth_increase_cm, 6, 1e-9);
    assert_near(score.worst_frame[WORST_wrist_depth_increase_cm], 30, 0);
    score_of_lowered_hand(0.05, 0.04, &score);
    assert_near(score.wrist_depth_increase_cm, 2, 1e-9);
    score_of_lowered_hand(0.05, 0.5, &score);
    assert_near(score.wrist_depth_increase_cm, 0, 1e-9);
}
