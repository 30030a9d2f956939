/* Reading the bytes of a BVH file out of what may never end: a pipe, a device. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "formats/base/bytes.h"
#include "formats/bvh/bvh.h"

/* Bytes of the first look, of a joint's lines with their indentation, and of a number with its blank; all beyond what
 * any program writes. */
enum { FIRST_LOOK = 1 << 16, JOINT_BYTES = 1 << 14, NUMBER_BYTES = 64, HEAD_BYTES = 1 << 16 };

typedef struct Reader {
    FILE *stream;
    const BvhDef *def;
    char *bytes; /* owned until the end */
    size_t size, capacity;
    size_t most; /* bytes that a file of these limits can have, as far as is known */
} Reader;

/* Up to a size in total; less at the end of the stream. */
static Status read_to(Reader *r, size_t size, Error *err)
{
    if (size + 1 > r->capacity) {
        char *grown = realloc(r->bytes, size + 1);
        if (!grown)
            return error_no_memory(err);
        r->bytes = grown;
        r->capacity = size + 1;
    }
    r->size += fread(r->bytes + r->size, 1, size - r->size, r->stream);
    r->bytes[r->size] = 0;
    return ferror(r->stream) ? error_set(err, STATUS_IO, "cannot read: %s", strerror(errno)) : STATUS_OK;
}

static int begins_as_bvh(const Reader *r)
{
    static const char word[] = "HIERARCHY";
    const char *at = r->bytes;
    at += strncmp(at, "\357\273\277", 3) == 0 ? 3 : 0;
    at += strspn(at, " \t\r\n");
    return strncasecmp(at, word, sizeof word - 1) == 0;
}

/* As many values a row as the hierarchy in front of MOTION names channels; 0 where that is not there yet. */
static size_t count_channels(const Reader *r, const char **motion)
{
    size_t count = 0;
    *motion = strcasestr(r->bytes, "MOTION");
    for (const char *at = r->bytes; *motion && (at = strcasestr(at, "CHANNELS")) && at < *motion; at += 8) {
        long n = strtol(at + 8, NULL, 10);
        count += n > 0 && n <= BVH_MAX_CHANNELS ? (size_t)n : 0;
    }
    return count;
}

static size_t most_bytes(const Reader *r)
{
    const char *motion;
    size_t channels = count_channels(r, &motion), rows, all;
    if (!motion)
        return HEAD_BYTES + (size_t)r->def->max_joints * JOINT_BYTES;
    if (__builtin_mul_overflow((size_t)r->def->max_frames + 1, channels * NUMBER_BYTES, &rows) ||
        __builtin_add_overflow((size_t)(motion - r->bytes) + HEAD_BYTES, rows, &all))
        return (size_t)-1 / 4;
    return all;
}

static Status refuse(const Reader *r, Error *err)
{
    const char *motion = strcasestr(r->bytes, "MOTION");
    return motion ? error_set(err, STATUS_LIMIT, "more than %d frames (--max-frames)", r->def->max_frames)
                  : error_set(err, STATUS_LIMIT, "no MOTION behind what %d joints take (--max-joints)",
                              r->def->max_joints);
}

/* Doubles what it has read until the end or the limit, which is known once the hierarchy is. */
static Status read_bounded(Reader *r, Error *err)
{
    Status status = read_to(r, FIRST_LOOK, err);
    int is_known = 0;
    if (status || r->size < FIRST_LOOK || !begins_as_bvh(r))
        return status; /* whoever parses it says what it is */
    while (!status && !feof(r->stream)) {
        if (!is_known) {
            const char *motion;
            r->most = most_bytes(r);
            is_known = (count_channels(r, &motion), motion != NULL);
        }
        if (r->size > r->most)
            return refuse(r, err);
        status = read_to(r, 2 * r->size < r->most ? 2 * r->size : r->most + 1, err);
    }
    return status;
}

static int is_container(const Reader *r)
{
    return r->size >= 4 && memcmp(r->bytes, "\211HDF", 4) == 0;
}

/* Containers in a pipe say how long they are; the rest of one is read as it comes. */
static Status read_rest(Reader *r, Error *err)
{
    Status status = STATUS_OK;
    while (!status && !feof(r->stream))
        status = read_to(r, 2 * r->size, err);
    return status;
}

Status bvh_bytes_stream(FILE *stream, const BvhDef *def, char **bytes, size_t *size, Error *err)
{
    struct stat info;
    Reader r = {.stream = stream, .def = def};
    if (fstat(fileno(stream), &info) == 0 && S_ISREG(info.st_mode))
        return bytes_read_stream(stream, bytes, size, err);
    Status status = read_bounded(&r, err);
    if (status == STATUS_OK && is_container(&r))
        status = read_rest(&r, err);
    if (status) {
        free(r.bytes);
        return status;
    }
    *bytes = r.bytes;
    *size = r.size;
    return STATUS_OK;
}

Status bvh_bytes_path(const char *path, const BvhDef *def, char **bytes, size_t *size, Error *err)
{
    FILE *stream = fopen(path, "rbe");
    if (!stream)
        return error_set(err, STATUS_IO, "cannot read: %s", strerror(errno));
    Status status = bvh_bytes_stream(stream, def, bytes, size, err);
    fclose(stream);
    return status;
}
