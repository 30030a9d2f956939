/* formats/bvh/bvh: the posed skeleton of the clip equals that of the file, rotated and scaled; export to BVH. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"
#include "tests/support/walker.h"

/* World positions of all joints in a frame. */
static void place(const Skeleton *s, const Motion *m, int frame, Vec3 *position)
{
    Quat world[64];
    for (int j = 0; j < s->joint_count; j++) {
        size_t i = motion_index(m, frame, j);
        int p = s->parent[j];
        Vec3 local = m->translation ? m->translation[i] : s->offset[j];
        position[j] = p < 0 ? m->root_position[frame] : vec3_add(position[p], quat_rotate(world[p], local));
        world[j] = p < 0 ? m->rotation[i] : quat_mul(world[p], m->rotation[i]);
    }
}

static void assert_same_poses(const Clip *a, const Clip *b, double tolerance)
{
    Vec3 pa[64], pb[64];
    assert_int_equal(a->motion.frame_count, b->motion.frame_count);
    for (int f = 0; f < a->motion.frame_count; f++) {
        place(&a->skeleton, &a->motion, f, pa);
        place(&b->skeleton, &b->motion, f, pb);
        for (int j = 0; j < a->skeleton.joint_count; j++)
            assert_vec3_near(pa[j], pb[j], tolerance);
    }
}

/* The walker as BVH in a unit, with an up axis. */
static void walker_bvh(Bvh *bvh, int frames, double meters_per_unit, UpAxis up)
{
    Clip clip = {0};
    walker_skeleton(&clip.skeleton);
    walker_motion(&clip.motion, frames, 30);
    walker_to_file(&clip.skeleton, &clip.motion, meters_per_unit * 100, up); /* the export multiplies by 100 */
    assert_int_equal(bvh_from_clip(&clip, bvh, NULL), STATUS_OK);
    clip_free(&clip);
}

TEST(every_axis_and_unit_gives_the_same_clip)
{
    const UpAxis axes[] = {UP_X, UP_Y, UP_Z, UP_MINUS_X, UP_MINUS_Y, UP_MINUS_Z};
    const double units[] = {1, 0.01, 0.0254};
    Clip truth = {0};
    walker_skeleton(&truth.skeleton);
    walker_motion(&truth.motion, 40, 30);
    for (size_t a = 0; a < 6; a++)
        for (size_t u = 0; u < 3; u++) {
            Bvh bvh;
            Clip clip = {0};
            ImportGuess e;
            ImportGuessDef def = import_guess_default_def();
            walker_bvh(&bvh, 40, units[u], axes[a]);
            assert_int_equal(clip_from_bvh(&bvh, &def, &clip, &e, NULL), STATUS_OK);
            assert_int_equal(e.up, axes[a]);
            assert_near(clip.provenance.meters_per_unit, units[u], 1e-15);
            assert_string_equal(clip.provenance.up_axis, up_axis_name(axes[a]));
            assert_same_poses(&clip, &truth, 1e-12);
            for (int j = 1; j < WALKER_JOINTS; j++)
                assert_vec3_near(clip.skeleton.offset[j], walker_joints[j].offset, 1e-13);
            assert_vec3_near(clip.skeleton.end_offset[0], walker_end_offset[0], 1e-13);
            assert_int_equal(clip.skeleton.role[1], ROLE_LEFT_HIP);
            clip_free(&clip);
            bvh_free(&bvh);
        }
    clip_free(&truth);
}

TEST(clip_round_trip_through_bvh_is_exact)
{
    Bvh first, second;
    Clip a = {0}, b = {0};
    ImportGuessDef def = {.fps = 30};
    walker_bvh(&first, 50, 0.0254, UP_Z);
    assert_int_equal(clip_from_bvh(&first, &def, &a, NULL, NULL), STATUS_OK);
    assert_int_equal(bvh_from_clip(&a, &second, NULL), STATUS_OK);
    assert_int_equal(clip_from_bvh(&second, &def, &b, NULL, NULL), STATUS_OK);
    assert_same_poses(&a, &b, 1e-12);
    assert_null(b.motion.translation);
    assert_int_equal(second.channel_count, 6 + 3 * (WALKER_JOINTS - 1));
    for (size_t i = 0; i < (size_t)a.motion.frame_count * WALKER_JOINTS; i++)
        assert_near(quat_dot(a.motion.rotation[i], b.motion.rotation[i]), 1, 1e-13); /* signs too */
    clip_free(&a);
    clip_free(&b);
    bvh_free(&first);
    bvh_free(&second);
}

TEST(signs_are_continuous)
{
    Bvh bvh;
    Clip clip = {0};
    ImportGuessDef def = import_guess_default_def();
    walker_bvh(&bvh, 60, 0.01, UP_Y);
    int spin = bvh.first_channel[13]; /* three and a half turns of the arm over the clip */
    for (int f = 0; f < 60; f++)
        bvh.value[f * bvh.channel_count + spin] = 21.0 * f;
    assert_int_equal(clip_from_bvh(&bvh, &def, &clip, NULL, NULL), STATUS_OK);
    assert_true(clip.motion.rotation[13].w >= 0);
    for (int f = 1; f < 60; f++)
        assert_true(quat_dot(clip.motion.rotation[motion_index(&clip.motion, f, 13)],
                             clip.motion.rotation[motion_index(&clip.motion, f - 1, 13)]) > 0);
    clip_free(&clip);
    bvh_free(&bvh);
}

/* ---- A small tree with channels that the export does not write ---- */

typedef struct HandJoint {
    int parent;
    Vec3 offset;
    int count;
    BvhChannel channel[6];
} HandJoint;

static void hand_bvh(Bvh *bvh, const HandJoint *joint, int joint_count, int frames)
{
    *bvh = (Bvh){.joint_count = joint_count, .frame_count = frames, .frame_time = 0.01};
    bvh->name = calloc((size_t)joint_count, sizeof *bvh->name);
    bvh->parent = calloc((size_t)joint_count, sizeof *bvh->parent);
    bvh->offset = calloc((size_t)joint_count, sizeof *bvh->offset);
    bvh->first_channel = calloc((size_t)joint_count, sizeof *bvh->first_channel);
    bvh->joint_channels = calloc((size_t)joint_count, sizeof *bvh->joint_channels);
    bvh->channel = calloc((size_t)joint_count * 6, sizeof *bvh->channel);
    for (int j = 0; j < joint_count; j++) {
        bvh->name[j] = strdup("a");
        bvh->name[j][0] = (char)('a' + j);
        bvh->parent[j] = joint[j].parent;
        bvh->offset[j] = joint[j].offset;
        bvh->first_channel[j] = bvh->channel_count;
        bvh->joint_channels[j] = joint[j].count;
        memcpy(bvh->channel + bvh->channel_count, joint[j].channel, (size_t)joint[j].count * sizeof(BvhChannel));
        bvh->channel_count += joint[j].count;
    }
    bvh->value = calloc((size_t)frames * (size_t)bvh->channel_count + 1, sizeof *bvh->value);
}

static const ImportGuessDef metres = {.meters_per_unit = 1, .up = UP_Y, .fps = 100, .root_offset = ROOT_OFFSET_REPLACE};

TEST(child_positions_replace_their_offset)
{
    const HandJoint tree[] = {
        {-1, {1, 2, 3}, 6, {BVH_XROTATION, BVH_YROTATION, BVH_ZROTATION, BVH_XPOSITION, BVH_YPOSITION, BVH_ZPOSITION}},
        {0, {4, 5, 6}, 4, {BVH_YPOSITION, BVH_ZROTATION, BVH_XROTATION, BVH_YROTATION}},
        {0, {7, 8, 9}, 0, {0}},
    };
    Bvh bvh;
    Clip clip = {0};
    hand_bvh(&bvh, tree, 3, 2);
    const double rows[2][10] = {{0, 0, 90, 10, 20, 30, 5, 0, 0, 0}, {0, 0, 90, 10, 20, 30, -50, 0, 0, 0}};
    memcpy(bvh.value, rows, sizeof rows);
    assert_int_equal(clip_from_bvh(&bvh, &metres, &clip, NULL, NULL), STATUS_OK);
    assert_non_null(clip.motion.translation);
    assert_vec3_near(clip.motion.translation[1], vec3(4, 5, 6), 0);
    assert_vec3_near(clip.motion.translation[4], vec3(4, -50, 6), 0); /* axes without a channel keep the offset */
    assert_vec3_near(clip.motion.translation[5], vec3(7, 8, 9), 0);
    assert_vec3_near(clip.motion.translation[3], vec3(0, 0, 0), 0);
    Vec3 position[3];
    place(&clip.skeleton, &clip.motion, 1, position);
    assert_vec3_near(position[1], vec3(10 + 50, 20 + 4, 36), 1e-13); /* the root is rotated by 90 deg about z */
    Bvh back;
    Clip again = {0};
    assert_int_equal(bvh_from_clip(&clip, &back, NULL), STATUS_OK);
    assert_int_equal(back.joint_channels[1], 6);
    assert_int_equal(back.joint_channels[2], 0); /* as in the file: constant */
    ImportGuessDef centimetres = metres;
    centimetres.meters_per_unit = 0.01;
    assert_int_equal(clip_from_bvh(&back, &centimetres, &again, NULL, NULL), STATUS_OK);
    assert_same_poses(&clip, &again, 1e-12);
    clip_free(&again);
    bvh_free(&back);
    clip_free(&clip);
    bvh.value[16] = 5.00002; /* equal within the digits of the file: the offset, not a translation */
    assert_int_equal(clip_from_bvh(&bvh, &metres, &clip, NULL, NULL), STATUS_OK);
    assert_null(clip.motion.translation);
    clip_free(&clip);
    bvh_free(&bvh);
}

static void assert_channels(const Bvh *bvh, int j, int packed)
{
    assert_int_equal(bvh_channels_pack(bvh->channel + bvh->first_channel[j], bvh->joint_channels[j]), packed);
}

/* All kinds of channel orders and their angles are preserved; channels that the motion also requires are added. */
TEST(channels_keep_the_order_of_the_file)
{
    const HandJoint tree[] = {
        {-1, {0, 0, 0}, 6, {BVH_YROTATION, BVH_XROTATION, BVH_ZROTATION, BVH_ZPOSITION, BVH_XPOSITION, BVH_YPOSITION}},
        {0, {0, 1, 0}, 3, {BVH_XROTATION, BVH_ZROTATION, BVH_YROTATION}},
        {1, {0, 1, 0}, 6, {BVH_XPOSITION, BVH_YPOSITION, BVH_ZPOSITION, BVH_ZROTATION, BVH_YROTATION, BVH_XROTATION}},
        {2, {0, 1, 0}, 1, {BVH_YROTATION}},
        {3, {0, 1, 0}, 0, {0}},
    };
    const double row[16] = {10, 20, 30, 3, 1, 2, -40, 50, 60, 0, 1, 0, 70, -80, 15, 25};
    Bvh bvh, back;
    Clip clip = {0};
    hand_bvh(&bvh, tree, 5, 1);
    memcpy(bvh.value, row, sizeof row);
    assert_int_equal(clip_from_bvh(&bvh, &metres, &clip, NULL, NULL), STATUS_OK);
    assert_int_equal(bvh_from_clip(&clip, &back, NULL), STATUS_OK);
    const int packed[5] = {546312, 465, 123654, 5, 0};
    for (int j = 0; j < 5; j++)
        assert_channels(&back, j, packed[j]);
    for (int c = 0; c < 16; c++)
        assert_near(back.value[c], bvh.channel[c] < BVH_XROTATION ? 100 * row[c] : row[c], 1e-11);
    bvh_free(&back);
    clip.motion.rotation[3] = clip.motion.rotation[4] = quat_from_axis_angle(vec3(1, 0, 0), 0.5);
    assert_int_equal(bvh_from_clip(&clip, &back, NULL), STATUS_OK);
    assert_channels(&back, 3, 564);
    assert_channels(&back, 4, 645);
    bvh_free(&back);
    clip_free(&clip);
    bvh_free(&bvh);
}

TEST(root_offset_is_added_or_replaced)
{
    const HandJoint tree[] = {{-1, {1, 2, 3}, 2, {BVH_ZPOSITION, BVH_XPOSITION}}};
    const HandJoint fixed[] = {{-1, {1, 2, 3}, 1, {BVH_XROTATION}}};
    ImportGuessDef def = metres;
    Bvh bvh;
    Clip clip = {0};
    hand_bvh(&bvh, tree, 1, 1);
    bvh.value[0] = 30;
    bvh.value[1] = 10;
    assert_int_equal(clip_from_bvh(&bvh, &def, &clip, NULL, NULL), STATUS_OK);
    assert_vec3_near(clip.motion.root_position[0], vec3(10, 2, 30), 0);
    assert_vec3_near(clip.skeleton.offset[0], vec3(1, 2, 3), 0);
    clip_free(&clip);
    def.root_offset = ROOT_OFFSET_ADD;
    assert_int_equal(clip_from_bvh(&bvh, &def, &clip, NULL, NULL), STATUS_OK);
    assert_vec3_near(clip.motion.root_position[0], vec3(11, 2, 33), 0);
    clip_free(&clip);
    bvh_free(&bvh);
    hand_bvh(&bvh, fixed, 1, 1);
    assert_int_equal(clip_from_bvh(&bvh, &metres, &clip, NULL, NULL), STATUS_OK);
    assert_vec3_near(clip.motion.root_position[0], vec3(1, 2, 3), 0);
    clip_free(&clip);
    bvh_free(&bvh);
}

TEST(dropped_frame_keeps_source_time)
{
    Bvh bvh;
    Clip clip = {0}, whole = {0};
    ImportGuess e;
    ImportGuessDef def = import_guess_default_def();
    walker_bvh(&bvh, 40, 0.01, UP_Y);
    for (int c = 3; c < bvh.channel_count; c++)
        bvh.value[c] = 0; /* the rest pose before the take */
    assert_int_equal(clip_from_bvh(&bvh, &def, &clip, &e, NULL), STATUS_OK);
    assert_true(e.drop_first_frame);
    assert_int_equal(clip.motion.frame_count, 39);
    assert_near(clip.motion.time[0], 1.0 / 30, 1e-15);
    def.keep_first_frame = 1;
    assert_int_equal(clip_from_bvh(&bvh, &def, &whole, &e, NULL), STATUS_OK);
    assert_int_equal(whole.motion.frame_count, 40);
    assert_near(whole.motion.time[0], 0, 0);
    assert_vec3_near(clip.motion.root_position[0], whole.motion.root_position[1], 0);
    for (int j = 0; j < WALKER_JOINTS; j++)
        assert_near(fabs(quat_dot(clip.motion.rotation[j], whole.motion.rotation[WALKER_JOINTS + j])), 1, 1e-15);
    clip_free(&clip);
    clip_free(&whole);
    bvh_free(&bvh);
}

TEST(no_joints_is_an_error)
{
    Bvh empty = {0};
    Clip clip = {0};
    Error err;
    assert_int_equal(clip_from_bvh(&empty, &metres, &clip, NULL, &err), STATUS_BAD_INPUT);
    assert_null(clip.skeleton.parent);
}

TEST(root_position_out_of_range_is_refused)
{
    Bvh bvh;
    Clip clip = {0};
    ImportGuessDef def = import_guess_default_def();
    Error err;
    walker_bvh(&bvh, 40, 1, UP_Y);
    bvh.value[3 * bvh.channel_count] = 9e8;
    def.meters_per_unit = 1;
    assert_int_equal(clip_from_bvh(&bvh, &def, &clip, NULL, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "the root is 9e+08 m"));
    bvh_free(&bvh);
    clip_free(&clip);
}

/* A hand 2 m along the arm's own y. At rest, the arm is rotated by 90 degrees about the root's z, the root by 90 about
 * the world's x; then the arm rotates by 90 degrees about its own x. */
static const char rotated_rest[] =
    "HIERARCHY ROOT Hips { OFFSET 0 0 0 90 0 0\n"
    "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "JOINT Arm { OFFSET 0 1 0 0 0 90\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    "JOINT Hand { OFFSET 0 2 0 0 0 0\nCHANNELS 0\nEnd Site { OFFSET 0 1 0 7 7 7\n} } } }\n"
    "MOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 90 0\n";

TEST(offset_of_six_numbers_rotates_rest_axes)
{
    SourceDef reading = source_default_def();
    ImportGuessDef def = metres;
    Bvh bvh;
    Clip clip = {0};
    Vec3 at[3];
    (void)state;
    def.keep_first_frame = 1;
    assert_int_equal(bvh_parse(rotated_rest, strlen(rotated_rest), &reading, &bvh, NULL), STATUS_OK);
    assert_int_equal(bvh.findings.count, 1);
    assert_non_null(strstr(bvh.findings.found[0].text, "an OFFSET with six numbers"));
    assert_vec3_near(bvh.orientation[1], vec3(0, 0, 90), 0);
    assert_int_equal(clip_from_bvh(&bvh, &def, &clip, NULL, NULL), STATUS_OK);
    place(&clip.skeleton, &clip.motion, 0, at);
    assert_vec3_near(at[1], vec3(0, 0, 1), 1e-12);
    assert_vec3_near(at[2], vec3(-2, 0, 1), 1e-12);
    for (int j = 0; j < 3; j++) /* the file's rest pose is that of the clip */
        assert_near(clip.motion.rotation[j].w, 1, 1e-12);
    assert_vec3_near(clip.skeleton.end_offset[0], vec3(-1, 0, 0), 1e-12);
    place(&clip.skeleton, &clip.motion, 1, at);
    assert_vec3_near(at[2], vec3(0, -2, 1), 1e-12); /* about the world's z */
    clip_free(&clip);
    bvh_free(&bvh);
}

TEST(orientations_at_rest_are_written_and_counted)
{
    static const char *const counts[] = {"1 2", "1 2 3 4", "1 2 3 4 5", "1 2 3 4 5 6 7"};
    SourceDef reading = source_default_def();
    Bvh bvh, again;
    char *text, four[256];
    size_t size;
    Error err;
    (void)state;
    assert_int_equal(bvh_parse(rotated_rest, strlen(rotated_rest), &reading, &bvh, NULL), STATUS_OK);
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(bvh_write(&bvh, stream, NULL), STATUS_OK);
    fclose(stream);
    assert_int_equal(bvh_parse(text, size, &reading, &again, NULL), STATUS_OK);
    for (int j = 0; j < 3; j++)
        assert_vec3_near(again.orientation[j], bvh.orientation[j], 0);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        snprintf(four, sizeof four, "HIERARCHY ROOT Hips { OFFSET %s\nCHANNELS 0 } MOTION Frames: 0 Frame Time: 1",
                 counts[i]);
        Bvh none;
        assert_int_equal(bvh_parse(four, strlen(four), &reading, &none, &err), STATUS_BAD_INPUT);
    }
    assert_string_equal(err.text, "an OFFSET has three numbers, or six with the orientation at rest");
    free(text);
    bvh_free(&bvh);
    bvh_free(&again);
}
