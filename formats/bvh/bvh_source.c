/* BVH in the table of formats (formats/source/source.h). */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"
#include "formats/bvh/bvh_findings.h"
#include "formats/source/source.h"

static int begins(const char *front, size_t size)
{
    static const char word[] = "HIERARCHY";
    size_t at = size >= 3 && memcmp(front, "\357\273\277", 3) == 0 ? 3 : 0;
    while (at < size && front[at] && strchr(" \t\r\n", front[at]))
        at++;
    return size - at >= sizeof word - 1 && strncasecmp(front + at, word, sizeof word - 1) == 0;
}

/* ---- How long a file can be ---- */

/* Bytes of a joint's lines with their indentation, of a number with its blank, and of what is in front of both; all
 * beyond what any program writes. */
enum { JOINT_BYTES = 1 << 14, NUMBER_BYTES = 64, HEAD_BYTES = 1 << 16 };

/* As many values a row as the hierarchy in front of MOTION names channels. */
static size_t count_channels(const char *bytes, const char *motion)
{
    size_t count = 0;
    for (const char *at = bytes; (at = strcasestr(at, "CHANNELS")) && at < motion; at += 8) {
        long n = strtol(at + 8, NULL, 10);
        count += n > 0 && n <= BVH_MAX_CHANNELS ? (size_t)n : 0;
    }
    return count;
}

static size_t most_bytes(const char *bytes, const char *motion, const SourceDef *def)
{
    size_t rows, all;
    if (!motion)
        return HEAD_BYTES + (size_t)def->max_joints * JOINT_BYTES;
    if (__builtin_mul_overflow((size_t)def->max_frames + 1, count_channels(bytes, motion) * NUMBER_BYTES, &rows) ||
        __builtin_add_overflow((size_t)(motion - bytes) + HEAD_BYTES, rows, &all))
        return (size_t)-1 / 4;
    return all;
}

static Status bound(const char *bytes, size_t size, const SourceDef *def, size_t *most, Error *err)
{
    const char *motion = strcasestr(bytes, "MOTION");
    *most = most_bytes(bytes, motion, def);
    if (size <= *most)
        return STATUS_OK;
    return motion ? error_set(err, STATUS_LIMIT, "more than %d frames (--max-frames)", def->max_frames)
                  : error_set(err, STATUS_LIMIT, "no MOTION behind what %d joints take (--max-joints)",
                              def->max_joints);
}

/* ---- Takes ---- */

static void free_bvh(void *file)
{
    bvh_free(file);
    free(file);
}

/* For kane check: the take keeps the file, for its places and a repair. */
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

static Status read_take(const char *bytes, size_t size, int number, const SourceDef *def, Take *out, Error *err)
{
    Bvh bvh;
    (void)number;
    Status status = bvh_parse(bytes, size, def, &bvh, err);
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
    take->rows = (ChannelRows){0}; /* the file's rows change */
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
    .read = read_take,
    .read_skeleton = read_skeleton,
    .kinds = bvh_own_findings,
    .kind_count = BVH_FAULT_COUNT - FINDING_KIND_COUNT,
    .repair_words = bvh_repair_words,
    .repair = repair,
    .repair_write = repair_write,
};
