/* See bvh.h. */
#include "formats/bvh/bvh.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/bytes.h"

BvhDef bvh_default_def(void)
{
    return (BvhDef){.max_depth = 1000, .max_joints = 4096, .max_frames = 10000000};
}

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
    free(bvh->warning);
    *bvh = (Bvh){0};
}

Status bvh_warn(Bvh *bvh, BvhFault fault, BvhPlace at, Error *err, const char *format, ...)
{
    if (bvh->warning_count == BVH_MAX_WARNINGS)
        return STATUS_OK;
    if (!array_grow(&bvh->warning, bvh->warning_count, sizeof *bvh->warning))
        return error_no_memory(err);
    BvhWarning *w = &bvh->warning[bvh->warning_count++];
    *w = (BvhWarning){.fault = fault, .line = at.line, .column = at.column};
    va_list args;
    va_start(args, format);
    vsnprintf(w->text, sizeof w->text, format, args);
    va_end(args);
    if (bvh->warning_count == BVH_MAX_WARNINGS) {
        w->fault = BVH_FAULT_MANY;
        snprintf(w->text, sizeof w->text, "more than %d warnings; the rest is left out", BVH_MAX_WARNINGS - 1);
    }
    return STATUS_OK;
}

static int compare_places(const void *a, const void *b)
{
    const BvhWarning *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : (x->column > y->column) - (x->column < y->column);
}

void bvh_forget_findings(Bvh *bvh, BvhFault fault)
{
    int kept = 0;
    for (int i = 0; i < bvh->warning_count; i++)
        if (bvh->warning[i].fault != fault)
            bvh->warning[kept++] = bvh->warning[i];
    bvh->warning_count = kept;
}

void bvh_warnings_sort(Bvh *bvh)
{
    if (bvh->warning_count > 1)
        qsort(bvh->warning, (size_t)bvh->warning_count, sizeof *bvh->warning, compare_places);
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
