/* analysis/retarget/arm_undo: ties and guards of corrections that gain nothing are dropped, those that bring a hand to
 * what it holds or take overlap off stay, and so do arms on the ground. */
#include "tests/support/test.h"

#include <math.h>

#include "analysis/retarget/arm_undo.h"
#include "tests/support/retarget_walk.h"

enum { FIRST = 50, LAST = 60, MIDDLE = 55, ELSEWHERE = 100 };

/* A walk onto itself whose left arm is turned by 20 degrees in frames FIRST to LAST - 1. */
typedef struct Turned {
    Walk walk;
    Arena arena;
    ReferencePose reference;
    FootContact contact;
    FootPair pair;
    HandPair hands;
    LimbProblem problem;
    LimbState *state[LIMB_COUNT];
    LimbTie tie[1];
    LimbGuard guard[2];
} Turned;

static void turned_init(Turned *t)
{
    *t = (Turned){0};
    walk_init(&t->walk);
    ClipView view = {.skeleton = &t->walk.skeleton, .motion = &t->walk.motion, .kinematics = &t->walk.kinematics};
    assert_int_equal(reference_pose_init(&t->reference, &view, REFERENCE_REST, &t->arena, NULL), STATUS_OK);
    t->contact = (FootContact){.frame_count = FRAMES, .frame_time = 1.0 / 60, .normal = {0, 1, 0}};
    SoledPose pose = {.position = t->walk.kinematics.position, .orientation = t->walk.kinematics.orientation,
                      .joint_count = WALKER_JOINTS};
    t->pair = (FootPair){.target = pose, .source = pose, .contact = &t->contact, .scale = 1, .leg = t->reference.leg};
    t->hands = (HandPair){.pair = &t->pair, .target = &t->reference, .source = &t->reference};
    t->problem = (LimbProblem){.frame_count = FRAMES, .frame_time = 1.0 / 60, .normal = {0, 1, 0},
                               .length = t->reference.leg, .tie = t->tie, .guard = t->guard};
    for (int side = 0; side < 2; side++) {
        int limb = LIMB_LEFT_ARM + side;
        t->problem.used[limb] = 1;
        t->problem.shape[limb] = arena_array(&t->arena, FRAMES, 1, sizeof(LimbShape));
        t->problem.goal[limb] = arena_array(&t->arena, FRAMES, 1, sizeof(LimbGoal));
        t->state[limb] = arena_array(&t->arena, FRAMES, 1, sizeof(LimbState));
        for (int f = 0; f < FRAMES; f++) {
            t->problem.shape[limb][f] = hand_goal_shape(&t->hands, side, f);
            t->problem.goal[limb][f].floor = -INFINITY;
        }
    }
    for (int f = FIRST; f < LAST; f++)
        t->state[LIMB_LEFT_ARM][f].rotation = vec3(0, 20 * PI / 180, 0);
    t->problem.guard_count = 2;
    t->guard[0] = (LimbGuard){.limb = LIMB_LEFT_ARM, .frame = MIDDLE};
    t->guard[1] = (LimbGuard){.limb = LIMB_LEFT_ARM, .frame = ELSEWHERE};
}

static void turned_free(Turned *t)
{
    arena_free(&t->arena);
    walk_free(&t->walk);
}

/* The wrist of the left arm in frame MIDDLE, as solved, m. */
static Vec3 solved_wrist(const Turned *t)
{
    const LimbShape *shape = &t->problem.shape[LIMB_LEFT_ARM][MIDDLE];
    return vec3_add(shape->root, limb_reach(shape, &t->state[LIMB_LEFT_ARM][MIDDLE]));
}

TEST(correction_without_gain_is_dropped)
{
    Turned t;
    turned_init(&t);
    assert_int_equal(arm_undo(&t.hands, t.state, &t.arena, &t.problem), 1);
    assert_int_equal(t.problem.guard_count, 1);
    assert_int_equal(t.guard[0].frame, ELSEWHERE);
    turned_free(&t);
}

TEST(correction_that_brings_a_hand_to_its_part_stays)
{
    for (int firm = 0; firm < 2; firm++) {
        Turned t;
        turned_init(&t);
        t.problem.tie_count = 1;
        t.tie[0] = (LimbTie){.limb = LIMB_LEFT_ARM, .other = -1, .frame = MIDDLE, .position = solved_wrist(&t),
                             .weight = firm ? 0.5 : 0.01};
        assert_int_equal(arm_undo(&t.hands, t.state, &t.arena, &t.problem), firm ? 0 : 2);
        turned_free(&t);
    }
}

/* Copied into the trunk by some centimetres: an arm turned out of it is worth 20 degrees from 2 cm on. */
TEST(correction_is_worth_a_centimetre_of_overlap_per_ten_degrees)
{
    for (int deep = 0; deep < 2; deep++) {
        Turned t;
        turned_init(&t);
        for (int f = FIRST; f < LAST; f++) {
            LimbShape *shape = &t.problem.shape[LIMB_LEFT_ARM][f];
            const Vec3 *x = t.walk.kinematics.position + (size_t)f * WALKER_JOINTS;
            Vec3 axis = vec3_lerp(x[0], x[11], 0.6); /* of the trunk, whose capsule and the forearm's have 11 cm */
            Vec3 wrist = vec3_add(axis, vec3(deep ? 0.06 : 0.105, 0, 0)), elbow = vec3_add(wrist, vec3(0.25, 0, 0));
            shape->lower = vec3_sub(wrist, elbow);
            shape->upper = vec3_sub(elbow, shape->root);
            t.state[LIMB_LEFT_ARM][f].rotation = vec3(0, 0, 20 * PI / 180);
        }
        assert_int_equal(arm_undo(&t.hands, t.state, &t.arena, &t.problem), deep ? 0 : 1);
        turned_free(&t);
    }
}

TEST(hand_on_the_ground_stays)
{
    Turned t;
    turned_init(&t);
    t.problem.goal[LIMB_LEFT_ARM][MIDDLE].height_weight = 0.3;
    assert_int_equal(arm_undo(&t.hands, t.state, &t.arena, &t.problem), 0);
    turned_free(&t);
}
