/* analysis/clip/skeleton: channels, names and roles, rest positions, reach and longest path of a small tree. */
#include "tests/support/test.h"

#include "analysis/clip/skeleton.h"

enum { JOINTS = 5, ENDS = 2 };

/* root - a (3, 4, 0) - b (0, 0, 2), root - c (0, -1, 0) - d (-12, 0, 5); end sites 6 m beyond b and 1 m beyond d. */
static Skeleton make_tree(void)
{
    static const char *const names[JOINTS] = {"root", "a", "b", "c", "d"};
    static const int parents[JOINTS] = {-1, 0, 1, 0, 3};
    static const Vec3 offsets[JOINTS] = {{1, 2, 3}, {3, 4, 0}, {0, 0, 2}, {0, -1, 0}, {-12, 0, 5}};
    static const Role roles[JOINTS] = {ROLE_HIPS, ROLE_SPINE, ROLE_NONE, ROLE_LEFT_HIP, ROLE_LEFT_KNEE};
    Skeleton s;
    assert_int_equal(skeleton_init(&s, JOINTS, ENDS, NULL), STATUS_OK);
    for (int j = 0; j < JOINTS; j++) {
        assert_int_equal(skeleton_set_name(&s, j, names[j], NULL), STATUS_OK);
        s.parent[j] = parents[j];
        s.offset[j] = offsets[j];
        s.role[j] = s.segment[j] = roles[j];
    }
    s.end_parent[0] = 2;
    s.end_offset[0] = vec3(0, 6, 0);
    s.end_parent[1] = 4;
    s.end_offset[1] = vec3(0, 0, -1);
    return s;
}

TEST(position_channels_are_counted)
{
    static const int channels[JOINTS] = {123645, 645, 0, 12, 3456};
    static const int expected[JOINTS] = {3, 0, 0, 2, 1};
    Skeleton s = make_tree();
    for (int j = 0; j < JOINTS; j++)
        assert_int_equal(skeleton_position_channels(&s, j), 0);
    assert_int_equal(skeleton_add_channels(&s, NULL), STATUS_OK);
    for (int j = 0; j < JOINTS; j++)
        s.channels[j] = channels[j];
    for (int j = 0; j < JOINTS; j++)
        assert_int_equal(skeleton_position_channels(&s, j), expected[j]);
    skeleton_free(&s);
}

TEST(joints_are_found_by_name_then_by_role)
{
    Skeleton s = make_tree();
    assert_int_equal(skeleton_find(&s, "root"), 0);
    assert_int_equal(skeleton_find(&s, "d"), 4);
    assert_int_equal(skeleton_find(&s, "e"), -1);
    assert_int_equal(skeleton_find_role(&s, ROLE_HIPS), 0);
    assert_int_equal(skeleton_find_role(&s, ROLE_LEFT_KNEE), 4);
    assert_int_equal(skeleton_find_role(&s, ROLE_RIGHT_KNEE), -1);
    assert_int_equal(skeleton_find_role(&s, ROLE_NONE), -1);
    assert_int_equal(skeleton_find_name_or_role(&s, "left_hip"), 3);
    assert_int_equal(skeleton_set_name(&s, 2, "left_hip", NULL), STATUS_OK);
    assert_int_equal(skeleton_find_name_or_role(&s, "left_hip"), 2);
    assert_int_equal(skeleton_find_name_or_role(&s, "nose"), -1);
    skeleton_free(&s);
}

TEST(lengths_are_measured_along_bones)
{
    static const Vec3 at_rest[JOINTS] = {{1, 2, 3}, {4, 6, 3}, {4, 6, 5}, {1, 1, 3}, {-11, 1, 8}};
    static const double reaches[JOINTS] = {15, 8, 6, 14, 1};
    Skeleton s = make_tree();
    Vec3 rest[JOINTS];
    double reach[JOINTS];
    skeleton_rest_positions(&s, rest);
    skeleton_reach(&s, reach);
    for (int j = 0; j < JOINTS; j++) {
        assert_vec3_near(rest[j], at_rest[j], 1e-12);
        assert_near(reach[j], reaches[j], 1e-12);
    }
    assert_near(skeleton_longest_chain(&s), 14, 1e-12); /* to d; end sites are not joints */
    skeleton_free(&s);
}

TEST(copy_is_complete)
{
    Skeleton s = make_tree(), copy;
    assert_int_equal(skeleton_copy(&copy, &s, NULL), STATUS_OK);
    assert_null(copy.channels);
    skeleton_free(&copy);
    assert_int_equal(skeleton_add_channels(&s, NULL), STATUS_OK);
    s.channels[3] = 456;
    assert_int_equal(skeleton_copy(&copy, &s, NULL), STATUS_OK);
    assert_int_equal(copy.joint_count, JOINTS);
    assert_int_equal(copy.end_count, ENDS);
    for (int j = 0; j < JOINTS; j++) {
        assert_string_equal(copy.name[j], s.name[j]);
        assert_int_equal(copy.parent[j], s.parent[j]);
        assert_int_equal(copy.role[j], s.role[j]);
        assert_int_equal(copy.segment[j], s.segment[j]);
        assert_int_equal(copy.channels[j], s.channels[j]);
        assert_vec3_near(copy.offset[j], s.offset[j], 0);
    }
    for (int e = 0; e < ENDS; e++) {
        assert_int_equal(copy.end_parent[e], s.end_parent[e]);
        assert_vec3_near(copy.end_offset[e], s.end_offset[e], 0);
    }
    skeleton_free(&copy);
    skeleton_free(&s);
}
