/* analysis/body/roles: conflicting conventions, trees without names, non-human trees. */
#include "tests/support/test.h"

#include <stdio.h>

#include "analysis/body/role_shape.h"
#include "analysis/body/roles.h"
#include "tests/support/skeleton_rows.h"

static const char *holder(const Skeleton *s, Role role)
{
    int j = skeleton_find_role(s, role);
    return j < 0 ? "" : s->name[j];
}

static Role role_of(const Skeleton *s, const char *name) { return s->role[skeleton_find(s, name)]; }
static Role segment_of(const Skeleton *s, const char *name) { return s->segment[skeleton_find(s, name)]; }

#define ASSIGN(s, rows)                                                     \
    skeleton_from_rows(&(s), (rows), (int)(sizeof(rows) / sizeof *(rows))); \
    assert_int_equal(roles_assign(&(s), &(RoleSigns){0}, NULL), STATUS_OK)

TEST(each_role_of_a_figure_is_found_once)
{
    Skeleton s;
    int count[ROLE_COUNT] = {0};
    ASSIGN(s, humanoid_rows);
    for (int j = 0; j < s.joint_count; j++)
        count[s.role[j]]++;
    for (int r = 1; r < ROLE_COUNT; r++)
        assert_int_equal(count[r], 1);
    assert_int_equal(count[ROLE_NONE], 1);
    assert_int_equal(segment_of(&s, "Spine1"), ROLE_SPINE);
    assert_string_equal(holder(&s, ROLE_LEFT_CLAVICLE), "LeftShoulder");
    assert_string_equal(holder(&s, ROLE_CHEST), "Spine2");
    assert_true(roles_are_human(&s));
    skeleton_free(&s);
}

/* Joint names of the human skeleton by origin; %s is replaced by left and right. */
typedef struct Naming {
    const char *left, *right, *middle[6], *limb[8];
} Naming;

static const Naming namings[] = {
    {"L_%s",
     "R_%s",
     {"Pelvis", "Spine1", "Spine2", "Spine3", "Neck", "Head"}, /* SMPL */
     {"Collar", "Shoulder", "Elbow", "Wrist", "Hip", "Knee", "Ankle", "Foot"}},
    {"%s_l",
     "%s_r",
     {"pelvis", "spine_01", "spine_02", "spine_03", "neck_01", "head"}, /* Unreal */
     {"clavicle", "upperarm", "lowerarm", "hand", "thigh", "calf", "foot", "ball"}},
    {"Left%s",
     "Right%s",
     {"Pelvis", "L5", "L3", "T8", "Neck", "Head"}, /* Xsens MVN */
     {"Shoulder", "UpperArm", "ForeArm", "Hand", "UpperLeg", "LowerLeg", "Foot", "Toe"}},
    {"J_Bip_L_%s",
     "J_Bip_R_%s",
     {"J_Bip_C_Hips", "J_Bip_C_Spine", "J_Bip_C_Chest", "J_Bip_C_UpperChest", "J_Bip_C_Neck", "J_Bip_C_Head"}, /* VRM */
     {"Shoulder", "UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot", "ToeBase"}},
    {"mixamorig:Left%s",
     "mixamorig:Right%s",
     {"mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Spine2", "mixamorig:Neck", "mixamorig:Head"},
     {"Shoulder", "Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot", "ToeBase"}},
    {"Left%s",
     "Right%s",
     {"Hips", "Spine1", "Spine2", "Spine4", "Neck", "Head"}, /* Rokoko */
     {"Shoulder", "Arm", "ForeArm", "Hand", "Thigh", "Shin", "Foot", "Toe"}},
    {"Left%s",
     "Right%s",
     {"Hips", "Spine1", "Spine2", "Chest", "Neck1", "Head"}, /* SOMA, whose Leg is a thigh */
     {"Shoulder", "Arm", "ForeArm", "Hand", "Leg", "Shin", "Foot", "ToeBase"}},
    {"%s.L",
     "%s.R",
     {"root", "spine05", "spine03", "spine01", "neck01", "head"}, /* MakeHuman */
     {"clavicle", "upperarm01", "lowerarm01", "wrist", "upperleg01", "lowerleg01", "foot", "toe1-1"}},
    {"DEF-%s.L",
     "DEF-%s.R",
     {"DEF-spine", "DEF-spine.001", "DEF-spine.002", "DEF-spine.003", "DEF-spine.004", "DEF-spine.006"}, /* Rigify */
     {"shoulder", "upper_arm", "forearm", "hand", "thigh", "shin", "foot", "toe"}},
    {"Bip01 L %s",
     "Bip01 R %s",
     {"Bip01 Pelvis", "Bip01 Spine", "Bip01 Spine1", "Bip01 Spine2", "Bip01 Neck", "Bip01 Head"},
     {"Clavicle", "UpperArm", "Forearm", "Hand", "Thigh", "Calf", "Foot", "Toe0"}},
    {"l%s",
     "r%s",
     {"root", "lowerback", "upperback", "thorax", "lowerneck", "head"}, /* CMU ASF */
     {"clavicle", "humerus", "radius", "wrist", "femur", "tibia", "foot", "toes"}},
    {"%s_L",
     "%s_R",
     {"Root_M", "Spine1_M", "Spine2_M", "Chest_M", "Neck_M", "Head_M"}, /* Advanced Skeleton */
     {"Scapula", "Shoulder", "Elbow", "Wrist", "Hip", "Knee", "Ankle", "Toes"}},
    {"Actor7_Left%s",
     "Actor7_Right%s",
     {"Actor7_Hips", "Actor7_Spine", "Actor7_Spine1", "Actor7_Spine2", "Actor7_Neck", "Actor7_Head"},
     {"Shoulder", "Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot", "ToeBase"}},
    {"\xe5\xb7\xa6%s",
     "\xe5\x8f\xb3%s",
     {"\xe4\xb8\x8b\xe5\x8d\x8a\xe8\xba\xab", "\xe4\xb8\x8a\xe5\x8d\x8a\xe8\xba\xab",
      "\xe4\xb8\x8a\xe5\x8d\x8a\xe8\xba\xab"
      "2",
      "J3", "\xe9\xa6\x96", "\xe9\xa0\xad"}, /* MMD */
     {"\xe8\x82\xa9", "\xe8\x85\x95", "\xe3\x81\xb2\xe3\x81\x98", "\xe6\x89\x8b\xe9\xa6\x96", "\xe8\xb6\xb3",
      "\xe3\x81\xb2\xe3\x81\x96", "\xe8\xb6\xb3\xe9\xa6\x96", "\xe3\x81\xa4\xe3\x81\xbe\xe5\x85\x88"}},
};

TEST(naming_schemes_give_equal_roles)
{
    Skeleton figure, other;
    ASSIGN(figure, humanoid_rows);
    for (size_t i = 0; i < sizeof namings / sizeof *namings; i++) {
        assert_int_equal(skeleton_copy(&other, &figure, NULL), STATUS_OK);
        for (int j = 0; j < figure.joint_count; j++) {
            char name[64];
            const char *side = j < 14 ? namings[i].left : namings[i].right,
                       *core = j < 6 ? "" : namings[i].limb[(j - 6) % 8];
            int head = (int)(strstr(side, "%s") - side);
            snprintf(name, sizeof name, "%.*s%s%s", head, side, core, side + head + 2);
            assert_int_equal(skeleton_set_name(&other, j, j < 6 ? namings[i].middle[j] : name, NULL), STATUS_OK);
            other.offset[j] = vec3(0.1, 0, 0); /* without help from the shape */
        }
        assert_int_equal(roles_assign(&other, &(RoleSigns){0}, NULL), STATUS_OK);
        for (int j = 0; j < figure.joint_count; j++) {
            if (other.role[j] != figure.role[j])
                print_error("%s is %s\n", other.name[j], role_name(other.role[j]));
            assert_int_equal(other.role[j], figure.role[j]);
        }
        skeleton_free(&other);
    }
    skeleton_free(&figure);
}

/* LeftShoulder is the shoulder below a collar, but the clavicle above an arm; LeftHip is the hip below LHipJoint;
 * LeftFoot is below an ankle. */
TEST(neighbours_disambiguate_names)
{
    static const JointRow rows[] = {
        {"Hips", NULL, {0, 90, 0}, 0, {0, 0, 0}},
        {"LHipJoint", "Hips", {0, 0, 0}, 0, {0, 0, 0}},
        {"LeftHip", "LHipJoint", {9, -5, 0}, 0, {0, 0, 0}},
        {"LeftKnee", "LeftHip", {0, -40, 0}, 0, {0, 0, 0}},
        {"LeftAnkle", "LeftKnee", {0, -40, 0}, 0, {0, 0, 0}},
        {"LeftFoot", "LeftAnkle", {0, -5, 14}, 0, {0, 0, 0}},
        {"RHipJoint", "Hips", {0, 0, 0}, 0, {0, 0, 0}},
        {"RightHip", "RHipJoint", {-9, -5, 0}, 0, {0, 0, 0}},
        {"RightKnee", "RightHip", {0, -40, 0}, 0, {0, 0, 0}},
        {"RightFoot", "RightKnee", {0, -40, 0}, 1, {0, -5, 14}},
        {"Chest", "Hips", {0, 20, 0}, 0, {0, 0, 0}},
        {"Neck", "Chest", {0, 30, 0}, 1, {0, 10, 0}},
        {"LeftCollar", "Chest", {3, 25, 0}, 0, {0, 0, 0}},
        {"LeftShoulder", "LeftCollar", {14, 0, 0}, 0, {0, 0, 0}},
        {"LeftElbow", "LeftShoulder", {28, 0, 0}, 0, {0, 0, 0}},
        {"LeftHand", "LeftElbow", {26, 0, 0}, 0, {0, 0, 0}},
        {"LeftHandIndex1", "LeftHand", {9, 0, 0}, 0, {0, 0, 0}},
        {"RightShoulder", "Chest", {-3, 25, 0}, 0, {0, 0, 0}},
        {"RightArm", "RightShoulder", {-14, 0, 0}, 0, {0, 0, 0}},
        {"RightForeArm", "RightArm", {-28, 0, 0}, 1, {-26, 0, 0}},
    };
    Skeleton s;
    ASSIGN(s, rows);
    assert_int_equal(role_of(&s, "LHipJoint"), ROLE_NONE);
    assert_int_equal(segment_of(&s, "LHipJoint"), ROLE_HIPS);
    assert_int_equal(role_of(&s, "LeftHip"), ROLE_LEFT_HIP);
    assert_int_equal(role_of(&s, "LeftFoot"), ROLE_LEFT_TOE);
    assert_int_equal(role_of(&s, "RightFoot"), ROLE_RIGHT_ANKLE);
    assert_int_equal(role_of(&s, "LeftShoulder"), ROLE_LEFT_SHOULDER);
    assert_int_equal(role_of(&s, "RightShoulder"), ROLE_RIGHT_CLAVICLE);
    assert_int_equal(role_of(&s, "Chest"), ROLE_CHEST);
    assert_int_equal(segment_of(&s, "LeftHandIndex1"), ROLE_LEFT_WRIST);
    skeleton_free(&s);
}

/* The hips are the parent of the legs, whatever is above them; a Biped attaches its clavicles to the neck. */
TEST(hips_are_the_parent_of_the_legs)
{
    static const JointRow rows[] = {
        {"Bip01", NULL, {0, 90, 0}, 0, {0, 0, 0}},
        {"Bip01 Pelvis", "Bip01", {0, 0, 0}, 0, {0, 0, 0}},
        {"Bip01 L Thigh", "Bip01 Pelvis", {9, 0, 0}, 0, {0, 0, 0}},
        {"Bip01 L Calf", "Bip01 L Thigh", {0, -45, 0}, 0, {0, 0, 0}},
        {"Bip01 L Foot", "Bip01 L Calf", {0, -40, 0}, 1, {0, -5, 14}},
        {"Bip01 R Thigh", "Bip01 Pelvis", {-9, 0, 0}, 0, {0, 0, 0}},
        {"Bip01 R Calf", "Bip01 R Thigh", {0, -45, 0}, 0, {0, 0, 0}},
        {"Bip01 R Foot", "Bip01 R Calf", {0, -40, 0}, 1, {0, -5, 14}},
        {"Bip01 Spine", "Bip01 Pelvis", {0, 12, 0}, 0, {0, 0, 0}},
        {"Bip01 Spine1", "Bip01 Spine", {0, 15, 0}, 0, {0, 0, 0}},
        {"Bip01 Neck", "Bip01 Spine1", {0, 25, 0}, 0, {0, 0, 0}},
        {"Bip01 Head", "Bip01 Neck", {0, 9, 0}, 1, {0, 18, 0}},
        {"Bip01 L Clavicle", "Bip01 Neck", {3, -3, 0}, 0, {0, 0, 0}},
        {"Bip01 L UpperArm", "Bip01 L Clavicle", {14, 0, 0}, 1, {30, 0, 0}},
        {"Bip01 R Clavicle", "Bip01 Neck", {-3, -3, 0}, 0, {0, 0, 0}},
        {"Bip01 R UpperArm", "Bip01 R Clavicle", {-14, 0, 0}, 1, {-30, 0, 0}},
    };
    Skeleton s;
    ASSIGN(s, rows);
    assert_string_equal(holder(&s, ROLE_HIPS), "Bip01 Pelvis");
    assert_int_equal(segment_of(&s, "Bip01"), ROLE_NONE);
    assert_string_equal(holder(&s, ROLE_SPINE), "Bip01 Spine");
    assert_string_equal(holder(&s, ROLE_CHEST), "Bip01 Spine1");
    assert_string_equal(holder(&s, ROLE_NECK), "Bip01 Neck");
    skeleton_free(&s);
}

/* Without names, the shape gives the same roles, in any unit and with any up axis. */
TEST(roles_are_found_by_shape_without_names)
{
    Skeleton named, bare;
    ASSIGN(named, humanoid_rows);
    for (int z_up = 0; z_up < 2; z_up++) {
        assert_int_equal(skeleton_copy(&bare, &named, NULL), STATUS_OK);
        for (int j = 0; j < bare.joint_count; j++) {
            char name[16];
            snprintf(name, sizeof name, "J%d", j);
            assert_int_equal(skeleton_set_name(&bare, j, name, NULL), STATUS_OK);
            Vec3 o = vec3_scale(bare.offset[j], 100);
            bare.offset[j] = z_up ? vec3(o.x, -o.z, o.y) : o;
        }
        for (int e = 0; e < bare.end_count; e++) {
            Vec3 o = vec3_scale(bare.end_offset[e], 100);
            bare.end_offset[e] = z_up ? vec3(o.x, -o.z, o.y) : o;
        }
        assert_int_equal(roles_assign(&bare, &(RoleSigns){0}, NULL), STATUS_OK);
        for (int j = 0; j < bare.joint_count; j++)
            assert_int_equal(bare.role[j], named.role[j]);
        skeleton_free(&bare);
    }
    skeleton_free(&named);
}

/* End sites at the positions of toes and hands have no role. */
TEST(shape_gives_end_sites_no_role)
{
    enum { HIPS, SPINE, NECK, HEAD, SHOULDER, ELBOW, SHOULDER_R, ELBOW_R };
    enum { HIP = ELBOW_R + 1, KNEE, ANKLE, HIP_R, KNEE_R, ANKLE_R, COUNT };
    static const JointRow rows[COUNT] = {
        [HIPS] = {"J0", NULL, {0, 0.9, 0}, 0, {0, 0, 0}},
        [SPINE] = {"J1", "J0", {0, 0.25, 0}, 0, {0, 0, 0}},
        [NECK] = {"J2", "J1", {0, 0.25, 0}, 0, {0, 0, 0}},
        [HEAD] = {"J3", "J2", {0, 0.1, 0}, 1, {0, 0.2, 0}},
        [SHOULDER] = {"J4", "J1", {0.18, 0.2, 0}, 0, {0, 0, 0}},
        [ELBOW] = {"J5", "J4", {0.28, 0, 0}, 1, {0.25, 0, 0}},
        [SHOULDER_R] = {"J6", "J1", {-0.18, 0.2, 0}, 0, {0, 0, 0}},
        [ELBOW_R] = {"J7", "J6", {-0.28, 0, 0}, 1, {-0.25, 0, 0}},
        [HIP] = {"J8", "J0", {0.09, 0, 0}, 0, {0, 0, 0}},
        [KNEE] = {"J9", "J8", {0, -0.42, 0}, 0, {0, 0, 0}},
        [ANKLE] = {"J10", "J9", {0, -0.42, 0}, 1, {0, -0.06, 0.15}},
        [HIP_R] = {"J11", "J0", {-0.09, 0, 0}, 0, {0, 0, 0}},
        [KNEE_R] = {"J12", "J11", {0, -0.42, 0}, 0, {0, 0, 0}},
        [ANKLE_R] = {"J13", "J12", {0, -0.42, 0}, 1, {0, -0.06, 0.15}},
    };
    static const Role expected[COUNT] = {
        [SHOULDER] = ROLE_LEFT_SHOULDER, [ELBOW] = ROLE_LEFT_ELBOW, [SHOULDER_R] = ROLE_RIGHT_SHOULDER,
        [ELBOW_R] = ROLE_RIGHT_ELBOW, [HIP] = ROLE_LEFT_HIP, [KNEE] = ROLE_LEFT_KNEE, [ANKLE] = ROLE_LEFT_ANKLE,
        [HIP_R] = ROLE_RIGHT_HIP, [KNEE_R] = ROLE_RIGHT_KNEE, [ANKLE_R] = ROLE_RIGHT_ANKLE};
    Skeleton s;
    Role role[COUNT];
    ShapeJudgement judgement;
    for (int j = 0; j < COUNT; j++)
        role[j] = ROLE_HEAD; /* not cleared by the caller */
    skeleton_from_rows(&s, rows, COUNT);
    assert_int_equal(role_shape_assign(&s, NULL, role, &judgement, NULL), STATUS_OK);
    assert_int_equal(judgement.is_found, 1);
    for (int j = 0; j < COUNT; j++)
        assert_int_equal(role[j], expected[j]);
    skeleton_free(&s);
}

/* Two legs below a trunk, whose arms are missing, in a tree without names; without the trunk they are no person's. */
TEST(legs_without_arms_are_found_by_shape)
{
    static const JointRow rows[] = {
        {"J0", NULL, {0, 0.9, 0}, 0, {0, 0, 0}},        {"J1", "J0", {0.09, 0, 0}, 0, {0, 0, 0}},
        {"J2", "J1", {0, -0.42, 0}, 0, {0, 0, 0}},      {"J3", "J2", {0, -0.42, 0}, 1, {0, -0.06, 0.15}},
        {"J4", "J0", {-0.09, 0, 0}, 0, {0, 0, 0}},      {"J5", "J4", {0, -0.42, 0}, 0, {0, 0, 0}},
        {"J6", "J5", {0, -0.42, 0}, 1, {0, -0.06, 0.15}}, {"J7", "J0", {0, 0.2, 0}, 0, {0, 0, 0}},
        {"J8", "J7", {0, 0.3, 0}, 1, {0, 0.1, 0}},
    };
    enum { COUNT = sizeof rows / sizeof *rows, TRUNK = 2 };
    static const Role expected[COUNT] = {ROLE_HIPS, ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, ROLE_RIGHT_HIP,
                                         ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, ROLE_SPINE, ROLE_NONE};
    for (int has_trunk = 0; has_trunk < 2; has_trunk++) {
        Skeleton s;
        skeleton_from_rows(&s, rows, has_trunk ? COUNT : COUNT - TRUNK);
        assert_int_equal(roles_assign(&s, &(RoleSigns){0}, NULL), STATUS_OK);
        assert_int_equal(roles_are_human(&s), has_trunk);
        for (int j = 0; j < s.joint_count; j++)
            assert_int_equal(s.role[j], has_trunk ? expected[j] : ROLE_NONE);
        skeleton_free(&s);
    }
}

#define DOG_LEG(side, x)                                                                                           \
    {side "UpLeg", "Hips", {x, 0, 0}, 0, {0, 0, 0}}, {side "Leg", side "UpLeg", {0, -24, 2}, 0, {0, 0, 0}},        \
        {side "Foot", side "Leg", {0, -20, -2}, 1, {0, -10, 5}}, {side "Arm", "Spine1", {x, -5, 0}, 0, {0, 0, 0}}, \
        {side "ForeArm", side "Arm", {0, -22, 0}, 0, {0, 0, 0}},                                                   \
    {                                                                                                              \
        side "Hand", side "ForeArm", {0, -20, 0}, 1, { 0, -5, 5 }                                                  \
    }

/* A dog with human joint names, without and with its tail. */
TEST(quadruped_has_no_human_roles)
{
    static const JointRow rows[] = {
        {"Hips", NULL, {0, 55, 0}, 0, {0, 0, 0}},
        {"Spine", "Hips", {0, 0, 25}, 0, {0, 0, 0}},
        {"Spine1", "Spine", {0, 0, 25}, 0, {0, 0, 0}},
        {"Neck", "Spine1", {0, 5, 10}, 0, {0, 0, 0}},
        {"Head", "Neck", {0, 10, 10}, 1, {0, 0, 20}},
        DOG_LEG("Left", 8),
        DOG_LEG("Right", -8),
        {"Tail1", "Hips", {0, 0, -10}, 1, {0, 0, -20}},
    };
    for (int with_tail = 0; with_tail < 2; with_tail++) {
        Skeleton s;
        skeleton_from_rows(&s, rows, (int)(sizeof rows / sizeof *rows) - !with_tail);
        assert_int_equal(roles_assign(&s, &(RoleSigns){0}, NULL), STATUS_OK);
        assert_false(roles_are_human(&s));
        for (int j = 0; j < s.joint_count; j++)
            assert_int_equal(s.segment[j], ROLE_NONE);
        skeleton_free(&s);
    }
}

TEST(human_with_a_tail_is_human)
{
    JointRow rows[HUMANOID_JOINTS + 1];
    memcpy(rows, humanoid_rows, sizeof humanoid_rows);
    rows[HUMANOID_JOINTS] = (JointRow){"Tail1", "Hips", {0, 0, -0.2}, 1, {0, 0, -0.5}};
    Skeleton s;
    ASSIGN(s, rows);
    assert_true(roles_are_human(&s));
    skeleton_free(&s);
}

TEST(single_chain_has_no_roles)
{
    static const JointRow chain[] = {
        {"base", NULL, {0, 0, 0}, 0, {0, 0, 0}},
        {"child1", "base", {0, 5, 0}, 0, {0, 0, 0}},
        {"child2", "child1", {-5, 0, 0}, 0, {0, 0, 0}},
    };
    static const JointRow one_leg[] = {
        {"Hips", NULL, {0, 0, 0}, 0, {0, 0, 0}},
        {"Spine", "Hips", {0, 10, 0}, 1, {0, 8, 0}},
        {"LeftLeg", "Hips", {2, -8, 0}, 0, {0, 0, 0}},
    };
    Skeleton s;
    ASSIGN(s, chain);
    assert_false(roles_are_human(&s));
    for (int j = 0; j < s.joint_count; j++)
        assert_int_equal(s.role[j], ROLE_NONE);
    skeleton_free(&s);
    ASSIGN(s, one_leg);
    assert_false(roles_are_human(&s));
    assert_int_equal(role_of(&s, "Hips"), ROLE_HIPS);
    assert_int_equal(role_of(&s, "LeftLeg"), ROLE_LEFT_HIP); /* no thigh above it: a knee requires a hip */
    skeleton_free(&s);
}

/* Thousands of equal names and branches are processed quickly. */
TEST(roles_of_4096_joints_are_found)
{
    enum { COUNT = 4096 };
    Skeleton s;
    assert_int_equal(skeleton_init(&s, COUNT, 0, NULL), STATUS_OK);
    for (int j = 0; j < COUNT; j++) {
        s.parent[j] = j == 0 ? -1 : j % 2 ? 0 : j - 1;
        s.offset[j] = vec3(j % 2, 1, 0);
        assert_int_equal(skeleton_set_name(&s, j, j % 3 ? "LeftHand" : "LeftUpLeg", NULL), STATUS_OK);
    }
    assert_int_equal(roles_assign(&s, &(RoleSigns){0}, NULL), STATUS_OK);
    assert_false(roles_are_human(&s));
    skeleton_free(&s);
}

static void rename_all(Skeleton *s, const char *const names[], int count)
{
    for (int j = 0; j < count; j++)
        assert_int_equal(skeleton_set_name(s, j, names[j], NULL), STATUS_OK);
}

/* A heel between ankle and toe is not the toe; a certain name of a limb that the shape shows is hardly doubted. */
TEST(toe_ends_the_longest_bone_of_the_foot)
{
    for (int is_named = 0; is_named < 2; is_named++) {
        JointRow rows[HUMANOID_JOINTS + 2];
        RoleSigns signs;
        Skeleton s;
        int count = 0;
        for (int i = 0; i < HUMANOID_JOINTS; i++) {
            rows[count] = humanoid_rows[i];
            if (strstr(rows[count].name, "ToeBase")) {
                const char *heel = rows[count].name[0] == 'L' ? "LeftSubtalar" : "RightSubtalar";
                rows[count + 1] = rows[count];
                rows[count++] = (JointRow){heel, rows[count].parent, {0, -0.05, -0.05}, 0, {0, 0, 0}};
                rows[count].parent = heel;
                rows[count].offset.z += 0.05;
            }
            count++;
        }
        skeleton_from_rows(&s, rows, count);
        int left = skeleton_find(&s, "LeftToeBase"), heel = skeleton_find(&s, "RightSubtalar");
        for (int j = 0; j < count && !is_named; j++) {
            char name[16];
            snprintf(name, sizeof name, "Bone.%03d", j);
            assert_int_equal(skeleton_set_name(&s, j, name, NULL), STATUS_OK);
        }
        assert_int_equal(roles_assign(&s, &signs, NULL), STATUS_OK);
        assert_int_equal(s.role[left], ROLE_LEFT_TOE);
        assert_int_equal(s.role[heel], ROLE_NONE);
        assert_true(signs.log_odds[ROLE_LEFT_ANKLE] > (is_named ? 6 : 2));
        skeleton_free(&s);
    }
}

/* Words of other languages: the shape gives the roles, the marks of side in the names left and right. */
TEST(unknown_words_with_marks_of_side_give_sides)
{
    static const char *const german[HUMANOID_JOINTS] = {
        "Becken", "Lende", "Bauch", "Brust", "Hals", "Kopf",
        "Schluesselbein.R", "Oberarm.R", "Unterarm.R", "Pfote.R", "Schenkel.R", "Wade.R", "Fuss.R", "Zehen.R",
        "Schluesselbein.L", "Oberarm.L", "Unterarm.L", "Pfote.L", "Schenkel.L", "Wade.L", "Fuss.L", "Zehen.L"};
    Skeleton s;
    RoleSigns signs;
    skeleton_from_rows(&s, humanoid_rows, HUMANOID_JOINTS);
    rename_all(&s, german, HUMANOID_JOINTS);
    assert_int_equal(roles_assign(&s, &signs, NULL), STATUS_OK);
    assert_true(signs.by_shape && signs.sides_are_named);
    assert_string_equal(holder(&s, ROLE_LEFT_HIP), "Schenkel.L"); /* where the figure has its right leg */
    assert_string_equal(holder(&s, ROLE_RIGHT_WRIST), "Pfote.R");
    skeleton_free(&s);
}

/* An animal without names is not taken for a person, though its limbs are two pairs. */
TEST(nameless_quadruped_has_no_roles)
{
    static const JointRow rows[] = {
        {"j0", NULL, {0, 55, 0}, 0, {0, 0, 0}},      {"j1", "j0", {0, 0, 50}, 0, {0, 0, 0}},
        {"j2", "j1", {0, 15, 20}, 1, {0, 0, 20}},    {"j3", "j0", {8, 0, 0}, 0, {0, 0, 0}},
        {"j4", "j3", {0, -24, 2}, 0, {0, 0, 0}},     {"j5", "j4", {0, -20, -2}, 1, {0, -10, 5}},
        {"j6", "j0", {-8, 0, 0}, 0, {0, 0, 0}},      {"j7", "j6", {0, -24, 2}, 0, {0, 0, 0}},
        {"j8", "j7", {0, -20, -2}, 1, {0, -10, 5}},  {"j9", "j1", {8, -5, 0}, 0, {0, 0, 0}},
        {"j10", "j9", {0, -22, 0}, 0, {0, 0, 0}},    {"j11", "j10", {0, -20, 0}, 1, {0, -5, 5}},
        {"j12", "j1", {-8, -5, 0}, 0, {0, 0, 0}},    {"j13", "j12", {0, -22, 0}, 0, {0, 0, 0}},
        {"j14", "j13", {0, -20, 0}, 1, {0, -5, 5}},
    };
    Skeleton s;
    RoleSigns signs;
    skeleton_from_rows(&s, rows, (int)(sizeof rows / sizeof *rows));
    assert_int_equal(roles_assign(&s, &signs, NULL), STATUS_OK);
    assert_true(signs.is_creature && !roles_are_human(&s));
    skeleton_free(&s);
}
