/* analysis/body/role_map: roles that a user states. */
#include "tests/support/test.h"

#include <math.h>

#include "analysis/body/role_map.h"
#include "tests/support/skeleton_rows.h"

TEST(stated_roles_replace_detected_ones)
{
    char left[] = "LeftUpLeg", right[] = "RightUpLeg", spine[] = "Spine1";
    StatedRole rows[] = {{left, ROLE_RIGHT_HIP}, {right, ROLE_LEFT_HIP}, {spine, ROLE_SPINE}};
    RoleMap map = {3, rows};
    RoleSigns signs;
    Skeleton s;
    skeleton_from_rows(&s, humanoid_rows, HUMANOID_JOINTS);
    assert_int_equal(roles_assign(&s, &signs, NULL), STATUS_OK);
    assert_int_equal(role_map_apply(&map, &s, &signs, NULL), STATUS_OK);
    assert_string_equal(s.name[skeleton_find_role(&s, ROLE_RIGHT_HIP)], "LeftUpLeg");
    assert_string_equal(s.name[skeleton_find_role(&s, ROLE_LEFT_HIP)], "RightUpLeg");
    assert_string_equal(s.name[skeleton_find_role(&s, ROLE_SPINE)], "Spine1");
    assert_int_equal(s.role[skeleton_find(&s, "Spine")], ROLE_NONE);
    assert_int_equal(s.segment[skeleton_find(&s, "Spine")], ROLE_HIPS);
    assert_string_equal(s.name[skeleton_find_role(&s, ROLE_LEFT_KNEE)], "LeftLeg"); /* not in the map */
    assert_true(signs.log_odds[ROLE_SPINE] > 6 && signs.sides_are_named);
    skeleton_free(&s);
}

TEST(unknown_joint_is_an_error)
{
    char name[] = "Tail";
    StatedRole row = {name, ROLE_SPINE};
    RoleMap map = {1, &row};
    RoleSigns signs = {0};
    Skeleton s;
    Error err = {0};
    skeleton_from_rows(&s, humanoid_rows, HUMANOID_JOINTS);
    assert_int_equal(role_map_apply(&map, &s, &signs, &err), STATUS_BAD_INPUT);
    assert_string_equal(err.text, "roles: no joint \"Tail\"");
    skeleton_free(&s);
}
