/* analysis/body/roles: one joint in the naming schemes of many origins, and names without meaning. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/body/role_name.h"

/* Weight with which a name proposes a role; 0 if it does not. */
static int weight(const char *name, Role role)
{
    RoleGuess guess[ROLE_GUESSES];
    int count = role_name_guess(name, guess);
    for (int i = 0; i < count; i++)
        if (guess[i].role == role)
            return guess[i].weight;
    return 0;
}

TEST(every_thigh_spelling_is_left_hip)
{
    static const char *const names[] = {
        "LeftUpLeg", "mixamorig:LeftUpLeg", "mixamorig12:LeftUpLeg", "mixamorig_LeftUpLeg", "Character1_LeftUpLeg",
        "UpLeg_L", "UpperLeg_L", "upperleg01.L", "LeftUpperLeg", "J_Bip_L_UpperLeg", "lThigh", "lThighBend", "LThigh",
        "CC_Base_L_Thigh", "Bip01 L Thigh", "Bip01_L_Thigh", "ValveBiped.Bip01_L_Thigh", "thigh_l", "thigh.L",
        "DEF-thigh.L", "DEF-thigh.L.001", "L_Hip", "lHip", "lhip", "left_hip", "LEFT_HIP#", "HipLeft", "m_avg_L_Hip",
        "lfemur", "femur_l", "b_LeftLegUpper", "Skeleton|LeftUpLeg", "LeftUpLeg_jnt", "\xe5\xb7\xa6\xe8\xb6\xb3",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!weight(names[i], ROLE_LEFT_HIP))
            print_error("%s\n", names[i]);
        assert_true(weight(names[i], ROLE_LEFT_HIP) > 0);
        assert_int_equal(weight(names[i], ROLE_RIGHT_HIP), 0);
        assert_int_equal(weight(names[i], ROLE_HIPS), 0);
    }
}

TEST(segment_names_have_their_roles)
{
    static const struct {
        const char *name;
        Role role;
    } rows[] = {
        {"RightForeArm", ROLE_RIGHT_ELBOW}, {"lowerarm_r", ROLE_RIGHT_ELBOW}, {"RFArm", ROLE_RIGHT_ELBOW},
        {"R_Elbow", ROLE_RIGHT_ELBOW},      {"rShldr", ROLE_RIGHT_SHOULDER},  {"LUArm", ROLE_LEFT_SHOULDER},
        {"rTorso_Clavicle", ROLE_RIGHT_CLAVICLE}, {"Bip01 R Clavicle", ROLE_RIGHT_CLAVICLE},
        {"RCollar", ROLE_RIGHT_CLAVICLE},
        {"calf_r", ROLE_RIGHT_KNEE},        {"RightLowLeg", ROLE_RIGHT_KNEE}, {"LoLeg_R", ROLE_RIGHT_KNEE},
        {"rShin", ROLE_RIGHT_KNEE},         {"RightToeBase", ROLE_RIGHT_TOE}, {"ball_r", ROLE_RIGHT_TOE},
        {"Bip01 R Toe0", ROLE_RIGHT_TOE},   {"rToeJoint", ROLE_RIGHT_TOE},    {"FootRight", ROLE_RIGHT_ANKLE},
        {"WristRight", ROLE_RIGHT_WRIST},   {"Hips", ROLE_HIPS},              {"Bip01 Pelvis", ROLE_HIPS},
        {"SpineBase", ROLE_HIPS},           {"RootJoint", ROLE_HIPS},         {"pelvis_lowerback", ROLE_SPINE},
        {"spine_01", ROLE_SPINE},           {"L5", ROLE_SPINE},               {"abdomen", ROLE_SPINE},
        {"Spine1_M", ROLE_SPINE},           {"J_Bip_C_UpperChest", ROLE_CHEST}, {"T8", ROLE_CHEST},
        {"CC_Base_NeckTwist01", ROLE_NECK}, {"torso_head", ROLE_HEAD},        {"mixamorig:Head", ROLE_HEAD},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!weight(rows[i].name, rows[i].role))
            print_error("%s\n", rows[i].name);
        assert_true(weight(rows[i].name, rows[i].role) > 0);
    }
}

TEST(helper_joints_have_no_role)
{
    static const char *const names[] = {
        "", "#", "__UpLeg_L", "CC_Base_L_ThighTwist01", "L_Femur_RIGMESH", "Pelvis_RIGMESH", "CC_Base_L_KneeShareBone",
        "LeftHandIndex1", "LeftHandThumb2", "HeadTop_End", "Bip01_HeadNub", "LeftEye", "Bip01_Footsteps", "ik_foot_l",
        "LeftFootEnd", "LeftHand_End", "J17", "Joint", "upperarm_twist_01_l", "lButtock", "Dog_LeftArmor002",
    };
    RoleGuess guess[ROLE_GUESSES];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (role_name_guess(names[i], guess))
            print_error("%s\n", names[i]);
        assert_int_equal(role_name_guess(names[i], guess), 0);
    }
    char endless[5000];
    memset(endless, 'l', sizeof endless - 1);
    endless[sizeof endless - 1] = 0;
    assert_int_equal(role_name_guess(endless, guess), 0);
}

TEST(name_tables_are_sorted)
{
    for (int i = 1; i < role_words_count; i++)
        assert_true(strcmp(role_words[i - 1].name, role_words[i].name) <= 0);
    for (int i = 1; i < role_marks_count; i++)
        assert_true(strcmp(role_marks[i - 1].word, role_marks[i].word) <= 0);
}

TEST(animal_words_are_recognized)
{
    assert_string_equal(role_name_creature_word("b_Tail001"), "tail");
    assert_string_equal(role_name_creature_word("LeftFrontPaw"), "paw");
    assert_null(role_name_creature_word("Ponytail_03"));
}

TEST(side_is_read_from_any_word)
{
    static const struct {
        const char *name;
        int side;
    } names[] = {{"Oberschenkel.L", -1}, {"左大腿", -1}, {"右小腿", 1}, {"Rechtes_Knie", 1}, {"MusloIzq", -1},
                 {"linkebein", -1}, {"lThigh", -1}, {"Bone.012", 0}, {"j00", 0}, {"Becken", 0}, {"Lumbar", 0},
                 {"Shoulder", 0}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (role_name_side(names[i].name) != names[i].side)
            fail_msg("%s: %d", names[i].name, role_name_side(names[i].name));
}
