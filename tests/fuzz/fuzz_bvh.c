/* formats/bvh under libFuzzer: no input crashes it; accepted files satisfy the contract and survive a round trip. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bvh/bvh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void check_contract(const Bvh *b, size_t size)
{
    int channels = 0;
    require(b->joint_count > 0 && b->frame_count > 0 && b->frame_time >= 0 && isfinite(b->frame_time));
    for (int j = 0; j < b->joint_count; j++) {
        require(b->parent[j] < j && b->parent[j] >= (j ? 0 : -1) && b->name[j][0] != 0);
        require(isfinite(b->offset[j].x) && isfinite(b->offset[j].y) && isfinite(b->offset[j].z));
        require(b->first_channel[j] >= 0 && b->first_channel[j] + b->joint_channels[j] <= b->channel_count);
        channels += b->joint_channels[j];
    }
    require(channels == b->channel_count);
    for (int e = 0; e < b->end_count; e++)
        require(b->end_parent[e] >= 0 && b->end_parent[e] < b->joint_count);
    size_t values = (size_t)b->frame_count * (size_t)channels;
    require(values <= size);
    for (size_t i = 0; i < values; i++)
        require(isfinite(b->value[i]));
    for (int w = 1; w < b->findings.count; w++)
        require(b->findings.found[w].at.line >= b->findings.found[w - 1].at.line);
}

/* If a child precedes its parent's CHANNELS line, joint channels return in another order; only then may values move. */
static int is_in_order(const Bvh *b)
{
    int next = 0;
    for (int j = 0; j < b->joint_count; j++) {
        if (b->joint_channels[j] && b->first_channel[j] != next)
            return 0;
        next += b->joint_channels[j];
    }
    return 1;
}

static void check_round_trip(const Bvh *b, const SourceDef *def)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    require(f != NULL);
    require(bvh_write(b, f, NULL) == STATUS_OK);
    fclose(f);
    Bvh again;
    require(bvh_parse(text, size, def, &again, NULL) == STATUS_OK);
    require(again.joint_count == b->joint_count && again.end_count == b->end_count);
    require(again.frame_count == b->frame_count && again.channel_count == b->channel_count);
    if (is_in_order(b))
        require(memcmp(again.value, b->value,
                       (size_t)b->frame_count * (size_t)b->channel_count * sizeof *b->value) == 0);
    bvh_free(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Bvh b;
    Error err = {0};
    SourceDef def = source_default_def();
    def.root = size % 3 == 1 ? "all" : NULL;
    def.drop_joints = size % 2 ? "auto" : NULL;
    if (bvh_parse((const char *)data, size, &def, &b, &err)) {
        require(err.status != STATUS_OK && err.text[0] != 0 && b.name == NULL);
        return 0;
    }
    check_contract(&b, size);
    check_round_trip(&b, &def);
    bvh_free(&b);
    return 0;
}
