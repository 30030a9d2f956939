/* See bvh_cut.h. */
#include "formats/bvh/bvh_cut.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "formats/base/bytes.h"
#include "formats/base/text.h"

enum { NAMES_SHOWN = 3, NAME_BYTES = 28 };

/* The number of bytes of whole characters within size. */
static int fitting(const char *text, size_t size)
{
    size_t at = 0, all = strlen(text);
    while (at < all) {
        size_t n = (size_t)utf8_length((const unsigned char *)text + at, all - at);
        if (n == 0 || at + n > size)
            break;
        at += n;
    }
    return (int)at;
}

/* Moves the kept elements of every row to the front. rows: [frame][channel] */
static void keep_columns(void *rows, size_t element, const Bvh *bvh, const char *keep, int kept)
{
    char *from = rows, *to = rows;
    for (size_t f = 0; rows && f < (size_t)bvh->frame_count && kept < bvh->channel_count; f++)
        for (int c = 0; c < bvh->channel_count; c++, from += element)
            if (keep[c]) {
                memmove(to, from, element);
                to += element;
            }
}

/* The channels of a joint are neighbours, but follow those of its children if the file lists these first. */
static void keep_of_joint(Bvh *bvh, int joint, const char *keep, const int *place)
{
    int first = bvh->first_channel[joint], end = first + bvh->joint_channels[joint];
    bvh->joint_channels[joint] = 0;
    for (int c = first; c < end; c++)
        bvh->joint_channels[joint] += keep[c] != 0;
    bvh->first_channel[joint] = place[first];
}

Status bvh_keep_channels(Bvh *bvh, const char *keep, Error *err)
{
    int kept = 0, *place = array_new((size_t)bvh->channel_count + 1, 1, sizeof *place);
    if (!place)
        return error_no_memory(err);
    for (int c = 0; c < bvh->channel_count; c++) {
        place[c] = kept;
        kept += keep[c] != 0;
    }
    place[bvh->channel_count] = kept;
    keep_columns(bvh->value, sizeof *bvh->value, bvh, keep, kept);
    keep_columns(bvh->location, sizeof *bvh->location, bvh, keep, kept);
    keep_columns(bvh->gap, sizeof *bvh->gap, bvh, keep, kept);
    for (int j = 0; j < bvh->joint_count; j++)
        keep_of_joint(bvh, j, keep, place);
    for (int c = 0; c < bvh->channel_count; c++)
        if (keep[c])
            bvh->channel[place[c]] = bvh->channel[c];
    free(place);
    bvh->is_cut |= kept < bvh->channel_count;
    bvh->channel_count = kept;
    return kept ? STATUS_OK : error_set_at(err, STATUS_BAD_INPUT, bvh->line[0], 1, "no joint has channels");
}

static int has_child(const Bvh *bvh, int joint, const char *keep)
{
    for (int j = joint + 1; j < bvh->joint_count; j++)
        if (bvh->parent[j] == joint && (!keep || keep[j]))
            return 1;
    return 0;
}

static int has_end(const Bvh *bvh, int joint)
{
    for (int e = 0; e < bvh->end_count; e++)
        if (bvh->end_parent[e] == joint)
            return 1;
    return 0;
}

static Status add_end(Bvh *bvh, int joint, Vec3 offset, Error *err)
{
    if (!array_grow(&bvh->end_offset, bvh->end_count, sizeof *bvh->end_offset) ||
        !array_grow(&bvh->end_parent, bvh->end_count, sizeof *bvh->end_parent))
        return error_no_memory(err);
    bvh->end_offset[bvh->end_count] = offset;
    bvh->end_parent[bvh->end_count++] = joint;
    return STATUS_OK;
}

/* Adds end sites where the last child of a kept joint goes. */
static Status end_bones(Bvh *bvh, const char *keep, Error *err)
{
    Status status = STATUS_OK;
    for (int j = 1; j < bvh->joint_count && !status; j++) {
        int parent = bvh->parent[j];
        if (!keep[j] && parent >= 0 && keep[parent] && !has_child(bvh, parent, keep) && !has_end(bvh, parent))
            status = add_end(bvh, parent, bvh->offset[j], err);
    }
    return status;
}

static void move_joint(Bvh *bvh, int from, int to)
{
    bvh->name[to] = bvh->name[from];
    bvh->offset[to] = bvh->offset[from];
    if (bvh->orientation)
        bvh->orientation[to] = bvh->orientation[from];
    bvh->first_channel[to] = bvh->first_channel[from];
    bvh->joint_channels[to] = bvh->joint_channels[from];
    bvh->line[to] = bvh->line[from];
    bvh->parent[to] = bvh->parent[from];
}

/* place: [joint] of the kept ones after the cut, -1: gone */
static void keep_ends(Bvh *bvh, const int *place)
{
    int kept = 0;
    for (int e = 0; e < bvh->end_count; e++)
        if (place[bvh->end_parent[e]] >= 0) {
            bvh->end_offset[kept] = bvh->end_offset[e];
            bvh->end_parent[kept++] = place[bvh->end_parent[e]];
        }
    bvh->end_count = kept;
}

static void keep_marked(Bvh *bvh, const char *keep, int *place)
{
    int kept = 0;
    for (int j = 0; j < bvh->joint_count; j++) {
        place[j] = keep[j] ? kept++ : -1;
        if (!keep[j]) {
            free(bvh->name[j]);
            continue;
        }
        move_joint(bvh, j, place[j]);
        int parent = bvh->parent[place[j]];
        bvh->parent[place[j]] = parent < 0 ? -1 : place[parent];
    }
    keep_ends(bvh, place);
    bvh->joint_count = kept;
    bvh->is_cut = 1;
}

Status bvh_keep_joints(Bvh *bvh, const char *keep, Error *err)
{
    Arena arena = {0};
    char *channels = arena_array(&arena, (size_t)bvh->channel_count + 1, 1, 1);
    int *place = arena_array(&arena, (size_t)bvh->joint_count, 1, sizeof *place);
    Status status = arena.failed ? error_no_memory(err) : end_bones(bvh, keep, err);
    for (int j = 0; !status && j < bvh->joint_count; j++)
        memset(channels + bvh->first_channel[j], keep[j] != 0, (size_t)bvh->joint_channels[j]);
    if (!status)
        status = bvh_keep_channels(bvh, channels, err);
    if (!status)
        keep_marked(bvh, keep, place);
    arena_free(&arena);
    return status;
}

Status bvh_add_root(Bvh *bvh, const char *name, Error *err)
{
    char *copy = strdup(name);
    if (!copy || !bvh_make_room_for_joint(bvh)) {
        free(copy);
        return error_no_memory(err);
    }
    for (int j = bvh->joint_count++; j > 0; j--) {
        move_joint(bvh, j - 1, j);
        bvh->parent[j]++;
    }
    for (int e = 0; e < bvh->end_count; e++)
        bvh->end_parent[e]++;
    bvh->name[0] = copy;
    bvh->offset[0] = vec3(0, 0, 0);
    if (bvh->orientation)
        bvh->orientation[0] = vec3(0, 0, 0);
    bvh->first_channel[0] = bvh->joint_channels[0] = 0;
    bvh->parent[0] = -1;
    bvh->is_cut = 1;
    return STATUS_OK;
}

void bvh_list_names(const Bvh *bvh, const char *is_listed, char text[BVH_NAMES_SIZE])
{
    int count = 0, shown = 0;
    size_t used = 0;
    for (int j = 0; j < bvh->joint_count; j++)
        count += is_listed[j] != 0;
    text[0] = '\0';
    for (int j = 0; j < bvh->joint_count && shown < NAMES_SHOWN; j++) {
        if (!is_listed[j])
            continue;
        int is_last = count <= NAMES_SHOWN && shown == count - 1;
        used += (size_t)snprintf(text + used, BVH_NAMES_SIZE - used, "%s%.*s", !shown ? "" : is_last ? " and " : ", ",
                                 fitting(bvh->name[j], NAME_BYTES), bvh->name[j]);
        shown++;
    }
    if (count > shown)
        snprintf(text + used, BVH_NAMES_SIZE - used, " and %d more", count - shown);
}
