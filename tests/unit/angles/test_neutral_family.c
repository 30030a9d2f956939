/* analysis/angles/neutral_angles, neutral_family: compact encoding of a pose, and the common neutral pose of the
 * clips of one skeleton. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/angles/clip_body.h"
#include "analysis/angles/neutral_angles.h"
#include "analysis/angles/neutral_family.h"
#include "analysis/angles/neutral_pose.h"
#include "analysis/detect/import_guess.h"
#include "pipeline/stages/pipeline.h"
#include "tests/support/walker.h"

enum { CHEST = 10, LEFT_FOOT = 3, RIGHT_FOOT = 7, STORED = 19 };

static Quat about_left(double degrees) { return quat_from_axis_angle(vec3(1, 0, 0), degrees * (PI / 180)); }

/* A vote of the walker with a tilted left foot; s of flat-foot time. */
static NeutralVote vote_of(double tilt, double flat)
{
    NeutralVote vote = {.angles.count = STORED, .flat = flat, .pelvis = 0, .trunk = CHEST,
                        .foot = {LEFT_FOOT, RIGHT_FOOT}};
    neutral_angles_set(&vote.angles, LEFT_FOOT, about_left(tilt));
    return vote;
}

TEST(joints_with_roles_at_or_below_are_stored)
{
    Skeleton s;
    int joint[NEUTRAL_JOINTS];
    walker_skeleton(&s);
    assert_int_equal(neutral_angles_joints(&s, joint), STORED); /* all but the head's tip */
    s.role[13] = ROLE_NONE; /* the shoulder: the elbow below it has a role */
    assert_int_equal(neutral_angles_joints(&s, joint), STORED);
    s.role[15] = ROLE_NONE; /* the hand */
    assert_int_equal(neutral_angles_joints(&s, joint), STORED - 1);
    assert_int_equal(joint[15], 16);
    skeleton_free(&s);
}

TEST(text_encodes_the_angles)
{
    static const char *const wrong[] = {"",      "1,2",     "1,2,3/", "1,2,3/4,5", "1;2;3",
                                        "1,,3", "1,2,181", "a,b,c",  "1,2,3,4"};
    NeutralAngles a = {.count = 2, .tenth = {{0, -5, 1800}, {-123, 40, -1}}}, b;
    char text[NEUTRAL_TEXT_SIZE];
    neutral_angles_print(&a, text);
    assert_string_equal(text, "0,-0.5,180/-12.3,4,-0.1");
    assert_true(neutral_angles_scan(text, &b));
    assert_memory_equal(&a, &b, sizeof a);
    assert_true(neutral_angles_scan("1.26,-2.04,3", &b));
    assert_int_equal(b.tenth[0][0], 13);
    assert_int_equal(b.tenth[0][1], -20);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(neutral_angles_scan(wrong[i], &b));
    for (int i = 0; i < 3 * (NEUTRAL_JOINTS + 1); i++)
        strcpy(text + 2 * i, i % 3 == 2 ? "1/" : "1,");
    text[6 * NEUTRAL_JOINTS + 5] = 0;
    assert_false(neutral_angles_scan(text, &b)); /* one joint too many */
}

TEST(outlier_moves_the_mean_by_2_degrees)
{
    const NeutralVote vote[] = {vote_of(4, 2), vote_of(60, 2), vote_of(6, 2), vote_of(5, 2)};
    Family family = {0};
    neutral_family_decide(vote, 4, &family);
    assert_int_equal(family.neutral.count, STORED);
    /* robust mean: three votes pull back with s / (s^2 + 0.05^2)^(1/2) each (half angles), the outlier with 1: 2.0
     * degrees */
    assert_true(family.neutral.tenth[LEFT_FOOT][0] >= 69 && family.neutral.tenth[LEFT_FOOT][0] <= 71);
    assert_int_equal(family.neutral.tenth[RIGHT_FOOT][0], 0);
    assert_near(family.neutral_confidence, 0.75, 1e-12);
}

TEST(feet_are_weighted_by_flat_time)
{
    const NeutralVote vote[] = {vote_of(0, 0.01), vote_of(3, 10)};
    Family family = {0};
    neutral_family_decide(vote, 2, &family);
    assert_true(family.neutral.tenth[LEFT_FOOT][0] >= 26 && family.neutral.tenth[LEFT_FOOT][0] <= 30);
}

TEST(uncertain_clips_have_no_vote)
{
    NeutralVote vote[] = {vote_of(20, 1), vote_of(5, 1)};
    Family family = {0};
    vote[0].doubt.trunk = 0.1;
    neutral_family_decide(vote, 2, &family);
    assert_memory_equal(&family.neutral, &vote[1].angles, sizeof family.neutral); /* one vote: unchanged */
    vote[1].doubt.foot = 0.1;
    family = (Family){0};
    neutral_family_decide(vote, 2, &family);
    assert_true(family.neutral_confidence == 0 && family.neutral.count == 0);
}

TEST(clip_contradicts_by_a_tilt_beyond_the_spread)
{
    NeutralVote own = vote_of(0, 10), near = vote_of(12, 10), far = vote_of(40, 10);
    assert_true(neutral_family_contradiction(&own, &own.angles) == 0);
    assert_true(neutral_family_contradiction(&near, &own.angles) < 0.5);
    assert_true(neutral_family_contradiction(&far, &own.angles) >= FAMILY_DISSENT);
    far.flat = 0.01; /* little flat-foot time */
    assert_true(neutral_family_contradiction(&far, &own.angles) < FAMILY_DISSENT);
    neutral_angles_set(&near.angles, RIGHT_FOOT, quat_from_axis_angle(vec3(0, 1, 0), 1)); /* toes out, no tilt */
    assert_true(neutral_family_contradiction(&near, &own.angles) < 0.5);
    neutral_angles_set(&near.angles, CHEST, about_left(25));
    assert_true(neutral_family_contradiction(&near, &own.angles) >= FAMILY_DISSENT);
}

static Clip opened(const char *path)
{
    Pipeline pipeline = pipeline_defaults();
    Clip clip;
    Error err;
    assert_int_equal(pipeline_open(&pipeline, path, &clip, NULL, &err), STATUS_OK);
    return clip;
}

/* The pose is the same with joint positions from the kinematics or from the rotations. */
TEST(kinematics_do_not_change_the_neutral_pose)
{
    Clip walk = opened("data/walk.bvh");
    Pipeline pipeline = pipeline_defaults();
    Error err;
    NeutralPose with, without;
    Arena arena = {0};
    assert_int_equal(pipeline_run(&pipeline, &walk, NULL, &err), STATUS_OK);
    ClipView view = clip_view(&walk), bare = view;
    bare.kinematics = NULL;
    assert_int_equal(neutral_pose_of_motion(&with, &view, &arena, &err), STATUS_OK);
    assert_int_equal(neutral_pose_of_motion(&without, &bare, &arena, &err), STATUS_OK);
    assert_true(with.from.frames > 1 && with.flat > 0.1);
    assert_int_equal(with.from.frame, without.from.frame);
    assert_int_equal(with.from.frames, without.from.frames);
    assert_near(with.flat, without.flat, 1e-9);
    for (int role = 0; role < ROLE_COUNT; role++)
        assert_near(fabs(quat_dot(with.swing[role], without.swing[role])), 1, 1e-12);
    arena_free(&arena);
    clip_free(&walk);
}

/* Encoded angles reproduce the clip's own pose to their resolution, also for another clip of the skeleton. */
TEST(given_neutral_pose_determines_the_body)
{
    Clip walk = opened("data/walk.bvh"), squat = opened("data/squat.bvh");
    ClipView view[] = {clip_view(&walk), clip_view(&squat)};
    BodyDef def = body_default_def();
    Body own, given, other;
    NeutralVote vote;
    NeutralDoubt doubt;
    Error err;
    assert_int_equal(body_from_clip(&view[0], &def, &own, NULL, &err), STATUS_OK);
    assert_int_equal(neutral_vote_cast(&view[0], &vote, &err), STATUS_OK);
    def.neutral = &vote.angles;
    assert_int_equal(body_from_clip(&view[0], &def, &given, &doubt, &err), STATUS_OK);
    assert_int_equal(body_from_clip(&view[1], &def, &other, NULL, &err), STATUS_OK);
    assert_true(doubt.trunk == 0 && doubt.foot == 0);
    for (int j = 0; j < own.joint_count; j++) {
        assert_near(given.mass[j], own.mass[j], 2e-3 * own.total_mass);
        assert_true(vec3_distance(given.com[j], own.com[j]) < 1e-3);
        assert_true(given.mass[j] == other.mass[j]);
        assert_memory_equal(&given.com[j], &other.com[j], sizeof(Vec3));
        assert_memory_equal(&given.inertia[j], &other.inertia[j], sizeof(Sym3));
    }
    vote.angles.count--;
    body_free(&other);
    assert_int_equal(body_from_clip(&view[1], &def, &other, NULL, &err), STATUS_USAGE);
    body_free(&own);
    body_free(&given);
    clip_free(&walk);
    clip_free(&squat);
}
