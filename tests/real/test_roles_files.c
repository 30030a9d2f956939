/* analysis/body on real files: humans get their roles and a body, animals and test chains do not. Skipped if the files
 * are absent ($KANE_SHARED, else ../shared). */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/body/body_model.h"
#include "analysis/body/roles.h"
#include "formats/bvh/bvh.h"
#include "tests/support/read_bvh.h"

enum { TOES = 1, CLAVICLES = 2, NOBODY = 4 };

/* The first file of each kind of skeleton: joints of hips, upper trunk and head, and of the limbs. */
static const struct {
    const char *file, *hips, *trunk, *head, *left_shoulder, *left_hip;
    int has;
} files[] = {
    {"animdraw__dab", "Hips", "Spine3", "Head", "LeftArm", "LeftUpLeg", TOES | CLAVICLES},
    {"animdraw__jumping_jacks", "Hips", "Chest2", "Head", "LeftShoulder", "LeftHip", TOES | CLAVICLES},
    {"axis_neuron__milad", "Hips", "Spine3", "Head", "LeftArm", "LeftUpLeg", CLAVICLES},
    {"bandai__dataset-1_kick_normal_001", "Hips", "Chest", "Head", "UpperArm_L", "UpperLeg_L", TOES | CLAVICLES},
    {"cmu_cgspeed__01_01", "Hips", "Spine1", "Head", "LeftArm", "LeftUpLeg", TOES | CLAVICLES},
    {"cmu_daz__10_01", "hip", "chest", "head", "lShldr", "lThigh", CLAVICLES},
    {"cmu_iclone__007_12", "CC_Base_Pelvis", "CC_Base_Spine02", "CC_Base_Head", "CC_Base_L_Upperarm", "CC_Base_L_Thigh",
     TOES | CLAVICLES},
    {"dog__dog_walk", "", "", "", "", "", NOBODY},
    {"dog__dog_jump_002", "", "", "", "", "", NOBODY},
    {"games105__walk60", "RootJoint", "lowerback_torso", "torso_head", "lShoulder", "lHip", TOES | CLAVICLES},
    {"kinect_mae__ah_cut_01", "TORSO#", "", "HEAD", "LEFT_SHOULDER#", "LEFT_HIP#", 0},
    {"makehuman__mh_walk1", "Hips", "Spine3", "Head", "UpArm_L", "UpLeg_L", TOES | CLAVICLES},
    {"mass__mass_walk", "Character1_Hips", "Character1_Spine1", "Character1_Head", "Character1_LeftArm",
     "Character1_LeftUpLeg", TOES | CLAVICLES},
    {"optitrack_arena__louise", "Hips", "Chest", "Head", "LeftShoulder", "LeftHip", CLAVICLES},
    {"parser_fixture__bvhio_example", "Hips", "Chest", "Head", "LeftUpArm", "LeftUpLeg", CLAVICLES},
    {"parser_fixture__pybvh_bvh_test1", "Hips", "Spine3", "Head", "LeftArm", "LeftUpLeg", TOES | CLAVICLES},
    {"parser_fixture__test_freebvh", "mixamorig:Hips", "mixamorig:Spine2", "mixamorig:Head", "mixamorig:LeftArm",
     "mixamorig:LeftUpLeg", TOES | CLAVICLES},
    {"parser_fixture__test_mocapbank", "Hips", "Chest2", "Head", "LeftShoulder", "LeftHip", CLAVICLES},
    {"parser_fixture__bvh_anim_test_simple", "", "", "", "", "", NOBODY},
    {"rokoko__jesse_dance", "Hips", "Spine2", "Head", "LeftArm", "LeftUpLeg", TOES | CLAVICLES},
    {"sfu_motionbuilder__MS2_8Walk_M", "Hips", "Spine", "Head", "LeftArm", "LeftUpLeg", TOES | CLAVICLES},
    {"xsens_style__mova_A_test", "Hips", "Chest4", "Head", "LeftShoulder", "LeftHip", TOES | CLAVICLES},
    {"bad/help_63rows_header41", "hip", "chest", "head", "lshoulder", "lhip", CLAVICLES},
    {"bad/fairmotion_sinusoidal_no_endsite", "", "", "", "", "", NOBODY},
};

static int shared_is_absent(char *folder, size_t size)
{
    const char *shared = getenv("KANE_SHARED");
    snprintf(folder, size, "%s/mocap", shared ? shared : "../shared");
    return access(folder, R_OK) != 0;
}

/* The skeleton in the file's own unit and axes, on which roles must not depend. */
static void read_skeleton(const char *folder, const char *file, Skeleton *s)
{
    char path[512];
    Bvh b;
    SourceDef def = source_default_def();
    Error err = {0};
    snprintf(path, sizeof path, "%s/%s.bvh", folder, file);
    if (read_bvh(path, &def, &b, &err))
        fail_msg("%s: %s", path, err.text);
    assert_int_equal(skeleton_init(s, b.joint_count, b.end_count, NULL), STATUS_OK);
    for (int j = 0; j < b.joint_count; j++) {
        s->parent[j] = b.parent[j];
        s->offset[j] = b.offset[j];
        assert_int_equal(skeleton_set_name(s, j, b.name[j], NULL), STATUS_OK);
    }
    for (int e = 0; e < b.end_count; e++) {
        s->end_parent[e] = b.end_parent[e];
        s->end_offset[e] = b.end_offset[e];
    }
    assert_int_equal(roles_assign(s, &(RoleSigns){0}, NULL), STATUS_OK);
    bvh_free(&b);
}

static void assert_holder(const Skeleton *s, Role role, const char *name, const char *file)
{
    int j = skeleton_find_role(s, role);
    if (strcmp(j < 0 ? "" : s->name[j], name) != 0)
        fail_msg("%s: %s is \"%s\", expected \"%s\"", file, role_name(role), j < 0 ? "" : s->name[j], name);
}

static void assert_pair(const Skeleton *s, Role left, int present, const char *file)
{
    if ((skeleton_find_role(s, left) >= 0) != present || (skeleton_find_role(s, role_mirror(left)) >= 0) != present)
        fail_msg("%s: %s and its mirror, expected %d", file, role_name(left), present);
}

TEST(human_skeletons_get_their_roles)
{
    char folder[300];
    if (shared_is_absent(folder, sizeof folder)) {
        printf("skipped: no shared files\n");
        return;
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *file = files[i].file;
        int person = files[i].has != NOBODY;
        Skeleton s;
        read_skeleton(folder, file, &s);
        assert_int_equal(roles_are_human(&s), person);
        assert_holder(&s, ROLE_HIPS, files[i].hips, file);
        assert_holder(&s, ROLE_HEAD, files[i].head, file);
        assert_holder(&s, ROLE_LEFT_SHOULDER, files[i].left_shoulder, file);
        assert_holder(&s, ROLE_LEFT_HIP, files[i].left_hip, file);
        int single = skeleton_find_role(&s, ROLE_CHEST) < 0;
        assert_holder(&s, single ? ROLE_SPINE : ROLE_CHEST, files[i].trunk, file);
        for (Role role = ROLE_LEFT_SHOULDER; role <= ROLE_LEFT_ANKLE; role++)
            assert_pair(&s, role, person, file);
        assert_pair(&s, ROLE_LEFT_CLAVICLE, (files[i].has & CLAVICLES) != 0, file);
        assert_pair(&s, ROLE_LEFT_TOE, (files[i].has & TOES) != 0, file);
        skeleton_free(&s);
    }
}

/* The same trees without names: if the shape is classified as human, limbs agree with the named ones. */
TEST(roles_by_shape_agree_with_roles_by_name)
{
    char folder[300];
    int claimed = 0, people = 0;
    if (shared_is_absent(folder, sizeof folder)) {
        printf("skipped: no shared files\n");
        return;
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        Skeleton s, bare;
        read_skeleton(folder, files[i].file, &s);
        assert_int_equal(skeleton_copy(&bare, &s, NULL), STATUS_OK);
        for (int j = 0; j < bare.joint_count; j++)
            assert_int_equal(skeleton_set_name(&bare, j, "J", NULL), STATUS_OK);
        assert_int_equal(roles_assign(&bare, &(RoleSigns){0}, NULL), STATUS_OK);
        people += roles_are_human(&s);
        claimed += roles_are_human(&bare);
        assert_true(roles_are_human(&s) || !roles_are_human(&bare));
        for (int j = 0; j < s.joint_count && roles_are_human(&bare); j++)
            if (s.role[j] == ROLE_LEFT_KNEE || s.role[j] == ROLE_RIGHT_KNEE)
                assert_true(bare.role[j] == ROLE_LEFT_KNEE || bare.role[j] == ROLE_RIGHT_KNEE);
        skeleton_free(&s);
        skeleton_free(&bare);
    }
    assert_true(5 * claimed >= 4 * people);
}

TEST(every_human_skeleton_gets_a_body)
{
    char folder[300];
    if (shared_is_absent(folder, sizeof folder)) {
        printf("skipped: no shared files\n");
        return;
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        Skeleton s;
        Body b;
        BodyDef def = body_default_def();
        read_skeleton(folder, files[i].file, &s);
        assert_int_equal(body_from_skeleton(&s, &def, &b, NULL), STATUS_OK);
        double sum = 0;
        for (int j = 0; j < b.joint_count; j++) {
            sum += b.mass[j];
            assert_true(b.mass[j] >= 0 && isfinite(b.com[j].x + b.com[j].y + b.com[j].z));
        }
        if (roles_are_human(&s)) {
            assert_near(sum, 70, 1.5e-14);
            assert_true(b.mass[skeleton_find_role(&s, ROLE_LEFT_HIP)] > 9);
        }
        body_free(&b);
        skeleton_free(&s);
    }
}
