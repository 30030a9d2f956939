/* Writes BVH files: tabs for nesting, one row per line, the shortest numbers that parse to the same double. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "formats/base/bytes.h"
#include "formats/base/number.h"
#include "formats/bvh/bvh.h"

static void write_number(FILE *stream, double value)
{
    char text[NUMBER_TEXT_SIZE];
    int length = number_print(value, text);
    fwrite(text, 1, (size_t)length, stream);
}

static void indent(FILE *stream, int depth)
{
    for (int i = 0; i < depth; i++)
        fputc('\t', stream);
}

static void write_vector(FILE *stream, Vec3 v)
{
    const double number[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++) {
        fputc(' ', stream);
        write_number(stream, number[i]);
    }
}

/* orientation: at rest, NULL: none. */
static void write_offset(FILE *stream, int depth, Vec3 offset, const Vec3 *orientation)
{
    indent(stream, depth);
    fputs("OFFSET", stream);
    write_vector(stream, offset);
    if (orientation)
        write_vector(stream, *orientation);
    fputc('\n', stream);
}

static void write_channels(FILE *stream, int depth, const Bvh *bvh, int joint)
{
    static const char *const name[] = {"Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation"};
    indent(stream, depth);
    fprintf(stream, "CHANNELS %d", bvh->joint_channels[joint]);
    for (int i = 0; i < bvh->joint_channels[joint]; i++)
        fprintf(stream, " %s", name[bvh->channel[bvh->first_channel[joint] + i]]);
    fputc('\n', stream);
}

static void open_joint(FILE *stream, int depth, const Bvh *bvh, int joint)
{
    indent(stream, depth);
    fprintf(stream, "%s %s\n", joint == 0 ? "ROOT" : "JOINT", bvh->name[joint]);
    indent(stream, depth);
    fputs("{\n", stream);
    write_offset(stream, depth + 1, bvh->offset[joint], bvh->orientation ? &bvh->orientation[joint] : NULL);
    write_channels(stream, depth + 1, bvh, joint);
}

static void write_ends(FILE *stream, int depth, const Bvh *bvh, int joint)
{
    for (int e = 0; e < bvh->end_count; e++) {
        if (bvh->end_parent[e] != joint)
            continue;
        indent(stream, depth);
        fputs("End Site\n", stream);
        indent(stream, depth);
        fputs("{\n", stream);
        write_offset(stream, depth + 1, bvh->end_offset[e], NULL);
        indent(stream, depth);
        fputs("}\n", stream);
    }
}

/* Writes joints in depth-first order. A joint closes when the parent of the next joint is one of its ancestors; its end
 * sites come just before its brace. */
static void write_hierarchy(FILE *stream, const Bvh *bvh)
{
    int depth = 0;
    fputs("HIERARCHY\n", stream);
    for (int j = 0; j < bvh->joint_count; j++) {
        int next = j + 1 < bvh->joint_count ? bvh->parent[j + 1] : -1;
        open_joint(stream, depth, bvh, j);
        for (int open = j; open != next && open >= 0; open = bvh->parent[open]) {
            write_ends(stream, depth + 1, bvh, open);
            indent(stream, depth--);
            fputs("}\n", stream);
        }
        depth++;
    }
}

/* Formats a row in the order of the CHANNELS lines; text must have room for all numbers. */
static size_t format_row(const Bvh *bvh, const double *row, char *text)
{
    char *out = text;
    for (int j = 0; j < bvh->joint_count; j++)
        for (int i = 0; i < bvh->joint_channels[j]; i++) {
            out += number_print(row[bvh->first_channel[j] + i], out);
            *out++ = ' ';
        }
    if (out > text)
        out[-1] = '\n';
    return (size_t)(out - text);
}

static Status write_motion(FILE *stream, const Bvh *bvh, Error *err)
{
    size_t channels = (size_t)bvh->channel_count;
    char *text = array_new(channels, NUMBER_TEXT_SIZE, 1);
    if (!text)
        return error_no_memory(err);
    fprintf(stream, "MOTION\nFrames: %d\nFrame Time: ", bvh->frame_count);
    write_number(stream, bvh->frame_time);
    fputc('\n', stream);
    for (size_t f = 0; f < (size_t)bvh->frame_count; f++)
        fwrite(text, 1, format_row(bvh, bvh->value + f * channels, text), stream);
    free(text);
    return STATUS_OK;
}

/* Returns 1 if each joint's parent is the previous joint or one of its ancestors: only then does nesting preserve the
 * order. */
static int is_depth_first(const Bvh *bvh)
{
    for (int j = 1; j < bvh->joint_count; j++) {
        int open = j - 1;
        while (open >= 0 && open != bvh->parent[j])
            open = bvh->parent[open];
        if (open < 0)
            return 0;
    }
    return bvh->joint_count > 0 && bvh->parent[0] == -1;
}

Status bvh_write(const Bvh *bvh, FILE *stream, Error *err)
{
    if (!is_depth_first(bvh))
        return error_set(err, STATUS_USAGE, "joints are not in the order of a depth-first walk");
    write_hierarchy(stream, bvh);
    Status status = write_motion(stream, bvh, err);
    if (!status && (fflush(stream) || ferror(stream)))
        return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return status;
}
