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

#define SAME_BODY 1e-3  /* largest difference of offsets of one body, as a fraction of the longest */
#define CENTIMETRES 100 /* per metre, as bvh_from_clip writes */

/* The reference file and its space relative to the clip's. */
typedef struct LikeFile {
    const char *path;
    char *text; /* the whole file; owned */
    size_t size;
    Bvh bvh;
    Vec3 axis[3];     /* axes of the file's space in the world */
    double unit;      /* m per file unit */
    RootOffset root;  /* meaning of the ROOT OFFSET */
} LikeFile;

static void like_free(LikeFile *like)
{
    free(like->text);
    bvh_free(&like->bvh);
}

static Vec3 to_file(const LikeFile *like, Vec3 v)
{
    return vec3(vec3_dot(like->axis[0], v), vec3_dot(like->axis[1], v), vec3_dot(like->axis[2], v));
}

static Status check_joints(const LikeFile *like, const Skeleton *s, Error *err)
{
    const Bvh *b = &like->bvh;
    if (b->joint_count != s->joint_count)
        return error_set(err, STATUS_BAD_INPUT, "%s has %d joints, the clip %d", like->path, b->joint_count,
                         s->joint_count);
    for (int j = 0; j < b->joint_count; j++)
        if (b->parent[j] != s->parent[j] || strcmp(b->name[j], s->name[j]))
            return error_set(err, STATUS_BAD_INPUT, "joint %d is \"%.60s\" in %s and \"%.60s\" in the clip", j,
                             b->name[j], like->path, s->name[j]);
    return STATUS_OK;
}

/* Returns the largest distance between offsets of the clip and the file for the current axes and unit, as a fraction of
 * the longest offset; *worst: its joint. */
static double misfit(const LikeFile *like, const Skeleton *s, int *worst)
{
    double most = 0, longest = 0;
    *worst = 0;
    for (int j = 1; j < s->joint_count; j++) {
        double off = vec3_distance(to_file(like, s->offset[j]), vec3_scale(like->bvh.offset[j], like->unit));
        longest = fmax(longest, vec3_norm(s->offset[j]));
        *worst = off > most ? j : *worst;
        most = fmax(most, off);
    }
    return longest > 0 ? most / longest : INFINITY;
}

static void set_axes(LikeFile *like, UpAxis up)
{
    for (int i = 0; i < 3; i++)
        like->axis[i] = up_axis_rotate(up, vec3(i == 0, i == 1, i == 2));
}

/* Finds the unit from the total bone length and the up axis from the bone directions. */
static Status find_space(LikeFile *like, const Skeleton *s, Error *err)
{
    double here = 0, there = 0, least = INFINITY;
    int worst, at = 0;
    UpAxis best = UP_Y;
    for (int j = 1; j < s->joint_count; j++) {
        here += vec3_norm(s->offset[j]);
        there += vec3_norm(like->bvh.offset[j]);
    }
    like->unit = there > 0 ? here / there : 1;
    for (UpAxis up = UP_X; up <= UP_MINUS_Z; up++) {
        set_axes(like, up);
        double off = misfit(like, s, &worst);
        if (off < least) {
            least = off;
            best = up;
            at = worst;
        }
    }
    set_axes(like, best);
    if (least <= SAME_BODY)
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "skeleton differs from %s: position of joint \"%.60s\"",
                     like->path, s->name[at]);
}

/* Detects the meaning of the ROOT OFFSET as import does. */
static Status find_root_meaning(LikeFile *like, Error *err)
{
    Clip own = {0};
    ImportGuess decision;
    ImportGuessDef def = import_guess_default_def();
    Status status = clip_from_bvh(&like->bvh, &def, &own, &decision, err);
    like->root = status ? ROOT_OFFSET_REPLACE : decision.root_offset;
    clip_free(&own);
    return status;
}

static Status like_open(LikeFile *like, const char *path, const Skeleton *s, Error *err)
{
    SourceDef def = source_default_def();
    *like = (LikeFile){.path = path};
    Status status = error_of_file(err, path, bytes_read_path(path, &like->text, &like->size, err));
    if (!status)
        status = error_of_file(err, path, bvh_parse(like->text, like->size, &def, &like->bvh, err));
    if (!status && like->bvh.orientation)
        status = error_set(err, STATUS_BAD_INPUT, "%s: OFFSET lines with rest orientations are not supported",
                           path);
    if (!status)
        status = check_joints(like, s, err);
    if (!status)
        status = find_space(like, s, err);
    return status ? status : find_root_meaning(like, err);
}

/* Converts the clip to the file's space, in units of 100 file units. */
static Status rotate_clip(const LikeFile *like, const Clip *clip, Clip *out, Error *err)
{
    double scale = 1 / (like->unit * CENTIMETRES);
    Status status = clip_copy(clip, CLIP_ALWAYS, out, err);
    if (status)
        return status;
    Motion *m = &out->motion;
    size_t count = (size_t)m->frame_count * (size_t)m->joint_count;
    Vec3 base = like->root == ROOT_OFFSET_ADD ? vec3_scale(like->bvh.offset[0], 1.0 / CENTIMETRES) : vec3(0, 0, 0);
    for (int f = 0; f < m->frame_count; f++)
        m->root_position[f] = vec3_sub(vec3_scale(to_file(like, m->root_position[f]), scale), base);
    for (size_t i = 0; i < count; i++) {
        Vec3 v = to_file(like, vec3(m->rotation[i].x, m->rotation[i].y, m->rotation[i].z));
        m->rotation[i] = (Quat){m->rotation[i].w, v.x, v.y, v.z};
        if (m->translation)
            m->translation[i] = vec3_scale(to_file(like, m->translation[i]), scale);
    }
    for (int j = 0; j < out->skeleton.joint_count; j++)
        out->skeleton.offset[j] = vec3_scale(like->bvh.offset[j], 1.0 / CENTIMETRES);
    for (int j = 0; j < out->skeleton.joint_count && out->skeleton.channels; j++)
        out->skeleton.channels[j] =
            bvh_channels_pack(like->bvh.channel + like->bvh.first_channel[j], like->bvh.joint_channels[j]);
    return STATUS_OK;
}

static Status check_channels(const LikeFile *like, const Bvh *made, Error *err)
{
    for (int j = 0; j < made->joint_count; j++)
        if (made->joint_channels[j] != like->bvh.joint_channels[j])
            return error_set(err, STATUS_BAD_INPUT, "joint \"%.60s\" needs channels that %s does not list",
                             made->name[j], like->path);
    return STATUS_OK;
}

/* Returns the offset of the MOTION line. */
static size_t hierarchy_size(const LikeFile *like)
{
    const char *end = like->text + like->size;
    for (const char *at = like->text; at < end; at++) {
        const char *word = at;
        while (word < end && (*word == ' ' || *word == '\t'))
            word++;
        if (end - word >= 6 && !memcmp(word, "MOTION", 6))
            return (size_t)(at - like->text);
        at = memchr(at, '\n', (size_t)(end - at));
        if (!at)
            break;
    }
    return like->size;
}

/* Writes the motion of the made file after the HIERARCHY text of the reference file. */
static Status write_joined(const LikeFile *like, const Bvh *made, FILE *stream, Error *err)
{
    char *text = NULL;
    size_t size = 0, head = hierarchy_size(like);
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return error_no_memory(err);
    Status status = bvh_write(made, memory, err);
    if (fclose(memory) && !status)
        status = error_no_memory(err);
    const char *motion = status ? NULL : strstr(text, "\nMOTION\n");
    if (motion) {
        fwrite(like->text, 1, head, stream);
        fputs(motion + 1, stream);
    }
    free(text);
    return status;
}

Status bvh_write_like(const Clip *clip, const char *path, FILE *stream, Error *err)
{
    LikeFile like;
    Clip turned = {0};
    Bvh made = {0};
    Status status = like_open(&like, path, &clip->skeleton, err);
    if (!status)
        status = rotate_clip(&like, clip, &turned, err);
    if (!status)
        status = bvh_from_clip(&turned, &made, err);
    if (!status)
        status = check_channels(&like, &made, err);
    if (!status)
        status = write_joined(&like, &made, stream, err);
    bvh_free(&made);
    clip_free(&turned);
    like_free(&like);
    return status;
}
