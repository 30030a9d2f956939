/* analysis/retarget/viewer_score: equal motions score zero, and each planted fault is seen by its score and by no
 * other. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/retarget/root_placement.h"
#include "analysis/retarget/viewer_score.h"
#include "tests/support/retarget_walk.h"
#include "tests/support/walker.h"

enum { CHEST = 10, HEAD = 12, LEFT_THIGH = 1, LEFT_TOE = 4, RIGHT_FOREARM = 17, RIGHT_HAND = 18, LEFT_ARM = 13 };

/* A walk scored against itself, with poses of the target to change. */
typedef struct Scored {
    Walk walk;
    Arena arena;
    ReferencePose reference;
    Kinematics target;
    FootContact contact;
    FootOutline outline[FOOT_COUNT];
    ClipView body;
} Scored;

static void scored_init(Scored *s)
{
    DifferenceDef def = difference_default_def();
    *s = (Scored){0};
    walk_init(&s->walk);
    s->body = (ClipView){.skeleton = &s->walk.skeleton, .motion = &s->walk.motion, .kinematics = &s->walk.kinematics};
    assert_int_equal(reference_pose_init(&s->reference, &s->body, REFERENCE_REST, &s->arena, NULL), STATUS_OK);
    assert_int_equal(differentiate(&s->body, &def, &s->target, NULL), STATUS_OK);
    foot_outline_init(s->outline, s->body.skeleton, &s->arena);
    assert_int_equal(foot_contact_init(&s->contact, &s->body, &s->walk.contact, &s->arena, NULL), STATUS_OK);
}

static RetargetScore scored_measure(Scored *s)
{
    RetargetScore score = retarget_score_unknown();
    const Kinematics *k = &s->walk.kinematics;
    ScoredPair pair = {{&s->reference, {NULL, s->outline, s->target.position, s->target.orientation, WALKER_JOINTS}},
                       {&s->reference, {NULL, s->outline, k->position, k->orientation, WALKER_JOINTS}},
                       &s->contact, FRAMES, s->walk.motion.frame_time, 1};
    assert_int_equal(viewer_score(&pair, &s->body, &s->body, &score, NULL), STATUS_OK);
    return score;
}

static void scored_free(Scored *s)
{
    kinematics_free(&s->target);
    arena_free(&s->arena);
    walk_free(&s->walk);
}

/* Turns a joint by an angle about an axis of its own in all frames. */
static void turn(Scored *s, int joint, Vec3 axis, double degrees)
{
    for (int f = 0; f < FRAMES; f++) {
        Quat *q = &s->target.orientation[f * WALKER_JOINTS + joint];
        *q = quat_mul(*q, quat_from_axis_angle(axis, degrees * PI / 180));
    }
}

TEST(equal_motions_score_zero)
{
    Scored s;
    (void)state;
    scored_init(&s);
    RetargetScore score = scored_measure(&s);
    const double zero[] = {score.facing_pelvis_deg, score.facing_chest_deg, score.facing_head_deg,
                           score.facing_thigh_deg, score.facing_forearm_deg, score.facing_hand_deg,
                           score.sink_increase_cm, score.girdle_width_change};
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++)
        assert_near(zero[i], 0, 1e-6);
    assert_true(isnan(score.hands_apart_cm)); /* they are never close */
    scored_free(&s);
}

TEST(turned_segment_is_seen_by_its_score_alone)
{
    Scored s;
    (void)state;
    scored_init(&s);
    turn(&s, CHEST, vec3(0, 1, 0), 170);
    RetargetScore score = scored_measure(&s);
    assert_near(score.facing_chest_deg, 170, 1e-6);
    assert_near(score.facing_pelvis_deg, 0, 1e-6);
    for (int f = 70; f < 72; f++) {
        Quat *q = &s.target.orientation[f * WALKER_JOINTS];
        *q = quat_mul(*q, quat_from_axis_angle(vec3(0, 1, 0), 0.3 * (f - 69)));
    }
    score = scored_measure(&s);
    assert_near(score.worst_frame[WORST_facing_pelvis_deg], 71, 0);
    turn(&s, HEAD, vec3(0, 1, 0), -60);
    turn(&s, LEFT_THIGH, vec3(0, 1, 0), 100);
    turn(&s, RIGHT_FOREARM, vec3(1, 0, 0), 80);
    turn(&s, RIGHT_HAND, vec3(1, 0, 0), 50);
    score = scored_measure(&s);
    assert_near(score.facing_head_deg, 60, 1e-6);
    assert_near(score.facing_thigh_deg, 100, 1e-6);
    assert_near(score.facing_forearm_deg, 80, 1e-6);
    assert_near(score.facing_hand_deg, 50, 1e-6);
    scored_free(&s);
}

TEST(toe_under_the_floor_is_seen)
{
    Scored s;
    (void)state;
    scored_init(&s);
    for (int f = 50; f < 60; f++) /* and its end with it */
        s.target.position[f * WALKER_JOINTS + LEFT_TOE].y -= 0.5;
    RetargetScore score = scored_measure(&s);
    assert_true(score.sink_increase_cm > 30 && score.sink_increase_cm < 50 + 1e-6);
    double frame = score.worst_frame[WORST_sink_increase_cm];
    assert_true(frame >= 50 && frame < 60);
    scored_free(&s);
}

TEST(narrow_girdle_and_hands_apart_are_seen)
{
    Scored s;
    (void)state;
    scored_init(&s);
    for (int f = 0; f < FRAMES; f++) {
        Vec3 *x = &s.target.position[f * WALKER_JOINTS];
        x[LEFT_ARM] = vec3_lerp(x[LEFT_ARM], x[LEFT_ARM + 3], 0.3);
        s.walk.kinematics.position[f * WALKER_JOINTS + RIGHT_HAND] =
            vec3_add(x[RIGHT_HAND - 3], vec3(0.1, 0, 0)); /* the source's hands are 10 cm apart */
    }
    RetargetScore score = scored_measure(&s);
    assert_near(score.girdle_width_change, 0.3, 1e-8);
    assert_true(score.hands_apart_cm > 20);
    scored_free(&s);
}

/* A root at the hips is scored against the source's hips; lifted and shifted ones are seen, and where. */
TEST(root_off_its_position_is_seen)
{
    Scored s;
    (void)state;
    scored_init(&s);
    RetargetScore score = retarget_score_unknown();
    Motion *motion = &s.walk.motion, moved;
    BodiesInMotion of = {&s.body, &s.body, motion};
    assert_int_equal(viewer_score_root(&of, ROOT_AUTO, 1, &score, NULL), STATUS_OK);
    assert_near(score.root_height_cm, 0, 1e-9);
    assert_near(score.root_path_cm, 0, 1e-9);
    assert_int_equal(motion_init(&moved, FRAMES, WALKER_JOINTS, motion->frame_time, 0, NULL), STATUS_OK);
    memcpy(moved.root_position, motion->root_position, FRAMES * sizeof *moved.root_position);
    moved.root_position[40].y += 0.25;
    moved.root_position[90] = vec3_add(moved.root_position[90], vec3(0.3, 0, -0.4));
    of.motion = &moved;
    assert_int_equal(viewer_score_root(&of, ROOT_AUTO, 1, &score, NULL), STATUS_OK);
    assert_near(score.root_height_cm, 25, 1e-9);
    assert_near(score.root_path_cm, 50, 1e-9);
    assert_near(score.worst_frame[WORST_root_height_cm], 40, 0);
    assert_near(score.worst_frame[WORST_root_path_cm], 90, 0);
    RetargetScore in_place = retarget_score_unknown(); /* its path is taken out on purpose */
    assert_int_equal(viewer_score_root(&of, ROOT_MOTION_IN_PLACE, 1, &in_place, NULL), STATUS_OK);
    assert_true(isnan(in_place.root_path_cm));
    /* a root that stays is seen when it travels */
    assert_int_equal(viewer_score_root(&of, ROOT_MOTION_HIPS, 1, &score, NULL), STATUS_OK);
    assert_true(score.root_path_cm > 100);
    motion_free(&moved);
    scored_free(&s);
}
