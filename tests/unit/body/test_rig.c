/* analysis/body/rig: skeletons with the joint names that a program publishes. */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "analysis/body/rig.h"

/* Writes the joints of a published rig, each below the one that its role follows; `spaced` replaces the namespace. */
static void write_rig(Skeleton *s, const char *rig, const char *spaced)
{
    static const Role above[ROLE_COUNT] = {
        [ROLE_SPINE] = ROLE_HIPS, [ROLE_CHEST] = ROLE_SPINE, [ROLE_NECK] = ROLE_CHEST, [ROLE_HEAD] = ROLE_NECK,
        [ROLE_LEFT_CLAVICLE] = ROLE_CHEST, [ROLE_LEFT_SHOULDER] = ROLE_LEFT_CLAVICLE,
        [ROLE_LEFT_ELBOW] = ROLE_LEFT_SHOULDER, [ROLE_LEFT_WRIST] = ROLE_LEFT_ELBOW, [ROLE_LEFT_HIP] = ROLE_HIPS,
        [ROLE_LEFT_KNEE] = ROLE_LEFT_HIP, [ROLE_LEFT_ANKLE] = ROLE_LEFT_KNEE, [ROLE_LEFT_TOE] = ROLE_LEFT_ANKLE};
    int joint[ROLE_COUNT], count = 0;
    assert_int_equal(skeleton_init(s, 23, 0, NULL), STATUS_OK);
    memset(joint, -1, sizeof joint);
    for (int round = 0; round < 6; round++)
        for (int i = 0; i < rig_rows_count; i++) {
            const RigRow *row = &rig_rows[i];
            int is_right = role_mirror(row->role) != row->role && !above[row->role];
            Role parent = above[is_right ? role_mirror(row->role) : row->role];
            parent = is_right && role_mirror(parent) != parent ? role_mirror(parent) : parent;
            if (strcmp(row->rig, rig) != 0 || (row->role && joint[row->role] >= 0) ||
                (row->role && row->role != ROLE_HIPS && joint[parent] < 0) || (!row->role && round != 5))
                continue;
            char name[64];
            const char *local = strchr(row->joint, ':'), *rest = local && spaced ? local + 1 : row->joint;
            snprintf(name, sizeof name, "%s%s", rest == row->joint ? "" : spaced, rest);
            s->parent[count] = row->role == ROLE_HIPS ? -1 : row->role ? joint[parent] : 0;
            assert_int_equal(skeleton_set_name(s, count, name, NULL), STATUS_OK);
            joint[row->role] = count++;
        }
    s->joint_count = count;
}

static void assert_roles(const Skeleton *s, const char *rig)
{
    for (int i = 0; i < rig_rows_count; i++)
        if (strcmp(rig_rows[i].rig, rig) == 0 && rig_rows[i].role && !strchr(rig_rows[i].joint, ':'))
            assert_int_equal(s->role[skeleton_find(s, rig_rows[i].joint)], rig_rows[i].role);
}

TEST(published_names_give_all_ten_rigs)
{
    const char *last = "";
    int rigs = 0;
    for (int i = 0; i < rig_rows_count; i++) {
        Skeleton s;
        if (strcmp(rig_rows[i].rig, last) == 0)
            continue;
        last = rig_rows[i].rig;
        write_rig(&s, last, NULL);
        const char *found = rig_assign(&s);
        assert_non_null(found);
        assert_string_equal(found, last);
        assert_roles(&s, last);
        skeleton_free(&s);
        rigs++;
    }
    assert_int_equal(rigs, 10);
}

TEST(published_namespace_may_have_a_number_and_another_separator)
{
    static const char *const spaced[] = {"mixamorig1:", "mixamorig_", "mixamorig", "Man:mixamorig12:"};
    for (size_t i = 0; i < sizeof spaced / sizeof *spaced; i++) {
        Skeleton s;
        write_rig(&s, "Mixamo", spaced[i]);
        const char *found = rig_assign(&s);
        assert_non_null(found);
        assert_string_equal(found, "Mixamo");
        assert_true(skeleton_find_role(&s, ROLE_RIGHT_TOE) >= 0);
        skeleton_free(&s);
    }
}

/* Names of MotionBuilder, which many programs use, are of no rig. */
TEST(names_without_the_namespace_are_of_no_rig)
{
    Skeleton s;
    write_rig(&s, "Mixamo", "");
    assert_null(rig_assign(&s));
    assert_int_equal(skeleton_find_role(&s, ROLE_HIPS), -1);
    skeleton_free(&s);
}

TEST(role_of_another_joint_is_removed)
{
    Skeleton s;
    write_rig(&s, "VRM", NULL);
    int toes = skeleton_find(&s, "leftToes");
    s.role[toes] = ROLE_LEFT_KNEE;
    assert_non_null(rig_assign(&s));
    assert_int_equal(s.role[toes], ROLE_LEFT_TOE);
    assert_int_equal(skeleton_find_role(&s, ROLE_LEFT_KNEE), skeleton_find(&s, "leftLowerLeg"));
    skeleton_free(&s);
}

TEST(same_names_in_another_tree_are_of_no_rig)
{
    Skeleton s;
    write_rig(&s, "VRM", NULL);
    int knee = skeleton_find(&s, "leftLowerLeg"), chest = skeleton_find(&s, "upperChest"), above = s.parent[knee];
    s.parent[knee] = skeleton_find(&s, "hips");
    assert_null(rig_assign(&s));
    s.parent[knee] = above;
    for (int side = 0; side < 2; side++) /* arms below a joint that is not the chest */
        s.parent[skeleton_find(&s, side ? "leftShoulder" : "rightShoulder")] = s.parent[chest];
    assert_null(rig_assign(&s));
    skeleton_free(&s);
}

/* Toes, and joints of the trunk that a version lacks. */
TEST(rig_may_lack_toes_and_joints_of_the_trunk)
{
    static const char *const lost[] = {"leftToes", "rightToes", "upperChest"};
    Skeleton s;
    write_rig(&s, "VRM", NULL);
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++)
        assert_int_equal(skeleton_set_name(&s, skeleton_find(&s, lost[i]), "other", NULL), STATUS_OK);
    assert_non_null(rig_assign(&s));
    assert_int_equal(skeleton_find_role(&s, ROLE_CHEST), -1);
    assert_true(skeleton_find_role(&s, ROLE_RIGHT_ANKLE) >= 0);
    assert_int_equal(skeleton_set_name(&s, skeleton_find(&s, "leftHand"), "other2", NULL), STATUS_OK);
    assert_null(rig_assign(&s));
    skeleton_free(&s);
}
