/* Writes a clip as BVH in the space of another file (bvh_clip.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"

#define SAME_BODY 1e-3  /* largest difference of offsets of one body, as a fraction of the longest */
#define CENTIMETRES 100 /* per metre, as bvh_from_clip writes */

/* The reference file and its space relative to the clip's. */
typedef struct LikeFile {
    const char *path;
    const char *text; /* the whole file */
    size_t size;
    Bvh bvh;
    Vec3 axis[3];     /* axes of the file's space in the world */
    double unit;      /* m per file unit */
    RootOffset root;  /* meaning of the ROOT OFFSET */
} LikeFile;

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
    double max = 0, longest = 0;
    *worst = 0;
    for (int j = 1; j < s->joint_count; j++) {
        double off = vec3_distance(to_file(like, s->offset[j]), vec3_scale(like->bvh.offset[j], like->unit));
        longest = fmax(longest, vec3_norm(s->offset[j]));
        *worst = off > max ? j : *worst;
        max = fmax(max, off);
    }
    return longest > 0 ? max / longest : INFINITY;
}

static void set_axes(LikeFile *like, UpAxis up)
{
    for (int i = 0; i < 3; i++)
        like->axis[i] = up_axis_rotate(up, vec3(i == 0, i == 1, i == 2));
}

/* Finds the unit from the total bone length and the up axis from the bone directions. */
static Status find_space(LikeFile *like, const Skeleton *s, Error *err)
{
    double here = 0, there = 0, min = INFINITY;
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
        if (off < min) {
            min = off;
            best = up;
            at = worst;
        }
    }
    set_axes(like, best);
    if (min <= SAME_BODY)
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

static Status like_open(LikeFile *like, const SourceFile *file, const Skeleton *s, Error *err)
{
    SourceDef def = source_default_def();
    *like = (LikeFile){.path = file->path ? file->path : "-", .text = file->bytes, .size = file->size};
    Status status = error_of_file(err, like->path, bvh_parse(file->bytes, file->size, &def, &like->bvh, err));
    if (!status && like->bvh.orientation)
        status = error_set(err, STATUS_BAD_INPUT, "%s: OFFSET lines with rest orientations are not supported",
                           like->path);
    if (!status && like->bvh.is_cut)
        status = error_set(err, STATUS_BAD_INPUT, "%s: several ROOTs or scale channels are not supported", like->path);
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

Status bvh_write_like(const Clip *clip, const SourceFile *file, FILE *stream, Error *err)
{
    LikeFile like;
    Clip turned = {0};
    Bvh made = {0};
    Status status = like_open(&like, file, &clip->skeleton, err);
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
    bvh_free(&like.bvh);
    return status;
}
