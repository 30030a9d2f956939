/* See bvh.h. */
#include "formats/bvh/bvh.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/bytes.h"

void bvh_free(Bvh *bvh)
{
    if (!bvh)
        return;
    for (int j = 0; bvh->name && j < bvh->joint_count; j++)
        free(bvh->name[j]);
    free(bvh->name);
    free(bvh->parent);
    free(bvh->offset);
    free(bvh->orientation);
    free(bvh->first_channel);
    free(bvh->joint_channels);
    free(bvh->channel);
    free(bvh->line);
    free(bvh->end_offset);
    free(bvh->end_parent);
    free(bvh->value);
    free(bvh->place);
    findings_free(&bvh->findings);
    *bvh = (Bvh){0};
}

Status bvh_warn(Bvh *bvh, int kind, BvhPlace at, Error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    FilePlace place = {.line = at.line, .column = at.column};
    Status status = findings_add_list(&bvh->findings, kind, place, err, format, args);
    va_end(args);
    return status;
}

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
