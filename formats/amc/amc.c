/* See amc.h. */
#include "formats/amc/amc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"
#include "formats/amc/amc_lines.h"
#include "formats/base/bytes.h"

/* A file as it is read. */
typedef struct Reading {
    AmcLines lines;
    const SourceDef *def;
    const Asf *asf;
    Amc *amc;
    const char *skeleton;   /* name of its file, for messages */
    double angle;           /* degrees per unit of angles */
    size_t capacity;        /* frames in amc->value */
    int *seen;              /* [bone] frame of its last row, from 1; 0: none */
    int *order;             /* [bone] that followed in the last frame; -1: unknown */
    int last;               /* bone of the last row */
    int row_count;          /* of the frame */
    int first_count;        /* of the first frame */
    double number, step;    /* of the frame, and its difference from the one before */
} Reading;

void amc_free(Amc *amc)
{
    free(amc->value);
    free(amc->first_channel);
    free(amc->line);
    *amc = (Amc){0};
}

/* Returns the bone of a row, first the one that followed in the frame before; -1: none has the name. */
static int find_bone(Reading *r, const char *name, size_t size)
{
    int likely = r->order[r->last], count = r->asf->bone_count;
    for (int i = -1; i < count; i++) {
        int b = i < 0 ? likely : i;
        if (b >= 0 && strncmp(r->asf->bone[b].name, name, size) == 0 && r->asf->bone[b].name[size] == 0)
            return r->order[r->last] = b;
    }
    return -1;
}

/* ---- Frames ---- */

/* Bones of the first frame are those of all. */
static Status end_frame(Reading *r, Error *err)
{
    int frame = r->amc->frame_count, missing = 0;
    if (frame == 0)
        return STATUS_OK;
    if (r->row_count == 0)
        return amc_error(&r->lines, err, "frame %g has no rows", r->number);
    if (frame == 1)
        r->first_count = r->row_count;
    if (r->row_count == r->first_count)
        return STATUS_OK;
    while (missing < r->asf->bone_count - 1 && r->seen[missing] != frame - 1)
        missing++;
    return amc_error(&r->lines, err, "frame %g ends without a row of bone \"%.60s\"", r->number,
                     r->asf->bone[missing].name);
}

static Status make_room(Reading *r, Error *err)
{
    Amc *amc = r->amc;
    size_t channels = (size_t)amc->channel_count, frames = (size_t)amc->frame_count, bytes;
    if (!array_grow(&amc->line, amc->frame_count, sizeof *amc->line))
        return error_no_memory(err);
    if (frames == r->capacity) {
        size_t larger = frames ? 2 * frames : 64;
        double *grown = array_overflows(larger, channels, sizeof *grown, &bytes) ? NULL
                                                                                 : realloc(amc->value, bytes + 1);
        if (!grown)
            return error_no_memory(err);
        amc->value = grown;
        r->capacity = larger;
    }
    memset(amc->value + frames * channels, 0, channels * sizeof *amc->value);
    return STATUS_OK;
}

/* Frames are numbered in equal steps. */
static Status begin_frame(Reading *r, Error *err)
{
    double number = 0;
    Status status = end_frame(r, err);
    if (!status)
        status = amc_number(&r->lines, "the number of a frame", &number, err);
    if (!status && !amc_is_line_end(&r->lines))
        return amc_error(&r->lines, err, "expected the end of the line behind the number of a frame");
    if (status)
        return status;
    if (r->amc->frame_count >= r->def->max_frames)
        return error_set(err, STATUS_LIMIT, "more than %d frames (--max-frames)", r->def->max_frames);
    double step = number - r->number;
    if (r->amc->frame_count > 0 && (!(step > 0) || (r->amc->frame_count > 1 && step != r->step)))
        return amc_error(&r->lines, err, "frame %g follows frame %g: number the frames in equal steps", number,
                         r->number);
    if ((status = make_room(r, err)))
        return status;
    r->step = step;
    r->number = number;
    r->row_count = 0;
    r->amc->line[r->amc->frame_count++] = r->lines.line;
    return STATUS_OK;
}

/* ---- Rows ---- */

static int is_angle(AsfDof dof) { return dof >= ASF_RX && dof <= ASF_RZ; }

static Status read_value(Reading *r, int bone, int dof, Error *err)
{
    const AsfBone *b = &r->asf->bone[bone];
    double value;
    size_t row = (size_t)(r->amc->frame_count - 1) * (size_t)r->amc->channel_count;
    int angle = is_angle(b->dof[dof]);
    Status status = amc_number(&r->lines, angle ? "an angle" : "a length", &value, err);
    if (status)
        return status;
    if (bone > 0 && !angle && value != 0)
        return amc_error(&r->lines, err, "bone \"%.60s\" changes its length or place by %g: bones of kane keep both; "
                         "remove its degrees of freedom tx ty tz l", b->name, value);
    r->amc->value[row + (size_t)(r->amc->first_channel[bone] + dof)] = angle ? value * r->angle : value;
    return STATUS_OK;
}

static Status read_row(Reading *r, Error *err)
{
    AmcLines start = r->lines;
    size_t size;
    const char *word = amc_word(&r->lines, &size);
    int frame = r->amc->frame_count, bone = frame > 0 ? find_bone(r, word, size) : -1;
    if (frame == 0) {
        r->lines = start;
        return amc_expected(&r->lines, "the number of a frame", err);
    }
    if (bone < 0)
        return amc_error(&r->lines, err, "%.60s has no bone \"%.*s\": give the skeleton of this motion with import's "
                         "--skeleton", r->skeleton, (int)(size < 60 ? size : 60), word);
    if (r->seen[bone] == frame)
        return amc_error(&r->lines, err, "a second row of bone \"%.60s\" in frame %g", r->asf->bone[bone].name,
                         r->number);
    if (frame > 1 && r->seen[bone] != frame - 1)
        return amc_error(&r->lines, err, "the frames before have no row of bone \"%.60s\"", r->asf->bone[bone].name);
    r->seen[bone] = frame;
    r->last = bone;
    r->row_count++;
    Status status = STATUS_OK;
    for (int dof = 0; !status && dof < r->asf->bone[bone].dof_count; dof++)
        status = read_value(r, bone, dof, err);
    if (!status && !amc_is_line_end(&r->lines))
        return amc_error(&r->lines, err, "bone \"%.60s\" has %d degree%s of freedom in %.60s, the row more numbers",
                         r->asf->bone[bone].name, r->asf->bone[bone].dof_count,
                         r->asf->bone[bone].dof_count == 1 ? "" : "s", r->skeleton);
    return status;
}

/* ":DEGREES", ":RADIANS", ":SAMPLES-PER-SECOND 120"; others are skipped. */
static Status read_keyword(Reading *r, Error *err)
{
    double rate = 0;
    Status status = STATUS_OK;
    if (amc_skip_word(&r->lines, ":degrees"))
        r->angle = 1;
    else if (amc_skip_word(&r->lines, ":radians"))
        r->angle = 180 / PI;
    else if (amc_skip_word(&r->lines, ":samples-per-second")) {
        status = amc_number(&r->lines, "a frame rate", &rate, err);
        r->amc->frame_time = rate > 0 ? 1 / rate : 0;
    }
    return status;
}

static Status read_lines(Reading *r, Error *err)
{
    Status status = STATUS_OK;
    while (!status && amc_next_line(&r->lines)) {
        char c = *r->lines.at;
        status = c == ':' ? read_keyword(r, err) : c >= '0' && c <= '9' ? begin_frame(r, err) : read_row(r, err);
    }
    if (!status)
        status = end_frame(r, err);
    if (!status && r->amc->frame_count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "no frames");
    return status;
}

Status amc_parse(const SourceFile *file, const Asf *asf, const SourceDef *def, Amc *out, Error *err)
{
    size_t bones = (size_t)asf->bone_count;
    Arena arena = {0};
    *out = (Amc){0};
    Reading r = {.lines = amc_lines_new(file->bytes, file->size, NULL), .def = def, .asf = asf, .amc = out,
                 .skeleton = file->companion_count > 0 ? base_name(file->companion[0].path) : "the skeleton",
                 .angle = asf->angle};
    r.seen = arena_array(&arena, bones, 1, sizeof *r.seen);
    r.order = arena_array(&arena, bones, 1, sizeof *r.order);
    out->first_channel = array_new(bones, 1, sizeof *out->first_channel);
    Status status = arena.failed || !out->first_channel ? error_no_memory(err) : STATUS_OK;
    for (int b = 0; !status && b < asf->bone_count; b++) {
        r.order[b] = -1;
        out->first_channel[b] = out->channel_count;
        out->channel_count += asf->bone[b].dof_count;
    }
    if (!status)
        status = read_lines(&r, err);
    arena_free(&arena);
    if (status)
        amc_free(out);
    return status;
}

/* ---- Motion ---- */

/* Lists the angles of each bone from the last applied to the first, the order of Euler channels. */
static Status list_rotations(const Asf *asf, const Amc *amc, ChannelRows *rows, EulerChannels **rotations, Error *err)
{
    EulerChannels *t = array_new((size_t)asf->bone_count, 1, sizeof *t);
    *rotations = t;
    if (!t)
        return error_no_memory(err);
    for (int b = 0; b < asf->bone_count; b++)
        for (int d = asf->bone[b].dof_count - 1; d >= 0; d--)
            if (is_angle(asf->bone[b].dof[d])) {
                t[b].axis[t[b].count] = (int)asf->bone[b].dof[d] - ASF_RX;
                t[b].column[t[b].count++] = amc->first_channel[b] + d;
            }
    *rows = (ChannelRows){.frame_count = amc->frame_count, .row_size = amc->channel_count,
                          .joint_count = asf->bone_count, .rotations = t, .value = amc->value};
    return STATUS_OK;
}

Status amc_motion(const Asf *asf, const Amc *amc, Motion *out, ChannelRows *rows, EulerChannels **rotations,
                  Error *err)
{
    Status status = list_rotations(asf, amc, rows, rotations, err);
    if (!status)
        status = motion_space(out, amc->frame_count, asf->bone_count, amc->frame_time, 0, err);
    if (status)
        return status;
    euler_to_quat(rows, LANES_AUTO, out->rotation);
    const AsfBone *root = &asf->bone[0];
    for (int f = 0; f < amc->frame_count; f++) {
        const double *row = amc->value + (size_t)f * (size_t)amc->channel_count;
        double position[3] = {0};
        for (int d = 0; d < root->dof_count; d++)
            if (root->dof[d] <= ASF_TZ)
                position[root->dof[d]] = row[d];
        out->root_position[f] = vec3(position[0], position[1], position[2]);
        for (int b = 0; b < asf->bone_count; b++) {
            Quat *q = &out->rotation[motion_index(out, f, b)], c = asf->bone[b].axes;
            *q = quat_normalize(quat_mul(quat_mul(c, *q), quat_conjugate(c)));
        }
    }
    return STATUS_OK;
}
