/* analysis/detect/positions, local_positions, root_position: the interpretation of root offsets that puts the feet on
 * the floor, that of position channels that keeps bone lengths, and files without a root path. */
#include "analysis/motion/forward_kinematics.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/detect/local_positions.h"
#include "analysis/detect/pose_sample.h"
#include "analysis/detect/position_meaning.h"
#include "analysis/detect/positions.h"
#include "analysis/detect/root_position.h"
#include "analysis/detect/up_axis.h"
#include "tests/support/walker.h"

static RootOffset find(const Skeleton *s, const Motion *m, double *confidence)
{
    PoseSample sample;
    RootOffsetDecision decision;
    assert_int_equal(pose_sample_init(&sample, s, m, 0, 20, NULL), STATUS_OK);
    assert_int_equal(root_offset_from_poses(s, m, &sample, UP_Y, &decision, NULL), STATUS_OK);
    pose_sample_free(&sample);
    *confidence = decision.confidence;
    return decision.meaning;
}

static void shift_root(Motion *m, Vec3 by)
{
    for (int f = 0; f < m->frame_count; f++)
        m->root_position[f] = vec3_add(m->root_position[f], by);
}

TEST(root_offset_is_added_to_channels_around_zero)
{
    double confidence;
    const Vec3 offsets[] = {{0, 95, 0}, {12, 91, -40}};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        Skeleton s;
        Motion m;
        walker_skeleton(&s);
        walker_motion(&m, 60, 30);
        walker_to_file(&s, &m, 0.01, UP_Y);
        s.offset[0] = offsets[i];
        assert_int_equal(find(&s, &m, &confidence), ROOT_OFFSET_REPLACE);
        shift_root(&m, vec3_neg(offsets[i]));
        assert_int_equal(find(&s, &m, &confidence), ROOT_OFFSET_ADD);
        assert_true(confidence > 0.9);
        skeleton_free(&s);
        motion_free(&m);
    }
}

/* Channels that begin at zero are displacements, although a camera origin puts the floor elsewhere. */
TEST(root_offset_is_added_to_displacements)
{
    double confidence;
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    walker_motion(&m, 60, 30);
    walker_to_file(&s, &m, 0.001, UP_Y);
    s.offset[0] = vec3(-394, -314, 2114);
    shift_root(&m, vec3_neg(m.root_position[0]));
    assert_int_equal(find(&s, &m, &confidence), ROOT_OFFSET_ADD);
    skeleton_free(&s);
    motion_free(&m);
}

/* MotionBuilder writes the position of a frame as the offset: horizontally, channels near it replace it. */
TEST(root_offset_at_the_first_frame_is_replaced)
{
    double confidence;
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    walker_motion(&m, 60, 30);
    s.offset[0] = m.root_position[0];
    assert_int_equal(find(&s, &m, &confidence), ROOT_OFFSET_REPLACE);
    assert_true(confidence > 0.9);
    s.offset[0] = vec3(0, 0, 0); /* irrelevant */
    assert_int_equal(find(&s, &m, &confidence), ROOT_OFFSET_REPLACE);
    assert_near(confidence, 1, 0);
    skeleton_free(&s);
    motion_free(&m);
}

/* ---- Joints below the root ---- */

/* The walker with world positions and rotations of its joints in each frame. */
typedef struct World {
    Skeleton s;
    Motion m;
    Vec3 *place;  /* [frame][joint] */
    Quat *turned; /* [frame][joint] */
} World;

static void world_init(World *w)
{
    size_t points = 40 * WALKER_JOINTS;
    Motion walk;
    walker_skeleton(&w->s);
    walker_motion(&walk, 40, 30);
    w->place = calloc(points, sizeof *w->place);
    w->turned = calloc(points, sizeof *w->turned);
    assert_int_equal(forward_kinematics(&(ClipView){.skeleton = &w->s, .motion = &walk}, LANES_AUTO,
                                        &(WorldPoses){.position = w->place, .orientation = w->turned}, NULL),
                     STATUS_OK);
    assert_int_equal(motion_init(&w->m, 40, WALKER_JOINTS, 1.0 / 30, 1, NULL), STATUS_OK);
    for (size_t i = 0; i < points; i++) {
        w->m.rotation[i] = walk.rotation[i];
        w->m.translation[i] = i % WALKER_JOINTS ? w->place[i] : vec3(0, 0, 0);
    }
    for (int f = 0; f < 40; f++)
        w->m.root_position[f] = walk.root_position[f];
    motion_free(&walk);
}

static void world_free(World *w)
{
    skeleton_free(&w->s);
    motion_free(&w->m);
    free(w->place);
    free(w->turned);
}

/* Decides, converts, and compares the resulting joint positions with the original ones. */
static void expect_world(World *w, double tolerance)
{
    PositionDecision decision;
    Vec3 *place = calloc(40 * WALKER_JOINTS, sizeof *place);
    assert_int_equal(positions_decide(&w->s, &w->m, &decision, NULL), STATUS_OK);
    assert_int_equal(decision.meaning, POSITIONS_WORLD);
    assert_true(decision.confidence > 0.95);
    assert_int_equal(positions_to_local(decision.meaning, &w->s, &w->m, NULL), STATUS_OK);
    assert_null(w->m.translation); /* the bones are rigid again */
    assert_int_equal(forward_kinematics(&(ClipView){.skeleton = &w->s, .motion = &w->m}, LANES_AUTO,
                                        &(WorldPoses){.position = place, .orientation = w->turned}, NULL), STATUS_OK);
    for (int i = 0; i < 40 * WALKER_JOINTS; i++)
        assert_vec3_near(place[i], w->place[i], tolerance);
    free(place);
}

TEST(world_positions_become_local)
{
    World w;
    world_init(&w);
    expect_world(&w, 1e-12);
    world_free(&w);
}

/* Both of two frames count: the first alone suggests local; world positions differ more from the offsets. */
TEST(two_frames_are_both_compared)
{
    World w;
    PositionDecision one, two;
    world_init(&w);
    for (int j = 0; j < WALKER_JOINTS; j++)
        w.m.translation[motion_index(&w.m, 0, j)] = w.s.offset[j];
    w.m.frame_count = 1;
    assert_int_equal(positions_decide(&w.s, &w.m, &one, NULL), STATUS_OK);
    w.m.frame_count = 2;
    assert_int_equal(positions_decide(&w.s, &w.m, &two, NULL), STATUS_OK);
    assert_int_equal(one.meaning, POSITIONS_LOCAL);
    assert_int_equal(two.meaning, POSITIONS_WORLD);
    w.m.frame_count = 40;
    world_free(&w);
}

/* One pose shows no change of bones, only the difference from the lengths of its offsets. */
TEST(one_frame_determines_the_meaning)
{
    World w;
    PositionDecision decision;
    world_init(&w);
    w.m.frame_count = 1;
    assert_int_equal(positions_decide(&w.s, &w.m, &decision, NULL), STATUS_OK);
    assert_int_equal(decision.meaning, POSITIONS_WORLD);
    w.m.frame_count = 0;
    assert_int_equal(positions_decide(&w.s, &w.m, &decision, NULL), STATUS_OK);
    assert_int_equal(decision.meaning, POSITIONS_LOCAL);
    w.m.frame_count = 40;
    world_free(&w);
}

TEST(world_rotations_are_found)
{
    World w;
    world_init(&w);
    memcpy(w.m.rotation, w.turned, 40 * WALKER_JOINTS * sizeof *w.turned);
    expect_world(&w, 1e-12);
    world_free(&w);
}

/* Positions without rotations: the walker's bones have one child, or several rigid ones, so positions are recovered. */
TEST(missing_rotations_are_solved_from_positions)
{
    World w;
    world_init(&w);
    for (int i = 0; i < 40 * WALKER_JOINTS; i++)
        w.m.rotation[i] = QUAT_IDENTITY;
    expect_world(&w, 1e-6);
    world_free(&w);
}

/* Exporters that write zero offsets: the first frame is the rest pose. */
TEST(zero_offsets_are_taken_from_the_first_frame)
{
    World w;
    world_init(&w);
    for (int j = 0; j < WALKER_JOINTS; j++)
        w.s.offset[j] = vec3(0, 0, 0);
    expect_world(&w, 1e-9);
    assert_near(vec3_norm(w.s.offset[2]), 0.42, 1e-9);
    world_free(&w);
}

/* A bone whose length differs in one frame, the first or the last, is not rigid: positions of that frame are kept. */
TEST(nonrigid_first_or_last_frame_keeps_positions)
{
    enum { TOE = 4 };
    const int frames[] = {0, 39};
    (void)state;
    for (int i = 0; i < 2; i++) {
        World w;
        world_init(&w);
        Vec3 *place = &w.m.translation[motion_index(&w.m, frames[i], TOE)];
        *place = vec3_add(*place, vec3(0, 0, 0.05));
        assert_int_equal(positions_to_local(POSITIONS_WORLD, &w.s, &w.m, NULL), STATUS_OK);
        assert_non_null(w.m.translation);
        assert_near(vec3_distance(w.m.translation[motion_index(&w.m, frames[i], TOE)],
                                  w.m.translation[motion_index(&w.m, 20, TOE)]), 0.05, 1e-9);
        world_free(&w);
    }
}

/* Zero displacements would collapse the body into its root. */
TEST(displacements_are_added)
{
    World w;
    PositionDecision decision;
    world_init(&w);
    for (int i = 0; i < 40 * WALKER_JOINTS; i++)
        w.m.translation[i] = vec3(0, 0, 0);
    assert_int_equal(positions_decide(&w.s, &w.m, &decision, NULL), STATUS_OK);
    assert_int_equal(decision.meaning, POSITIONS_ADDED);
    assert_int_equal(positions_to_local(decision.meaning, &w.s, &w.m, NULL), STATUS_OK);
    assert_null(w.m.translation);
    world_free(&w);
}

/* The common interpretation is kept: bones that lengthen by 10 %, a swaying pelvis, a hand-held prop. */
TEST(local_positions_are_unchanged)
{
    for (int kind = 0; kind < 3; kind++) {
        World w;
        PositionDecision decision;
        world_init(&w);
        for (int f = 0; f < 40; f++)
            for (int j = 1; j < WALKER_JOINTS; j++) {
                double wave = elementary_sin(0.4 * f + j);
                Vec3 t = w.s.offset[j];
                if (kind == 0)
                    t = vec3_scale(t, 1 + 0.1 * wave);
                if (kind == 1 && j == 9)
                    t = vec3_add(t, vec3(0.03 * wave, 0, 0));
                if (kind == 2 && j == 19)
                    t = vec3(wave, 1 + wave, 2 * wave);
                w.m.translation[motion_index(&w.m, f, j)] = t;
            }
        Vec3 *before = calloc(40 * WALKER_JOINTS, sizeof *before);
        memcpy(before, w.m.translation, 40 * WALKER_JOINTS * sizeof *before);
        assert_int_equal(positions_decide(&w.s, &w.m, &decision, NULL), STATUS_OK);
        assert_int_equal(decision.meaning, POSITIONS_LOCAL);
        assert_true(decision.confidence > 0.8);
        assert_int_equal(positions_to_local(decision.meaning, &w.s, &w.m, NULL), STATUS_OK);
        assert_memory_equal(before, w.m.translation, 40 * WALKER_JOINTS * sizeof *before);
        free(before);
        world_free(&w);
    }
}

/* An offset rounded to six digits. */
static const double six_digits = 1e-6;

/* The hips move below a static root, and their OFFSET is the position of the subject: with `added`, their bone length
 * varies less. All other joints indicate local, with rounding and, as the file lists its channels, without. */
TEST(one_joint_does_not_decide_the_meaning)
{
    for (int rounded = 0; rounded < 2; rounded++) {
        World w;
        PositionDecision decision;
        world_init(&w);
        assert_int_equal(skeleton_add_channels(&w.s, NULL), STATUS_OK);
        w.s.offset[9] = vec3(0, 1, -4.5);
        for (int j = 0; j < WALKER_JOINTS; j++)
            w.s.channels[j] = 123645;
        for (int f = 0; f < 40; f++)
            for (int j = 1; j < WALKER_JOINTS; j++) {
                Vec3 off = vec3_scale(vec3(1, -1, 0.5), rounded * six_digits * (j % 3 - 1));
                w.m.translation[motion_index(&w.m, f, j)] =
                    j == 9 ? vec3(0.001 * f, 0.9, 0.02 * f) : vec3_add(w.s.offset[j], off);
            }
        assert_int_equal(positions_decide(&w.s, &w.m, &decision, NULL), STATUS_OK);
        assert_int_equal(decision.meaning, POSITIONS_LOCAL);
        assert_true(decision.confidence > 0.95);
        world_free(&w);
    }
}

/* Joints of one file disagree: the majority decides, with a confidence that grows with its fraction. */
TEST(majority_of_joints_decides_the_meaning)
{
    double before = 1;
    for (int added = 8; added <= 19; added++) {
        World w;
        PositionDecision decision;
        world_init(&w);
        assert_int_equal(skeleton_add_channels(&w.s, NULL), STATUS_OK);
        for (int j = 1; j < WALKER_JOINTS; j++) {
            w.s.channels[j] = 123645;
            w.s.offset[j] = vec3(0, 0.3, 0);
            for (int f = 0; f < 40; f++)
                w.m.translation[motion_index(&w.m, f, j)] = j <= added ? vec3(0, 0, 0) : w.s.offset[j];
        }
        assert_int_equal(positions_decide(&w.s, &w.m, &decision, NULL), STATUS_OK);
        assert_int_equal(decision.meaning, added < 13 ? POSITIONS_LOCAL : POSITIONS_ADDED);
        double odds = decision.meaning == POSITIONS_ADDED ? decision.confidence : 1 - decision.confidence;
        assert_true(added == 8 || odds > before);
        before = odds;
        world_free(&w);
    }
    assert_true(before > 0.999);
}

/* Constant channels different from the OFFSETs define another body: that one is measured and weighed. */
TEST(constant_channels_become_offsets)
{
    World w;
    world_init(&w);
    for (int f = 0; f < 40; f++)
        for (int j = 1; j < WALKER_JOINTS; j++)
            w.m.translation[motion_index(&w.m, f, j)] = vec3_scale(walker_joints[j].offset, 1.5);
    assert_int_equal(positions_to_local(POSITIONS_LOCAL, &w.s, &w.m, NULL), STATUS_OK);
    for (int j = 1; j < WALKER_JOINTS; j++)
        assert_vec3_near(w.s.offset[j], vec3_scale(walker_joints[j].offset, 1.5), 1e-12);
    world_free(&w);
}

TEST(positions_without_channels_are_local)
{
    Skeleton s;
    Motion m;
    PositionDecision decision;
    walker_skeleton(&s);
    walker_motion(&m, 10, 30);
    assert_int_equal(positions_decide(&s, &m, &decision, NULL), STATUS_OK);
    assert_int_equal(decision.meaning, POSITIONS_LOCAL);
    assert_near(decision.confidence, 1, 0);
    assert_int_equal(positions_to_local(POSITIONS_WORLD, &s, &m, NULL), STATUS_OK);
    skeleton_free(&s);
    motion_free(&m);
}

/* ---- Root path ---- */

static int path_missing(const Skeleton *s, const Motion *m)
{
    PoseSample sample;
    assert_int_equal(pose_sample_init(&sample, s, m, 0, 20, NULL), STATUS_OK);
    int missing = root_path_is_missing(s, m, &sample), found;
    pose_sample_free(&sample);
    assert_int_equal(root_path_find_missing(s, m, &found, NULL), STATUS_OK);
    assert_int_equal(found, missing);
    return missing;
}

TEST(walk_in_place_has_no_root_path)
{
    Skeleton s;
    Motion m;
    walker_skeleton(&s);
    walker_motion(&m, 60, 30);
    assert_false(path_missing(&s, &m));
    for (int f = 0; f < 60; f++)
        m.root_position[f].z = 0; /* a treadmill: the hips still oscillate */
    assert_false(path_missing(&s, &m));
    for (int f = 0; f < 60; f++)
        m.root_position[f] = vec3(0, 0.94, 0);
    assert_true(path_missing(&s, &m));
    for (int f = 0; f < 60; f++)
        for (int j = 1; j <= 8; j++)
            m.rotation[motion_index(&m, f, j)] = QUAT_IDENTITY;
    for (int f = 0; f < 60; f++)
        m.rotation[motion_index(&m, f, 0)] = QUAT_IDENTITY;
    assert_false(path_missing(&s, &m)); /* standing with swinging arms */
    skeleton_free(&s);
    motion_free(&m);
}

/* The root is static, but the hips below it have their own position channels. */
TEST(hips_below_the_root_may_have_the_path)
{
    World w;
    world_init(&w);
    for (int f = 0; f < 40; f++)
        for (int j = 1; j < WALKER_JOINTS; j++) {
            int leg = j == 1 || j == 5;
            Vec3 path = vec3_scale(w.m.root_position[f], leg);
            w.m.translation[motion_index(&w.m, f, j)] = vec3_add(w.s.offset[j], path);
        }
    for (int f = 0; f < 40; f++)
        w.m.root_position[f] = vec3(0, 0, 0);
    assert_false(path_missing(&w.s, &w.m));
    world_free(&w);
}
