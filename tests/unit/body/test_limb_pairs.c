/* analysis/body/limb_pairs: mirror pairs of limbs in a tree. */
#include "tests/support/test.h"

#include "analysis/body/limb_pairs.h"
#include "analysis/math/quat.h"
#include "tests/support/skeleton_rows.h"

static int find(const JointRow *rows, int count, Skeleton *s, LimbPair pair[LIMB_PAIRS_MAX])
{
    Arena arena = {0};
    skeleton_from_rows(s, rows, count);
    int found = limb_pairs_find(s, NULL, pair, &arena);
    arena_free(&arena);
    return found;
}

static const char *name_at(const Skeleton *s, const LimbPair *pair, int limb, int point)
{
    return s->name[pair->point[limb][point]];
}

TEST(legs_and_arms_of_a_figure_are_pairs)
{
    LimbPair pair[LIMB_PAIRS_MAX];
    Skeleton s;
    assert_int_equal(find(humanoid_rows, HUMANOID_JOINTS, &s, pair), 2);
    assert_string_equal(s.name[pair[0].joint], "Hips");
    assert_string_equal(name_at(&s, &pair[0], 0, pair[0].top), "LeftUpLeg");
    assert_string_equal(name_at(&s, &pair[0], 1, pair[0].top), "RightUpLeg");
    assert_near(limb_pair_length(&pair[0]), 0.84, 1e-12);
    assert_string_equal(s.name[pair[1].joint], "Spine2");
    assert_string_equal(name_at(&s, &pair[1], 0, pair[1].top), "LeftArm");
    assert_near(limb_pair_length(&pair[1]), 0.545, 1e-12);
    skeleton_free(&s);
}

/* A helper or an end site of one side alone, however far, does not hide a pair. */
TEST(helpers_of_one_side_have_no_effect)
{
    JointRow rows[HUMANOID_JOINTS + 2];
    LimbPair pair[LIMB_PAIRS_MAX], plain[LIMB_PAIRS_MAX];
    Skeleton s;
    memcpy(rows, humanoid_rows, sizeof humanoid_rows);
    rows[HUMANOID_JOINTS] = (JointRow){"Mesh", "RightForeArm", {1.6, 0, 0}, 1, {0.5, 0, 0}};
    rows[HUMANOID_JOINTS + 1] = (JointRow){"Knot", "LeftLeg", {0, 0, 0.9}, 0, {0, 0, 0}};
    find(humanoid_rows, HUMANOID_JOINTS, &s, plain);
    skeleton_free(&s);
    assert_int_equal(find(rows, HUMANOID_JOINTS + 2, &s, pair), 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pair[i].joint, plain[i].joint);
        assert_int_equal(pair[i].point[0][pair[i].top], plain[i].point[0][plain[i].top]);
        assert_near(pair[i].reach, plain[i].reach, 1e-12);
    }
    skeleton_free(&s);
}

/* Spine and arm as long as thigh and shank within the likeness of equal bones are no counterpart of a leg; twist joints
 * a few millimetres apart are those of equal limbs. */
TEST(leg_is_no_counterpart_of_spine_and_arm)
{
    static const JointRow rows[] = {
        {"Hips", NULL, {0, 1, 0}, 0, {0, 0, 0}},
        {"Spine", "Hips", {-0.12, 0.07, 0}, 0, {0, 0, 0}},
        {"LeftArm", "Spine", {0, 0.36, 0.22}, 0, {0, 0, 0}},
        {"LeftForeArm", "LeftArm", {0, -0.34, 0}, 0, {0, 0, 0}},
        {"LeftTwist", "LeftForeArm", {0, -0.03, 0}, 0, {0, 0, 0}},
        {"LeftHand", "LeftTwist", {0, -0.22, 0}, 1, {0, -0.13, 0}},
        {"RightArm", "Spine", {0, 0.36, -0.22}, 0, {0, 0, 0}},
        {"RightForeArm", "RightArm", {0, -0.32, 0}, 0, {0, 0, 0}},
        {"RightTwist", "RightForeArm", {0, -0.025, 0}, 0, {0, 0, 0}},
        {"RightHand", "RightTwist", {0, -0.225, 0}, 1, {0, -0.12, 0}},
        {"LeftUpLeg", "Hips", {-0.07, -0.07, 0.09}, 0, {0, 0, 0}},
        {"LeftLeg", "LeftUpLeg", {0, -0.385, 0}, 0, {0, 0, 0}},
        {"LeftFoot", "LeftLeg", {0, -0.372, 0}, 1, {0.11, -0.04, 0}},
        {"RightUpLeg", "Hips", {-0.07, -0.07, -0.09}, 0, {0, 0, 0}},
        {"RightLeg", "RightUpLeg", {0, -0.384, 0}, 0, {0, 0, 0}},
        {"RightFoot", "RightLeg", {0, -0.371, 0}, 1, {0.11, -0.04, 0}},
    };
    LimbPair pair[LIMB_PAIRS_MAX];
    Skeleton s;
    assert_int_equal(find(rows, sizeof rows / sizeof *rows, &s, pair), 2);
    assert_string_equal(name_at(&s, &pair[0], 0, pair[0].top), "LeftUpLeg");
    assert_string_equal(name_at(&s, &pair[0], 1, pair[0].top), "RightUpLeg");
    assert_string_equal(name_at(&s, &pair[1], 0, pair[1].top), "LeftArm");
    assert_string_equal(name_at(&s, &pair[1], 1, pair[1].top), "RightArm");
    skeleton_free(&s);
}

/* The offset of hips below a root, which may be a place in the world, has no effect. */
TEST(root_far_away_has_no_effect)
{
    JointRow rows[HUMANOID_JOINTS + 1] = {{"World", NULL, {0, 0, 0}, 0, {0, 0, 0}}};
    LimbPair pair[LIMB_PAIRS_MAX];
    Skeleton s;
    memcpy(rows + 1, humanoid_rows, sizeof humanoid_rows);
    rows[1].parent = "World";
    rows[1].offset = vec3(0, 1, -50);
    assert_int_equal(find(rows, HUMANOID_JOINTS + 1, &s, pair), 2);
    assert_string_equal(s.name[pair[1].joint], "Spine2");
    skeleton_free(&s);
}

/* Twist joints near the elbows are no points of the limbs: the bones go on to the wrists. */
TEST(helpers_within_limbs_are_left_out)
{
    JointRow rows[HUMANOID_JOINTS + 2];
    LimbPair pair[LIMB_PAIRS_MAX];
    Skeleton s;
    int count = 0;
    for (int i = 0; i < HUMANOID_JOINTS; i++) {
        int is_left = strcmp(humanoid_rows[i].name, "LeftHand") == 0;
        rows[count] = humanoid_rows[i];
        if (!is_left && strcmp(humanoid_rows[i].name, "RightHand") != 0) {
            count++;
            continue;
        }
        rows[count + 1] = humanoid_rows[i];
        rows[count + 1].offset.x *= 0.9;
        rows[count].name = rows[count + 1].parent = is_left ? "LeftTwist" : "RightTwist";
        rows[count].offset.x *= 0.1;
        rows[count].has_end = 0;
        count += 2;
    }
    assert_int_equal(find(rows, count, &s, pair), 2);
    assert_string_equal(name_at(&s, &pair[1], 0, pair[1].top + 1), "LeftForeArm");
    assert_string_equal(name_at(&s, &pair[1], 1, pair[1].top + 2), "RightHand");
    assert_near(limb_pair_length(&pair[1]), 0.545, 1e-12);
    skeleton_free(&s);
}

/* A twist joint in the middle of a bone does not bend in the motion. A wrist that never moves ends its bone all the
 * same. */
TEST(points_that_never_bend_are_left_out_where_bones_become_alike)
{
    for (int moves = 0; moves < 2; moves++) {
        static const JointRow rows[] = {
            {"chest", NULL, {0, 1, 0}, 0, {0, 0, 0}},
            {"l1", "chest", {0.2, 0, 0}, 0, {0, 0, 0}}, {"l2", "l1", {0.28, 0, 0}, 0, {0, 0, 0}},
            {"l3", "l2", {0.13, 0, 0}, 0, {0, 0, 0}}, {"l4", "l3", {0.13, 0, 0}, 0, {0, 0, 0}},
            {"l5", "l4", {0.1, 0, 0}, 1, {0.08, 0, 0}},
            {"r1", "chest", {-0.2, 0, 0}, 0, {0, 0, 0}}, {"r2", "r1", {-0.28, 0, 0}, 0, {0, 0, 0}},
            {"r3", "r2", {-0.13, 0, 0}, 0, {0, 0, 0}}, {"r4", "r3", {-0.13, 0, 0}, 0, {0, 0, 0}},
            {"r5", "r4", {-0.1, 0, 0}, 1, {-0.08, 0, 0}}};
        enum { JOINTS = sizeof rows / sizeof *rows, FRAMES = 20 };
        Arena arena = {0};
        LimbPair pair[LIMB_PAIRS_MAX];
        unsigned char straight[JOINTS];
        Skeleton s;
        Motion m;
        skeleton_from_rows(&s, rows, JOINTS);
        assert_int_equal(motion_init(&m, FRAMES, JOINTS, 0.1, 0, NULL), STATUS_OK);
        for (int f = 0; f < FRAMES; f++)
            for (int j = 0; j < JOINTS; j++) {
                int is_elbow = j == 2 || j == 7, is_twist = j == 3 || j == 8;
                Vec3 axis = is_twist ? vec3(1, 0, 0) : vec3(0, 0, 1);
                double angle = moves && (is_elbow || is_twist) ? 0.05 * f : 0;
                m.rotation[motion_index(&m, f, j)] = quat_from_axis_angle(axis, angle);
            }
        limb_pairs_find_straight(&s, &m, straight);
        assert_int_equal(straight[3], !moves); /* beyond the elbow */
        assert_true(straight[4] && straight[5]);
        assert_int_equal(limb_pairs_find(&s, straight, pair, &arena), 1);
        assert_string_equal(name_at(&s, &pair[0], 0, pair[0].top), "l1");
        assert_string_equal(name_at(&s, &pair[0], 0, pair[0].top + 1), "l2");
        assert_string_equal(name_at(&s, &pair[0], 1, pair[0].top + 2), "r4");
        assert_near(limb_pair_length(&pair[0]), 0.54, 1e-12);
        arena_free(&arena);
        skeleton_free(&s);
        motion_free(&m);
    }
}

/* Clavicles that begin at one point are none of the long bones, however long. */
TEST(limbs_begin_apart)
{
    JointRow rows[HUMANOID_JOINTS];
    LimbPair pair[LIMB_PAIRS_MAX];
    Skeleton s;
    memcpy(rows, humanoid_rows, sizeof humanoid_rows);
    for (int i = 0; i < HUMANOID_JOINTS; i++) {
        int side = strncmp(rows[i].name, "Left", 4) == 0 ? 1 : -1;
        if (strstr(rows[i].name, "Shoulder"))
            rows[i].offset = vec3(0, 0, 0);
        else if (strstr(rows[i].name, "ForeArm"))
            rows[i].offset = vec3(side * 0.31, 0, 0);
        else if (strstr(rows[i].name, "Arm"))
            rows[i].offset = vec3(side * 0.25, 0, 0);
        else if (strstr(rows[i].name, "Hand"))
            rows[i].offset = vec3(side * 0.14, 0, 0);
    }
    assert_int_equal(find(rows, HUMANOID_JOINTS, &s, pair), 2);
    assert_string_equal(name_at(&s, &pair[1], 0, pair[1].top), "LeftArm");
    skeleton_free(&s);
}

TEST(chain_has_no_pairs)
{
    static const JointRow rows[] = {
        {"a", NULL, {0, 0, 0}, 0, {0, 0, 0}}, {"b", "a", {0, 1, 0}, 0, {0, 0, 0}}, {"c", "b", {0, 1, 0}, 1, {0, 1, 0}}};
    LimbPair pair[LIMB_PAIRS_MAX];
    Skeleton s;
    assert_int_equal(find(rows, 3, &s, pair), 0);
    skeleton_free(&s);
}
