#include "formats/bvh/bvh_channels.h"

#include <string.h>

int bvh_channels_pack(const BvhChannel *channel, int count)
{
    int packed = 0;
    for (int i = 0; i < count; i++)
        packed = 10 * packed + (int)channel[i] + 1;
    return packed;
}

int bvh_channels_unpack(int packed, BvhChannel channel[BVH_MAX_CHANNELS])
{
    int count = 0;
    if (packed < 0)
        return -1;
    for (int rest = packed; rest > 0; rest /= 10)
        count++;
    if (count > BVH_MAX_CHANNELS)
        return -1;
    for (int i = count - 1, rest = packed; i >= 0; i--, rest /= 10) {
        int digit = rest % 10;
        if (digit < 1 || digit > BVH_ZROTATION + 1)
            return -1;
        channel[i] = (BvhChannel)(digit - 1);
    }
    return count;
}

static int lists(const BvhChannel *channel, int count, BvhChannel wanted)
{
    for (int i = 0; i < count; i++)
        if (channel[i] == wanted)
            return 1;
    return 0;
}

int bvh_channels_complete(BvhChannel channel[BVH_MAX_CHANNELS], int count, BvhChannelNeed need)
{
    static const BvhChannel position[] = {BVH_XPOSITION, BVH_YPOSITION, BVH_ZPOSITION};
    static const BvhChannel rotation[] = {BVH_ZROTATION, BVH_XROTATION, BVH_YROTATION};
    BvhChannel out[BVH_MAX_CHANNELS];
    int filled = 0;
    for (int i = 0; i < 3 && need.positions; i++)
        if (!lists(channel, count, position[i]))
            out[filled++] = position[i];
    for (int i = 0; i < count; i++)
        if (!lists(out, filled, channel[i]))
            out[filled++] = channel[i];
    for (int i = 0; i < 3 && need.rotations; i++)
        if (!lists(out, filled, rotation[i]))
            out[filled++] = rotation[i];
    memcpy(channel, out, (size_t)filled * sizeof *out);
    return filled;
}
