/* analysis/body/roles: one non-human sign is a costume, three are an animal. */
#include "tests/support/test.h"

#include "analysis/body/creature.h"
#include "analysis/body/roles.h"
#include "tests/support/skeleton_rows.h"

static int count_signs(const Skeleton *s)
{
    int signs = -1;
    assert_int_equal(creature_signs(s, &signs, NULL), STATUS_OK);
    return signs;
}

TEST(signs_of_a_creature_are_additive)
{
    Skeleton s;
    skeleton_from_rows(&s, humanoid_rows, HUMANOID_JOINTS);
    assert_int_equal(roles_assign(&s, &(RoleSigns){0}, NULL), STATUS_OK);
    assert_int_equal(count_signs(&s), 0);
    static const Role leg[] = {ROLE_LEFT_KNEE, ROLE_RIGHT_KNEE, ROLE_LEFT_ANKLE, ROLE_RIGHT_ANKLE};
    for (int i = 0; i < 4; i++) { /* short legs, relatively long arms */
        Vec3 *o = &s.offset[skeleton_find_role(&s, leg[i])];
        *o = vec3_scale(*o, 0.6);
    }
    assert_int_equal(count_signs(&s), 2); /* a toy */
    assert_int_equal(skeleton_set_name(&s, skeleton_find_role(&s, ROLE_LEFT_WRIST), "LeftPaw", NULL), STATUS_OK);
    assert_int_equal(count_signs(&s), CREATURE_NAMED);
    skeleton_free(&s);
}

TEST(unit_and_orientation_have_no_effect)
{
    for (int power = -3; power <= 3; power += 3) {
        Skeleton s;
        skeleton_from_rows(&s, humanoid_rows, HUMANOID_JOINTS);
        assert_int_equal(roles_assign(&s, &(RoleSigns){0}, NULL), STATUS_OK);
        double scale = power < 0 ? 1e-3 : power > 0 ? 1e3 : 1;
        for (int j = 0; j < s.joint_count; j++)
            s.offset[j] = vec3_scale(vec3(s.offset[j].z, s.offset[j].x, s.offset[j].y), scale);
        assert_int_equal(count_signs(&s), 0);
        skeleton_free(&s);
    }
}

TEST(skeleton_without_roles_is_no_creature)
{
    static const JointRow rows[] = {{"Tail", NULL, {0, 0, 0}, 0, {0, 0, 0}}, {"Paw", "Tail", {1, 0, 0}, 0, {0, 0, 0}}};
    Skeleton s;
    skeleton_from_rows(&s, rows, 2);
    assert_int_equal(count_signs(&s), 0);
    skeleton_free(&s);
}

/* A bird with the legs of a person by name: its trunk lies across its legs, and it has wings. */
TEST(bird_has_no_human_roles)
{
    static const JointRow rows[] = {
        {"Hips", NULL, {0, 30, 0}, 0, {0, 0, 0}},         {"Spine", "Hips", {0, 2, 6}, 0, {0, 0, 0}},
        {"Neck", "Spine", {0, 1, 9}, 0, {0, 0, 0}},       {"Head", "Neck", {0, 12, 3}, 1, {0, 0, 4}},
        {"LeftUpLeg", "Hips", {4, -2, 2}, 0, {0, 0, 0}},  {"LeftLeg", "LeftUpLeg", {0, -8, 5}, 0, {0, 0, 0}},
        {"LeftFoot", "LeftLeg", {0, -10, -7}, 1, {0, -9, 2}},
        {"RightUpLeg", "Hips", {-4, -2, 2}, 0, {0, 0, 0}}, {"RightLeg", "RightUpLeg", {0, -8, 5}, 0, {0, 0, 0}},
        {"RightFoot", "RightLeg", {0, -10, -7}, 1, {0, -9, 2}},
        {"LeftWing", "Spine", {4, 1, 6}, 1, {4, -3, -9}}, {"RightWing", "Spine", {-4, 1, 6}, 1, {-4, -3, -9}},
    };
    Skeleton s;
    RoleSigns signs;
    skeleton_from_rows(&s, rows, (int)(sizeof rows / sizeof *rows));
    assert_int_equal(roles_assign(&s, &signs, NULL), STATUS_OK);
    assert_true(signs.is_creature && !roles_are_human(&s) && !roles_are_partly_human(&s));
    skeleton_free(&s);
}

/* Birds whose wings have the names of arms; a person with long feet stays one. */
TEST(raised_heels_are_an_animals)
{
    for (int is_folded = 0; is_folded < 2; is_folded++) {
        const JointRow rows[] = {
            {"Hips", NULL, {0, 120, 0}, 0, {0, 0, 0}}, {"Spine", "Hips", {0, 3, 45}, 0, {0, 0, 0}},
            {"Neck", "Spine", {0, 15, 10}, 0, {0, 0, 0}}, {"Head", "Neck", {0, 70, 5}, 1, {0, 0, 9}},
            {"LeftArm", "Spine", {11, 0, 0}, 0, {0, 0, 0}},
            {"LeftForeArm", "LeftArm", {is_folded ? 3 : 27, 0, is_folded ? -27 : 0}, 0, {0, 0, 0}},
            {"LeftHand", "LeftForeArm", {is_folded ? 0 : 20, 0, is_folded ? 20 : 0}, 1, {4, 0, 0}},
            {"RightArm", "Spine", {-11, 0, 0}, 0, {0, 0, 0}},
            {"RightForeArm", "RightArm", {is_folded ? -3 : -27, 0, is_folded ? -27 : 0}, 0, {0, 0, 0}},
            {"RightHand", "RightForeArm", {is_folded ? 0 : -20, 0, is_folded ? 20 : 0}, 1, {-4, 0, 0}},
            {"LeftUpLeg", "Hips", {12, -5, 5}, 0, {0, 0, 0}}, {"LeftLeg", "LeftUpLeg", {3, -20, 20}, 0, {0, 0, 0}},
            {"LeftFoot", "LeftLeg", {0, -45, -20}, 0, {0, 0, 0}},
            {"LeftToeBase", "LeftFoot", {0, -42, 8}, 1, {0, 0, 9}},
            {"RightUpLeg", "Hips", {-12, -5, 5}, 0, {0, 0, 0}}, {"RightLeg", "RightUpLeg", {-3, -20, 20}, 0, {0, 0, 0}},
            {"RightFoot", "RightLeg", {0, -45, -20}, 0, {0, 0, 0}},
            {"RightToeBase", "RightFoot", {0, -42, 8}, 1, {0, 0, 9}},
        };
        Skeleton s;
        RoleSigns signs;
        skeleton_from_rows(&s, rows, (int)(sizeof rows / sizeof *rows));
        assert_int_equal(roles_assign(&s, &signs, NULL), STATUS_OK);
        assert_true(signs.is_creature && !roles_are_human(&s));
        skeleton_free(&s);
    }
    Skeleton s;
    RoleSigns signs;
    skeleton_from_rows(&s, humanoid_rows, HUMANOID_JOINTS);
    for (int j = 0; j < s.joint_count; j++)
        if (strstr(s.name[j], "ToeBase"))
            s.offset[j] = vec3_scale(s.offset[j], 2);
    assert_int_equal(roles_assign(&s, &signs, NULL), STATUS_OK);
    assert_true(!signs.is_creature && roles_are_human(&s));
    skeleton_free(&s);
}
