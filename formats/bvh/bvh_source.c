/* BVH as a motion format: its row of the table of formats (formats/base/source_format.h). */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "formats/base/source_format.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"
#include "formats/bvh/bvh_repair.h"
#include "formats/bvh/bvh_scale.h"

static int begins(const char *front, size_t size)
{
    static const char word[] = "HIERARCHY";
    size_t at = size >= 3 && memcmp(front, "\357\273\277", 3) == 0 ? 3 : 0;
    while (at < size && front[at] && strchr(" \t\r\n", front[at]))
        at++;
    return size - at >= sizeof word - 1 && strncasecmp(front + at, word, sizeof word - 1) == 0;
}

/* ---- Limit of the file size ---- */

/* Bytes of a joint's lines with indentation, of a number with its blank, and of the rest; all larger than any program
 * writes. */
enum { JOINT_BYTES = 1 << 14, NUMBER_BYTES = 64, HEAD_BYTES = 1 << 16 };

enum { MIN_BYTES_PER_VALUE = 2 };   /* a digit and a blank */

/* Counts the channels that the hierarchy before MOTION declares, the values per row. */
static size_t count_channels(const char *bytes, const char *motion)
{
    size_t count = 0;
    for (const char *at = bytes; (at = strcasestr(at, "CHANNELS")) && at < motion; at += 8) {
        long n = strtol(at + 8, NULL, 10);
        count += n > 0 && n <= BVH_LINE_CHANNELS ? (size_t)n : 0;
    }
    return count;
}

static size_t max_bytes(const char *bytes, const char *motion, const SourceDef *def)
{
    size_t rows, all;
    if (!motion)
        return HEAD_BYTES + (size_t)def->max_joints * JOINT_BYTES;
    if (__builtin_mul_overflow((size_t)def->max_frames + 1, count_channels(bytes, motion) * NUMBER_BYTES, &rows) ||
        __builtin_add_overflow((size_t)(motion - bytes) + HEAD_BYTES, rows, &all))
        return (size_t)-1 / 4;
    return all;
}

static Status bound(const char *bytes, size_t size, const SourceDef *def, size_t *max, Error *err)
{
    const char *motion = strcasestr(bytes, "MOTION");
    *max = max_bytes(bytes, motion, def);
    if (size <= *max)
        return STATUS_OK;
    return motion ? error_set(err, STATUS_LIMIT, "more than %d frames (--max-frames)", def->max_frames)
                  : error_set(err, STATUS_LIMIT, "no MOTION within the room of %d joints (--max-joints)",
                              def->max_joints);
}

/* ---- Memory ---- */

static int count_words(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = text; (at = strcasestr(at, word)); at++)
        count++;
    return count;
}

/* The frame count that the head states, but no more than the file has room for. */
static void measure(const SourceHead *head, SourceSize *out)
{
    const char *frames = strcasestr(head->text, "Frames:");
    double count = frames ? strtod(frames + 7, NULL) : -1;
    out->joints = 1 + count_words(head->text, "JOINT");
    double max = head->file_size / (3 * out->joints * MIN_BYTES_PER_VALUE);
    out->frames = count < max ? count : max;
    if (!(count >= 0))
        out->frames = -1;
}

/* ---- Takes ---- */

static void free_bvh(void *file)
{
    bvh_free(file);
    free(file);
}

/* For kane check: the take owns the file, which positions and repair require. */
static Status read_tolerant(Bvh *bvh, Take *out, Error *err)
{
    Bvh *kept = malloc(sizeof *kept);
    if (!kept) {
        bvh_free(bvh);
        return error_no_memory(err);
    }
    *kept = *bvh;
    Status status = take_of_tolerant_bvh(kept, out, err);
    out->findings = kept->findings;
    kept->findings = (Findings){0};
    out->free_file = free_bvh;
    return status;
}

static Status read_take(const SourceFile *file, int number, const SourceDef *def, Take *out, Error *err)
{
    Bvh bvh;
    (void)number;
    Status status = bvh_parse(file->bytes, file->size, def, &bvh, err);
    if (status)
        return status;
    if (def->tolerant)
        return read_tolerant(&bvh, out, err);
    status = take_from_bvh(&bvh, out, err);
    out->findings = bvh.findings;
    bvh.findings = (Findings){0};
    bvh_free(&bvh);
    return status;
}

static Status read_skeleton(const char *path, const SourceDef *def, Skeleton *out, Error *err)
{
    Bvh bvh;
    Status status = bvh_read_head(path, def, &bvh, err);
    if (!status)
        status = bvh_skeleton(&bvh, out, err);
    bvh_free(&bvh);
    return status;
}

/* ---- Repair ---- */

static Status repair(Take *take, const ImportGuessDef *def, Error *err)
{
    Bvh *bvh = take->file;
    bvh->findings = take->findings;
    take->findings = (Findings){0};
    take->rows = (ChannelRows){0}; /* the repair changes the rows */
    Status status = bvh_repair(bvh, def, err);
    take->findings = bvh->findings;
    bvh->findings = (Findings){0};
    return status;
}

static Status repair_write(const Take *take, FILE *stream, Error *err)
{
    return bvh_write(take->file, stream, err);
}

static const char *const endings[] = {".bvh", NULL};

const SourceFormat source_bvh = {
    .name = "BVH",
    .kind = FILE_BVH,
    .endings = endings,
    .begins = begins,
    .bound = bound,
    .measure = measure,
    .read = read_take,
    .read_skeleton = read_skeleton,
    .kinds = bvh_own_findings,
    .kind_count = BVH_ERROR_COUNT - FINDING_KIND_COUNT,
    .repair_words = bvh_repair_words,
    .repair = repair,
    .repair_write = repair_write,
};
