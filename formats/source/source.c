/* See source.h. */
#include "formats/source/source.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/base/bytes.h"
#include "formats/base/text.h"

#define ADDRESS(name) &source_##name,
static const SourceFormat *const formats[] = {SOURCES(ADDRESS) NULL};

SourceDef source_default_def(void)
{
    return (SourceDef){.max_depth = 1000, .max_joints = 4096, .max_frames = 10000000};
}

/* ---- The table ---- */

void source_names(char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; formats[i] && used < size; i++) {
        const char *before = i == 0 ? "" : formats[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(text + used, size - used, "%s%s", before, formats[i]->name);
    }
}

const SourceFormat *source_of_front(const char *front, size_t size)
{
    for (const SourceFormat *const *format = formats; *format; format++)
        if ((*format)->begins(front, size))
            return *format;
    return NULL;
}

static size_t ending_length(const SourceFormat *format, const char *name, size_t length)
{
    for (const char *const *ending = format->endings; *ending; ending++) {
        size_t size = strlen(*ending);
        if (length > size && strncasecmp(name + length - size, *ending, size) == 0)
            return size;
    }
    return 0;
}

static const SourceFormat *format_of_name(const char *name, size_t length)
{
    for (const SourceFormat *const *format = formats; *format; format++)
        if (ending_length(*format, name, length) > 0)
            return *format;
    return NULL;
}

int source_has_ending(const char *name)
{
    return format_of_name(name, strlen(name)) != NULL;
}

size_t source_stem(const char *name, size_t length)
{
    const SourceFormat *format = format_of_name(name, length);
    return length - (format ? ending_length(format, name, length) : 0);
}

const FindingInfo *source_finding(const SourceFormat *format, int kind)
{
    return kind < FINDING_KIND_COUNT ? finding_info(kind) : &format->kinds[kind - FINDING_KIND_COUNT];
}

const FindingInfo *source_finding_named(const char *name, size_t length)
{
    for (const SourceFormat *const *format = formats; *format; format++)
        for (int kind = 0; kind < FINDING_KIND_COUNT + (*format)->kind_count; kind++) {
            const FindingInfo *info = source_finding(*format, kind);
            if (strlen(info->name) == length && strncmp(info->name, name, length) == 0)
                return info;
        }
    return NULL;
}

/* ---- Bytes ---- */

typedef struct Reader {
    FILE *stream;
    char *bytes; /* owned until the end */
    size_t size, capacity;
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

static Status bound(const Reader *r, const SourceFormat *format, const SourceDef *def, size_t *most, Error *err)
{
    *most = SOURCE_MOST;
    if (format->bound)
        return format->bound(r->bytes, r->size, def, most, err);
    return r->size > SOURCE_MOST ? error_set(err, STATUS_LIMIT, "more than %zu MB", SOURCE_MOST >> 20) : STATUS_OK;
}

/* Doubles what it has read until the end or the bound of the format. */
static Status read_bounded(Reader *r, const SourceDef *def, Error *err)
{
    Status status = read_to(r, FILE_FRONT_SIZE, err);
    const SourceFormat *format = status ? NULL : source_of_front(r->bytes, r->size);
    if (status || r->size < FILE_FRONT_SIZE || !format)
        return status; /* whoever parses it says what it is */
    while (!status && !feof(r->stream)) {
        size_t most;
        status = bound(r, format, def, &most, err);
        if (!status)
            status = read_to(r, 2 * r->size < most ? 2 * r->size : most + 1, err);
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

Status source_bytes_stream(FILE *stream, const SourceDef *def, char **bytes, size_t *size, Error *err)
{
    struct stat info;
    Reader r = {.stream = stream};
    if (fstat(fileno(stream), &info) == 0 && S_ISREG(info.st_mode))
        return bytes_read_stream(stream, bytes, size, err);
    Status status = read_bounded(&r, def, err);
    if (!status && is_container(&r))
        status = read_rest(&r, err);
    if (status) {
        free(r.bytes);
        return status;
    }
    *bytes = r.bytes;
    *size = r.size;
    return STATUS_OK;
}

Status source_bytes_path(const char *path, const SourceDef *def, char **bytes, size_t *size, Error *err)
{
    FILE *stream = fopen(path, "rbe");
    if (!stream)
        return error_set(err, STATUS_IO, "cannot read: %s", strerror(errno));
    Status status = source_bytes_stream(stream, def, bytes, size, err);
    fclose(stream);
    return status;
}

/* ---- Takes ---- */

int source_split(const char *path, char *file, size_t size)
{
    const char *mark = strrchr(path, '#');
    char *end = NULL;
    long number = mark && isdigit((unsigned char)mark[1]) ? strtol(mark + 1, &end, 10) : 0;
    snprintf(file, size, "%s", path);
    if (number < 1 || number > 1000000 || *end || access(path, F_OK) == 0 || (size_t)(mark - path) >= size)
        return 0;
    file[mark - path] = 0;
    if (access(file, F_OK) == 0)
        return (int)number;
    snprintf(file, size, "%s", path);
    return 0;
}

const char *source_file(const char *path, char text[SOURCE_PATH_SIZE])
{
    return source_split(path, text, SOURCE_PATH_SIZE) > 0 ? text : path;
}

/* By content, then by name, then the first of the table. */
static const SourceFormat *format_of(const char *path, const char *bytes, size_t size)
{
    const SourceFormat *format = source_of_front(bytes, size < FILE_FRONT_SIZE ? size : FILE_FRONT_SIZE);
    if (!format)
        format = format_of_name(path, strlen(path));
    return format ? format : formats[0];
}

static Status count_takes(const SourceFile *file, const SourceDef *def, int *count, Error *err)
{
    *count = 1;
    return file->format->count ? file->format->count(file->bytes, file->size, def, count, err) : STATUS_OK;
}

/* Which take is read: the one that is named, or the only one. */
static Status choose_take(SourceFile *file, const char *path, const SourceDef *def, Error *err)
{
    int count;
    Status status = count_takes(file, def, &count, err);
    if (status)
        return status;
    if (file->take > count)
        return error_set(err, STATUS_BAD_INPUT, "there is no take %d, the file has %d", file->take, count);
    const char *name = strcmp(path, "-") ? path : "FILE";
    if (file->take == 0 && count > 1)
        return error_set(err, STATUS_BAD_INPUT, "%d takes: name one, from %s#1 to %s#%d", count, name, name, count);
    file->index = file->take ? file->take : 1;
    return STATUS_OK;
}

Status source_open(const char *path, const SourceDef *def, SourceFile *out, Error *err)
{
    char name[SOURCE_PATH_SIZE];
    *out = (SourceFile){.take = source_split(path, name, sizeof name)};
    const char *file = out->take ? name : path;
    Status status = strcmp(path, "-") == 0 ? source_bytes_stream(stdin, def, &out->bytes, &out->size, err)
                                           : source_bytes_path(file, def, &out->bytes, &out->size, err);
    if (status)
        return status;
    out->format = format_of(file, out->bytes, out->size);
    status = choose_take(out, path, def, err);
    if (status)
        source_close(out);
    return status;
}

void source_close(SourceFile *file)
{
    free(file->bytes);
    *file = (SourceFile){0};
}

/* In place: whole UTF-8 sequences without control characters, cut at a limit. */
static void clean_name(char *name)
{
    size_t length = strlen(name), kept = 0;
    for (size_t at = 0; at < length;) {
        int n = utf8_length((const unsigned char *)name + at, length - at);
        unsigned char c = (unsigned char)name[at];
        if (kept + (size_t)(n ? n : 1) >= SOURCE_NAME_SIZE)
            break;
        if (n == 0 || c < ' ' || c == 0x7F || (c == 0xC2 && (unsigned char)name[at + 1] < 0xA0))
            name[kept++] = '_';
        else
            kept += (size_t)n, memmove(name + kept - (size_t)n, name + at, (size_t)n);
        at += (size_t)(n ? n : 1);
    }
    name[kept] = 0;
}

Status source_take(const SourceFile *file, const SourceDef *def, Take *out, Error *err)
{
    *out = (Take){0};
    Status status = file->format->read(file->bytes, file->size, file->index, def, out, err);
    if (out->name)
        clean_name(out->name);
    return status;
}

int source_count(const char *path, const SourceDef *def)
{
    char name[SOURCE_PATH_SIZE];
    int count = 1;
    SourceFile file = {0};
    file.format = source_split(path, name, sizeof name) ? NULL : format_of_name(name, strlen(name));
    if (!file.format || !file.format->count)
        return 1;
    Status status = source_bytes_path(path, def, &file.bytes, &file.size, NULL);
    if (!status && count_takes(&file, def, &count, NULL))
        count = 1;
    source_close(&file);
    return count;
}

Status source_skeleton(const char *path, const SourceDef *def, Skeleton *out, Error *err)
{
    char name[SOURCE_PATH_SIZE];
    struct stat info;
    SourceFile file;
    Take take = {0};
    *out = (Skeleton){0};
    source_split(path, name, sizeof name);
    if (stat(name, &info) || !S_ISREG(info.st_mode))
        return error_set(err, STATUS_IO, "%s is no file", name);
    const SourceFormat *format = format_of_name(name, strlen(name));
    if (format && format->read_skeleton)
        return format->read_skeleton(name, def, out, err);
    Status status = source_open(path, def, &file, err);
    if (!status) {
        status = source_take(&file, def, &take, err);
        *out = take.skeleton;
        take.skeleton = (Skeleton){0};
        take_free(&take);
        source_close(&file);
    }
    return status;
}
