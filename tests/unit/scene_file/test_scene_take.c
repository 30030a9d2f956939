/* Takes from scenes: which nodes are joints, at which frames they are sampled, and where scales that act otherwise put
 * them. */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "formats/scene_file/scene_take.h"

typedef struct NodeRow {
    const char *name;
    int parent;
    SceneNodeKind kind;
    Vec3 at;
} NodeRow;

static Scene make_scene(const NodeRow *rows, int count, int channels)
{
    Scene s;
    assert_int_equal(scene_init(&s, count, channels, NULL), STATUS_OK);
    for (int i = 0; i < count; i++) {
        s.node[i].name = strdup(rows[i].name);
        s.node[i].parent = rows[i].parent;
        s.node[i].kind = rows[i].kind;
        s.node[i].rest = scene_local(rows[i].at, QUAT_IDENTITY, vec3(1, 1, 1));
    }
    return s;
}

/* Turns a node about Z by a right angle over keys at these times. */
static void turn(Scene *s, int channel, int node, const double *time, int count)
{
    SceneKeys *keys = &s->channel[channel].path[SCENE_ROTATION];
    assert_int_equal(scene_keys_init(keys, SCENE_ROTATION, count, SCENE_LINEAR, NULL), STATUS_OK);
    s->channel[channel].node = node;
    for (int k = 0; k < count; k++) {
        Quat q = quat_from_axis_angle(vec3(0, 0, 1), count > 1 ? 1.5707963267948966 * k / (count - 1) : 0);
        memcpy(keys->time, time, (size_t)count * sizeof *time);
        keys->value[4 * k + 2] = q.z;
        keys->value[4 * k + 3] = q.w;
    }
}

static Take read_scene(Scene *s, const SourceDef *def)
{
    Take take = {0};
    Error err = {0};
    SourceDef usual = source_default_def();
    if (scene_take(s, "test", def ? def : &usual, &take, &err))
        fail_msg("%s", err.text);
    scene_free(s);
    return take;
}

static const double second[] = {0, 1};
static const NodeRow tree[] = {
    {"Scene", -1, SCENE_PLAIN, {5, 0, 0}}, {"Armature", 0, SCENE_PLAIN, {0, 1, 0}}, {"Hips", 1, SCENE_PLAIN, {0, 1, 0}},
    {"Leg", 2, SCENE_PLAIN, {0, -1, 0}},   {"Toe_End", 3, SCENE_PLAIN, {0, 0, 1}},  {"skin", 2, SCENE_MESH, {0, 0, 0}},
    {"eye", 2, SCENE_OTHER, {0, 0, 0}},    {"Prop", -1, SCENE_PLAIN, {0, 0, 0}},    {"Grip", 7, SCENE_PLAIN, {1, 0, 0}},
};

TEST(groups_above_the_hips_and_meshes_are_no_joints)
{
    Scene s = make_scene(tree, 7, 2);
    (void)state;
    turn(&s, 0, 2, second, 2);
    turn(&s, 1, 3, second, 2);
    Take take = read_scene(&s, NULL);
    assert_int_equal(take.skeleton.joint_count, 2);
    assert_string_equal(take.skeleton.name[0], "Hips");
    assert_int_equal(take.skeleton.end_count, 1);
    assert_near(take.motion.root_position[0].x, 5, 0);
    assert_near(take.motion.root_position[0].y, 2, 0);
    take_free(&take);
}

TEST(moving_group_is_joint)
{
    Scene s = make_scene(tree, 7, 2);
    (void)state;
    turn(&s, 0, 1, second, 2);
    turn(&s, 1, 2, second, 2);
    Take take = read_scene(&s, NULL);
    assert_int_equal(take.skeleton.joint_count, 3);
    assert_string_equal(take.skeleton.name[0], "Armature");
    take_free(&take);
}

TEST(largest_tree_is_read_and_others_are_named)
{
    Scene s = make_scene(tree, 9, 2), named = make_scene(tree, 9, 2), all = make_scene(tree, 9, 2);
    SourceDef def = source_default_def();
    Scene *scenes[] = {&s, &named, &all};
    (void)state;
    for (int i = 0; i < 3; i++) {
        turn(scenes[i], 0, 2, second, 2);
        turn(scenes[i], 1, 8, second, 2);
    }
    Take take = read_scene(&s, NULL);
    assert_string_equal(take.skeleton.name[0], "Hips");
    assert_int_equal(take.findings.count, 1);
    assert_non_null(strstr(take.findings.found[0].text, "Grip"));
    take_free(&take);
    def.root = "Grip";
    take = read_scene(&named, &def);
    assert_int_equal(take.skeleton.joint_count, 1);
    take_free(&take);
    def.root = "all";
    take = read_scene(&all, &def);
    assert_int_equal(take.skeleton.joint_count, 4);
    assert_string_equal(take.skeleton.name[0], "World");
    assert_near(take.motion.root_position[0].x, 0, 0);
    take_free(&take);
}

/* A scaled parent whose child turns by a quarter, and a grandchild: where each inheritance puts the latter. */
static Vec3 place_grandchild(SceneInherit inherit)
{
    static const NodeRow chain[] = {
        {"A", -1, SCENE_BONE, {0, 0, 0}}, {"B", 0, SCENE_BONE, {1, 0, 0}}, {"C", 1, SCENE_BONE, {1, 0, 0}}};
    Scene s = make_scene(chain, 3, 1);
    s.node[0].rest = scene_local(vec3(0, 0, 0), QUAT_IDENTITY, vec3(3, 1, 1));
    for (int i = 0; i < 3; i++)
        s.node[i].inherit = inherit;
    turn(&s, 0, 1, second, 2);
    Take take = read_scene(&s, NULL);
    const Motion *m = &take.motion;
    int last = m->frame_count - 1;
    Vec3 at = m->root_position[last];
    Quat q = QUAT_IDENTITY;
    for (int j = 0; j < 3; j++) {
        size_t i = motion_index(m, last, j);
        if (j > 0)
            at = vec3_add(at, quat_rotate(q, m->translation ? m->translation[i] : take.skeleton.offset[j]));
        q = quat_mul(q, m->rotation[i]);
    }
    take_free(&take);
    return at;
}

TEST(scale_is_inherited_by_type)
{
    Vec3 matrices = place_grandchild(SCENE_RSRS), rotations = place_grandchild(SCENE_RRSS);
    Vec3 none = place_grandchild(SCENE_RRS);
    (void)state;
    assert_near(matrices.x, 3, 1e-9); /* B is at (3, 0, 0) in all; C at 90 degrees from it, by 1 along the world's Y */
    assert_near(matrices.y, 1, 1e-9);
    assert_near(rotations.x, 3, 1e-9); /* the scale of 3 acts along B's own X */
    assert_near(rotations.y, 3, 1e-9);
    assert_near(none.x, 3, 1e-9); /* A's own scale is not inherited */
    assert_near(none.y, 1, 1e-9);
}

static double rate_of(const double *time, int count, double stated, int *frames)
{
    Scene s = make_scene(tree, 5, 1);
    turn(&s, 0, 2, time, count);
    s.rate = stated;
    Take take = read_scene(&s, NULL);
    double rate = 1 / take.motion.frame_time;
    *frames = take.motion.frame_count;
    take_free(&take);
    return rate;
}

TEST(rate_follows_keys)
{
    static const double sparse[] = {0, 0.5, 0.75}, ntsc[] = {0, 1.001 / 30, 2.002 / 30}, slow[] = {0, 0.1, 0.2};
    static const double halves[] = {0, 1. / 60, 1. / 30}, gaps[] = {0, 0.2, 0.5};
    int frames;
    (void)state;
    assert_near(rate_of(sparse, 3, 0, &frames), 24, 1e-9); /* the lowest usual rate with a frame at every key */
    assert_int_equal(frames, 19);
    assert_near(rate_of(ntsc, 3, 0, &frames), 30 / 1.001, 1e-9);
    assert_near(rate_of(slow, 3, 0, &frames), 30, 1e-9);
    assert_near(rate_of(halves, 3, 30, &frames), 60, 1e-9); /* keys between the stated frames */
    assert_near(rate_of(gaps, 3, 25, &frames), 50, 1e-9);
    assert_int_equal(frames, 26);
}

TEST(frames_have_a_limit)
{
    static const double long_time[] = {0, 1e8};
    Scene s = make_scene(tree, 5, 1);
    SourceDef def = source_default_def();
    Take take = {0};
    Error err = {0};
    (void)state;
    turn(&s, 0, 2, long_time, 2);
    assert_int_equal(scene_take(&s, "test", &def, &take, &err), STATUS_LIMIT);
    take_free(&take);
    scene_free(&s);
}

TEST(impossible_rates_are_ignored_and_positions_refused)
{
    static const double times[] = {0, 1. / 30, 2. / 30};
    Scene s = make_scene(tree, 5, 1);
    SourceDef def = source_default_def();
    Take take = {0};
    int frames;
    (void)state;
    assert_near(rate_of(times, 3, 1e-300, &frames), 30, 1e-9);
    assert_near(rate_of(times, 3, 1e300, &frames), 30, 1e-9);
    turn(&s, 0, 2, times, 3);
    s.node[4].rest.shift.z = 1e200; /* an end site */
    assert_int_equal(scene_take(&s, "test", &def, &take, NULL), STATUS_BAD_INPUT);
    take_free(&take);
    scene_free(&s);
}
