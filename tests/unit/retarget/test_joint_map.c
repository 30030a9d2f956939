/* Skeleton maps: identity onto itself, fractions that sum to one, twist joints; unmapped joints keep their rest
 * pose. */
#include "tests/support/test.h"

#include "analysis/retarget/joint_map.h"
#include "tests/support/walker.h"

static JointMap map_between(const Skeleton *target, const Skeleton *source)
{
    ReferencePose t, s;
    JointMap map;
    Arena arena = {0};
    ClipView to = {.skeleton = target}, from = {.skeleton = source};
    assert_int_equal(reference_pose_init(&t, &to, REFERENCE_REST, &arena, NULL), STATUS_OK);
    assert_int_equal(reference_pose_init(&s, &from, REFERENCE_REST, &arena, NULL), STATUS_OK);
    assert_int_equal(joint_map_init(&map, &t, &s, NULL), STATUS_OK);
    arena_free(&arena);
    return map;
}

static double weight_of(const JointMap *map, int target, int source)
{
    for (int i = map->first[target]; i < map->first[target + 1]; i++)
        if (map->row[i].source == source)
            return map->row[i].weight;
    return 0;
}

TEST(map_of_equal_skeletons_is_identity)
{
    Skeleton s;
    (void)state;
    walker_skeleton(&s);
    JointMap map = map_between(&s, &s);
    assert_int_equal(map.row_count, WALKER_JOINTS);
    for (int j = 0; j < WALKER_JOINTS; j++)
        assert_near(weight_of(&map, j, j), 1, 0);
    joint_map_free(&map);
    skeleton_free(&s);
}

/* The walker with its upper arm and spine each split in two. */
static void split(Skeleton *s, int joint, const char *name)
{
    Skeleton old = *s;
    assert_int_equal(skeleton_init(s, old.joint_count + 1, old.end_count, NULL), STATUS_OK);
    for (int j = 0; j < s->joint_count; j++) {
        int from = j <= joint ? j : j - 1;
        skeleton_set_name(s, j, j == joint + 1 ? name : old.name[from], NULL);
        s->parent[j] = j == joint + 1 ? joint : old.parent[from] > joint ? old.parent[from] + 1 : old.parent[from];
        if (j > joint + 1 && old.parent[from] == joint)
            s->parent[j] = joint + 1;
        s->offset[j] = old.offset[from];
        s->role[j] = j == joint + 1 ? ROLE_NONE : old.role[from];
        s->segment[j] = old.segment[from];
    }
    s->offset[joint + 1] = vec3_scale(s->offset[joint + 2], 0.5);
    s->offset[joint + 2] = vec3_scale(s->offset[joint + 2], 0.5);
    for (int e = 0; e < s->end_count; e++) {
        s->end_parent[e] = old.end_parent[e] > joint ? old.end_parent[e] + 1 : old.end_parent[e];
        s->end_offset[e] = old.end_offset[e];
    }
    skeleton_free(&old);
}

TEST(bones_between_roles_share_weights_that_sum_to_one)
{
    Skeleton plain, more;
    (void)state;
    walker_skeleton(&plain);
    walker_skeleton(&more);
    split(&more, 13, "LeftArmTwist");
    split(&more, 9, "Spine_b");
    JointMap map = map_between(&more, &plain);
    for (int t = 0; t < more.joint_count; t++) {
        double sum = 0;
        for (int i = map.first[t]; i < map.first[t + 1]; i++)
            sum += map.row[i].weight;
        assert_near(sum, 1, 1e-12);
    }
    assert_near(weight_of(&map, 9, 9), 1, 1e-12);   /* lower half of the lower spine */
    assert_near(weight_of(&map, 10, 9), 1, 1e-12);  /* its upper half */
    assert_near(weight_of(&map, 11, 10), 1, 1e-12); /* chest */
    assert_near(weight_of(&map, 14, 13), 0.5, 1e-12); /* half of the arm's twist at the shoulder */
    assert_near(weight_of(&map, 15, 13), 1, 1e-12);   /* all of it at the twist joint */
    joint_map_free(&map);
    map = map_between(&plain, &more);
    assert_near(weight_of(&map, 9, 9) + weight_of(&map, 9, 10), 1, 1e-12);
    assert_near(weight_of(&map, 13, 15), 1, 1e-12);
    joint_map_free(&map);
    skeleton_free(&plain);
    skeleton_free(&more);
}

TEST(map_rows_are_normalized_and_checked)
{
    const JointMapRow rows[] = {{2, 0, 3}, {0, 1, 2}, {2, 1, 1}}, bad = {0, 0, -1};
    JointMap map;
    Error err = {0};
    (void)state;
    assert_int_equal(joint_map_from_rows(&map, 3, rows, 3, NULL), STATUS_OK);
    assert_near(weight_of(&map, 2, 0), 0.75, 1e-15);
    assert_near(weight_of(&map, 2, 1), 0.25, 1e-15);
    assert_int_equal(map.first[1], map.first[2]); /* keeps its rest pose */
    joint_map_free(&map);
    assert_int_equal(joint_map_from_rows(&map, 1, &bad, 1, &err), STATUS_BAD_INPUT);
    assert_null(map.row);
}

/* A skeleton with names of roles and without roles, as for a dog. */
TEST(joints_without_roles_are_mapped_by_name)
{
    Skeleton creature, human;
    ReferencePose t, s;
    JointMap map;
    Arena arena = {0};
    (void)state;
    walker_skeleton(&human);
    walker_skeleton(&creature);
    for (int j = 0; j < WALKER_JOINTS; j++)
        creature.role[j] = creature.segment[j] = ROLE_NONE;
    ClipView to = {.skeleton = &creature}, from = {.skeleton = &human};
    assert_int_equal(reference_pose_init(&t, &to, REFERENCE_REST, &arena, NULL), STATUS_OK);
    assert_int_equal(reference_pose_init(&s, &from, REFERENCE_REST, &arena, NULL), STATUS_OK);
    assert_int_equal(joint_map_template(&map, &t, &s, NULL), STATUS_OK);
    for (int j = 1; j < 9; j++)
        assert_near(weight_of(&map, j, j), 1, 0);
    joint_map_free(&map);
    for (int j = 0; j < WALKER_JOINTS; j++)
        skeleton_set_name(&creature, j, "bone", NULL);
    assert_int_equal(joint_map_template(&map, &t, &s, NULL), STATUS_BAD_INPUT);
    arena_free(&arena);
    skeleton_free(&creature);
    skeleton_free(&human);
}
