/* formats/bvh/bvh_write: channels, and files like their source. */
#include "formats/source/source.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/bytes.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"
#include "pipeline/stages/pipeline.h"
#include "tests/support/test_folder.h"

/* Channel lists are encoded as numbers and back; missing channels are inserted at their position. */

/* All 1957 lists without repetition, enumerated over all numbers of up to six digits. */
TEST(every_channel_list_round_trips)
{
    int lists = 0;
    for (int packed = 0; packed <= 666666; packed++) {
        BvhChannel channel[BVH_MAX_CHANNELS], unique[BVH_MAX_CHANNELS];
        int count = bvh_channels_unpack(packed, channel);
        if (count < 0)
            continue;
        assert_int_equal(bvh_channels_pack(channel, count), packed);
        for (int i = 0; i < count; i++)
            unique[i] = channel[i];
        lists += bvh_channels_complete(unique, count, (BvhRequiredChannels){0}) == count;
    }
    assert_int_equal(lists, 1 + 6 + 30 + 120 + 360 + 720 + 720);
}

TEST(invalid_channel_lists_are_refused)
{
    const int wrong[] = {-1, 7, 10, 120456, 1234561, 2147483647, -2147483647};
    BvhChannel channel[BVH_MAX_CHANNELS];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(bvh_channels_unpack(wrong[i], channel), -1);
}

static int completed(int packed, int positions, int rotations)
{
    BvhChannel channel[BVH_MAX_CHANNELS];
    int count = bvh_channels_unpack(packed, channel);
    count = bvh_channels_complete(channel, count, (BvhRequiredChannels){positions, rotations});
    return bvh_channels_pack(channel, count);
}

TEST(missing_channels_are_added)
{
    assert_int_equal(completed(0, 1, 1), 123645);
    assert_int_equal(completed(0, 0, 1), 645);
    assert_int_equal(completed(5, 0, 1), 564);
    assert_int_equal(completed(456, 1, 0), 123456);
    assert_int_equal(completed(5426, 1, 1), 135426);
    assert_int_equal(completed(646, 0, 1), 645); /* an axis twice: still three angles for any rotation */
    assert_int_equal(completed(546312, 1, 1), 546312);
}

/* A clip written with the HIERARCHY of its source file, digit for digit, and read back. */

static const char source[] = "data/walk.bvh";

static Clip opened(const char *path)
{
    Pipeline pipeline = pipeline_defaults();
    Clip clip;
    Error err = {0};
    assert_int_equal(pipeline_open(&pipeline, path, &clip, NULL, &err), STATUS_OK);
    return clip;
}

/* Writes the clip in the space of the file at path. */
static Status write_as(const Clip *clip, const char *path, FILE *stream, Error *err)
{
    SourceDef limits = source_default_def();
    Source like;
    Status status = source_open(path, &limits, &like, err);
    if (!status)
        status = bvh_write_like(clip, &like.file, stream, err);
    source_close(&like);
    return status;
}

TEST(hierarchy_equals_the_files)
{
    TestFolder folder = test_folder_make();
    const char *path = test_folder_file(&folder, "again.bvh");
    char *old = NULL, *new = NULL;
    size_t old_size, new_size;
    Error err = {0};
    Clip clip = opened(source);
    (void)state;
    FILE *stream = fopen(path, "w");
    assert_int_equal(write_as(&clip, source, stream, &err), STATUS_OK);
    fclose(stream);
    assert_int_equal(bytes_read_path(source, &old, &old_size, &err), STATUS_OK);
    assert_int_equal(bytes_read_path(path, &new, &new_size, &err), STATUS_OK);
    const char *motion = memmem(old, old_size, "MOTION", 6);
    assert_non_null(motion);
    assert_memory_equal(new, old, (size_t)(motion - old));
    Clip again = opened(path);
    assert_int_equal(again.motion.frame_count, clip.motion.frame_count);
    for (int f = 0; f < clip.motion.frame_count; f++)
        assert_vec3_near(again.motion.root_position[f], clip.motion.root_position[f], 1e-9);
    for (size_t i = 0; i < (size_t)clip.motion.frame_count * (size_t)clip.motion.joint_count; i++)
        assert_near(fabs(quat_dot(again.motion.rotation[i], clip.motion.rotation[i])), 1, 1e-9);
    clip_free(&again);
    clip_free(&clip);
    free(old);
    free(new);
    test_folder_remove(&folder);
}

TEST(different_skeleton_is_refused)
{
    Error err = {0};
    Clip clip = opened(source);
    FILE *stream = fopen("/dev/null", "w");
    (void)state;
    assert_int_not_equal(write_as(&clip, "data/pendulum.bvh", stream, &err), STATUS_OK);
    assert_int_not_equal(write_as(&clip, "data/absent.bvh", stream, &err), STATUS_OK);
    fclose(stream);
    clip_free(&clip);
}
