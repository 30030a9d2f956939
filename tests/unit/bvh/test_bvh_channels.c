/* formats/bvh/bvh: channel lists are encoded as numbers and back; missing channels are inserted at their position. */
#include "tests/support/test.h"

#include "formats/bvh/bvh.h"

/* All 1957 lists without repetition, enumerated over all numbers of up to six digits. */
TEST(every_list_returns)
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

TEST(what_is_no_list_is_refused)
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

TEST(what_lacks_is_added)
{
    assert_int_equal(completed(0, 1, 1), 123645);
    assert_int_equal(completed(0, 0, 1), 645);
    assert_int_equal(completed(5, 0, 1), 564);
    assert_int_equal(completed(456, 1, 0), 123456);
    assert_int_equal(completed(5426, 1, 1), 135426);
    assert_int_equal(completed(646, 0, 1), 645); /* an axis twice: still three angles for any rotation */
    assert_int_equal(completed(546312, 1, 1), 546312);
}
