/* See source.h. */
#include "formats/source/source.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/base/arena.h"
#include "formats/base/bytes.h"
#include "formats/base/text.h"
#include "formats/source/identify.h"
#include "formats/source/source_table.h"

/* ---- Bytes ---- */

typedef struct Reader {
    FILE *stream;
    char *bytes; /* owned until it is returned */
    size_t size, capacity;
} Reader;

/* Reads up to a total size, or to the end of the stream. */
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

static Status bound(const Reader *r, const SourceFormat *format, const SourceDef *def, size_t *max, Error *err)
{
    *max = SOURCE_MAX;
    if (format->bound)
        return format->bound(r->bytes, r->size, def, max, err);
    return r->size > SOURCE_MAX ? error_set(err, STATUS_LIMIT, "more than %zu MB", SOURCE_MAX >> 20) : STATUS_OK;
}

/* Reads the stream in doubling steps to its end or the size limit of the format. */
static Status read_bounded(Reader *r, const SourceDef *def, Error *err)
{
    Status status = read_to(r, FILE_FRONT_SIZE, err);
    const SourceFormat *format = status ? NULL : source_of_front(r->bytes, r->size);
    if (status || r->size < FILE_FRONT_SIZE || !format)
        return status; /* the parser reports what is wrong */
    while (!status && !feof(r->stream)) {
        size_t max;
        status = bound(r, format, def, &max, err);
        if (!status)
            status = read_to(r, 2 * r->size < max ? 2 * r->size : max + 1, err);
    }
    return status;
}

static int is_container(const Reader *r)
{
    return r->size >= 4 && memcmp(r->bytes, "\211HDF", 4) == 0;
}

/* Reads the rest of a clip file as it arrives. */
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

enum { TAKES_LISTED = 6, TAKE_LIST_SIZE = 400 };

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

/* Returns the format by content, else by name, else the first in the table. */
static const SourceFormat *find_format(const char *path, const char *bytes, size_t size)
{
    const SourceFormat *format = source_of_front(bytes, size < FILE_FRONT_SIZE ? size : FILE_FRONT_SIZE);
    if (!format)
        format = source_of_name(path, strlen(path));
    return format ? format : source_at(0);
}

static Status count_takes(const Source *source, const SourceDef *def, int *count, Error *err)
{
    *count = 1;
    return source->format->count ? source->format->count(&source->file, def, count, err) : STATUS_OK;
}

static int is_number(const char *text)
{
    return *text && text[strspn(text, "0123456789")] == 0;
}

/* Adds `1 "Idle"` to a list for messages. */
static void list_take(int number, const char *name, char *list, size_t size)
{
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%d \"%.40s\"", used ? ", " : "", number, name ? name : "");
}

/* Finds def->take: the take of this name, else of this number. list: names of the takes, for messages. */
static Status find_take(const Source *source, int count, const char *wanted, int *take, char list[TAKE_LIST_SIZE],
                        Error *err)
{
    int number = wanted && is_number(wanted) ? atoi(wanted) : 0;
    Status status = STATUS_OK;
    *take = number >= 1 && number <= count ? number : 0;
    for (int i = count; !status && i >= 1 && source->format->take_name; i--) {
        char *name = NULL;
        status = source->format->take_name(&source->file, i, &name, err);
        if (wanted && name && strcmp(name, wanted) == 0)
            *take = i;
        free(name);
    }
    for (int i = 1; !status && i <= count && i <= TAKES_LISTED && source->format->take_name; i++) {
        char *name = NULL;
        status = source->format->take_name(&source->file, i, &name, err);
        list_take(i, name, list, TAKE_LIST_SIZE);
        free(name);
    }
    return status;
}

/* Chooses the take of a file with several, or checks that the only one is def->take. */
static Status choose_of_several(Source *source, const char *path, const SourceDef *def, int count, Error *err)
{
    char list[TAKE_LIST_SIZE] = "";
    Status status = find_take(source, count, def->take, &source->take, list, err);
    const char *dots = count > TAKES_LISTED ? ", ..." : "", *mark = *list ? ": " : "";
    if (status || source->take > 0)
        return status;
    if (def->take)
        return error_set(err, STATUS_BAD_INPUT, "no take \"%.60s\"; the file has %d%s%s%s", def->take, count, mark,
                         list, dots);
    if (strcmp(path, "-") == 0)
        return error_set(err, STATUS_BAD_INPUT,
                         "%d takes in a pipe: write them to a file and select one of FILE#1 to FILE#%d", count, count);
    return error_set(err, STATUS_BAD_INPUT, "file with %d takes: select one of %s#1 to %s#%d%s%s%s", count, path, path,
                     count, mark, list, dots);
}

/* Chooses the take: the one that path names, or def, or the only one. */
static Status choose_take(Source *source, const char *path, const SourceDef *def, Error *err)
{
    int count;
    Status status = count_takes(source, def, &count, err);
    if (status)
        return status;
    if (source->take > count)
        return error_set(err, STATUS_BAD_INPUT, "take %d does not exist; the file has %d", source->take, count);
    if (source->take == 0 && (count > 1 || (def->take && source->format->take_name)))
        status = choose_of_several(source, path, def, count, err);
    if (count == 1)
        source->take = 0;
    source->index = source->take ? source->take : 1;
    return status;
}

/* ---- Companions ---- */

static void close_companions(SourceFile *file)
{
    SourceFile *companion = (SourceFile *)file->companion;
    for (int i = 0; i < file->companion_count; i++) {
        free((char *)companion[i].path);
        free((char *)companion[i].bytes);
    }
    free(companion);
    file->companion = NULL;
    file->companion_count = 0;
}

/* Takes over the path. */
static Status read_companion(char *path, SourceFile *out, Error *err)
{
    char *bytes = NULL;
    *out = (SourceFile){.path = path};
    Status status = error_of_file(err, path, bytes_read_path_max(path, SOURCE_MAX, &bytes, &out->size, err));
    out->bytes = bytes;
    return status;
}

/* path NULL: a pipe. */
static Status find_companions(const SourceFormat *format, const char *path, const SourceDef *def, Companions *out,
                              Error *err)
{
    *out = (Companions){0};
    if (!format || !format->find_companions)
        return STATUS_OK;
    const char *stated = format->stated_companion ? format->stated_companion(def) : NULL;
    if (stated) {
        char *copy = strdup(stated);
        return copy ? companions_add(out, copy, err) : error_no_memory(err);
    }
    return path ? format->find_companions(path, out, err) : STATUS_OK;
}

static Status open_companions(const SourceFormat *format, const SourceDef *def, SourceFile *file, Error *err)
{
    Companions found = {0};
    Status status = find_companions(format, file->path, def, &found, err);
    SourceFile *companion = found.count > 0 ? array_new((size_t)found.count, 1, sizeof *companion) : NULL;
    if (!status && found.count > 0 && !companion)
        status = error_no_memory(err);
    file->companion = companion;
    for (int i = 0; !status && i < found.count; i++) {
        status = read_companion(found.path[i], &companion[i], err);
        found.path[i] = NULL;
        file->companion_count++;
    }
    companions_free(&found);
    return status;
}

/* ---- Open files ---- */

static Status open_bytes(const char *path, const SourceDef *def, Source *out, Error *err)
{
    char *bytes = NULL;
    Status status = out->file.path ? source_bytes_path(out->file.path, def, &bytes, &out->file.size, err)
                                   : source_bytes_stream(stdin, def, &bytes, &out->file.size, err);
    out->file.bytes = bytes;
    if (!status)
        out->format = find_format(out->file.path ? out->file.path : path, bytes, out->file.size);
    return status;
}

Status source_open(const char *path, const SourceDef *def, Source *out, Error *err)
{
    *out = (Source){0};
    out->take = source_split(path, out->name, sizeof out->name);
    out->file.path = strcmp(path, "-") ? out->name : NULL;
    Status status = open_bytes(path, def, out, err);
    if (!status)
        status = open_companions(out->format, def, &out->file, err);
    if (!status)
        status = choose_take(out, path, def, err);
    if (status)
        source_close(out);
    return status;
}

void source_close(Source *source)
{
    free((char *)source->file.bytes);
    close_companions(&source->file);
    *source = (Source){0};
}

/* Keeps valid UTF-8 sequences; replaces control characters and other bytes by '_'; truncates. In place. */
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

/* STATUS_BAD_INPUT, with advice, for a file of a foreign format. */
static Status refuse_foreign(const char *bytes, size_t size, const char *expected, Error *err)
{
    char words[SOURCE_WORDS_SIZE];
    const char *what = foreign_file(bytes, size);
    return what ? error_set(err, STATUS_BAD_INPUT, "expected %s, found %s", source_words(expected, words), what)
                : STATUS_OK;
}

Status source_require(const Source *source, const SourceFormat *format, Error *err)
{
    if (source->format != format)
        return error_set(err, STATUS_BAD_INPUT, "expected %s, found a %s file", format->name, source->format->name);
    return refuse_foreign(source->file.bytes, source->file.size, format->name, err);
}

Status source_take(const Source *source, const SourceDef *def, Take *out, Error *err)
{
    *out = (Take){0};
    if (source->file.size == 0)
        return error_set(err, STATUS_BAD_INPUT, "the file is empty");
    Status status = refuse_foreign(source->file.bytes, source->file.size, "{motion}", err);
    if (!status)
        status = source->format->read(&source->file, source->index, def, out, err);
    if (out->name)
        clean_name(out->name);
    return status;
}

Status source_count_takes(const char *path, const SourceDef *def, int *count, Error *err)
{
    int found = 1;
    Source source = {0};
    source.format = source_split(path, source.name, sizeof source.name)
                        ? NULL
                        : source_of_name(source.name, strlen(source.name));
    source.file.path = source.name;
    int is_counted = source.format && source.format->count;
    Status status = is_counted ? open_bytes(path, def, &source, err) : STATUS_OK;
    if (!status && is_counted)
        status = count_takes(&source, def, &found, err);
    *count = status ? *count : found;
    source_close(&source);
    return status;
}

Status source_find_take(const char *path, const SourceDef *def, int *number, Error *err)
{
    Source source;
    Status status = source_open(path, def, &source, err);
    *number = status ? 0 : source.take;
    if (!status)
        source_close(&source);
    return status;
}

int source_count(const char *path, const SourceDef *def)
{
    int count = 1;
    (void)source_count_takes(path, def, &count, NULL);
    return count;
}

static Status skeleton_of_take(const char *path, const SourceDef *def, Skeleton *out, Error *err)
{
    Source source;
    Take take = {0};
    Status status = source_open(path, def, &source, err);
    if (status)
        return status;
    status = source_take(&source, def, &take, err);
    *out = take.skeleton;
    take.skeleton = (Skeleton){0};
    take_free(&take);
    source_close(&source);
    return status;
}

/* Reads the first bytes of a file into bytes, followed by a NUL; *file_size: of the whole file. Returns their number; 0
 * if it is no regular file, as a FIFO, whose bytes can be read but once, or cannot be read. */
static size_t read_head(const char *path, size_t max, char *bytes, double *file_size)
{
    struct stat info;
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rbe") : NULL;
    size_t size = 0;
    *file_size = 0;
    if (file) {
        *file_size = (double)info.st_size;
        size = fread(bytes, 1, max, file);
    }
    bytes[size] = 0;
    if (file)
        fclose(file);
    return size;
}

int source_is_motion(const char *path)
{
    const SourceFormat *format = source_of_name(path, strlen(path));
    char front[FILE_FRONT_SIZE + 1];
    struct stat info;
    double file_size;
    if (!format || !format->holds_motion || stat(path, &info) || !S_ISREG(info.st_mode))
        return format != NULL;
    size_t size = read_head(path, FILE_FRONT_SIZE, front, &file_size);
    return size == 0 || format->holds_motion(front, size);
}

Status source_skeleton(const char *path, const SourceDef *def, Skeleton *out, Error *err)
{
    char name[SOURCE_PATH_SIZE], front[FILE_FRONT_SIZE + 1];
    struct stat info;
    double file_size;
    *out = (Skeleton){0};
    source_split(path, name, sizeof name);
    if (stat(name, &info) || !S_ISREG(info.st_mode))
        return error_set(err, STATUS_IO, "%s is not a regular file", name);
    const SourceFormat *format = source_of_name(name, strlen(name));
    if (!format || !format->read_skeleton)
        return skeleton_of_take(path, def, out, err);
    Status status = format->read_skeleton(name, def, out, err);
    if (status == STATUS_BAD_INPUT)
        (void)refuse_foreign(front, read_head(name, FILE_FRONT_SIZE, front, &file_size), "{motion}", err);
    return status;
}

/* ---- Content ---- */

/* Digests the lines of digests of a file and its companions; one digest is returned as it is. */
static Status digest_lines(const char *lines, size_t size, char digest[DIGEST_SIZE], Error *err)
{
    if (size > DIGEST_SIZE)
        return digest_bytes(lines, size, digest, err);
    snprintf(digest, DIGEST_SIZE, "%.*s", DIGEST_SIZE - 1, lines);
    return STATUS_OK;
}

/* Appends a digest as a line at *used of lines. */
static void add_line(char *lines, size_t *used, const char *digest)
{
    memcpy(lines + *used, digest, DIGEST_SIZE - 1);
    lines[*used + DIGEST_SIZE - 1] = '\n';
    *used += DIGEST_SIZE;
}

Status source_digest(const Source *source, char digest[DIGEST_SIZE], Error *err)
{
    const SourceFile *file = &source->file;
    size_t used = 0;
    Status status = digest_bytes(file->bytes, file->size, digest, err);
    char *lines = status ? NULL : array_new((size_t)file->companion_count + 1, DIGEST_SIZE, 1);
    if (!status && !lines)
        status = error_no_memory(err);
    if (!status)
        add_line(lines, &used, digest);
    for (int i = 0; !status && i < file->companion_count; i++) {
        status = digest_bytes(file->companion[i].bytes, file->companion[i].size, digest, err);
        add_line(lines, &used, digest);
    }
    if (!status)
        status = digest_lines(lines, used, digest, err);
    free(lines);
    return status;
}

/* Finds the companions of a file that is not open: by the format of its name, or of its content. */
static Status companions_of_path(const char *name, const SourceDef *def, Companions *out, Error *err)
{
    char front[FILE_FRONT_SIZE + 1];
    double file_size;
    const SourceFormat *format = source_of_name(name, strlen(name));
    if (!format)
        format = source_of_front(front, read_head(name, FILE_FRONT_SIZE, front, &file_size));
    return find_companions(format, name, def, out, err);
}

Status source_digest_path(const char *path, const SourceDef *def, char digest[DIGEST_SIZE], Error *err)
{
    char name[SOURCE_PATH_SIZE];
    Companions found = {0};
    size_t used = 0;
    source_split(path, name, sizeof name);
    Status status = digest_path(name, digest, err);
    if (!status)
        status = companions_of_path(name, def, &found, err);
    char *lines = status ? NULL : array_new((size_t)found.count + 1, DIGEST_SIZE, 1);
    if (!status && !lines)
        status = error_no_memory(err);
    if (!status)
        add_line(lines, &used, digest);
    for (int i = 0; !status && i < found.count; i++) {
        status = error_of_file(err, found.path[i], digest_path(found.path[i], digest, err));
        add_line(lines, &used, digest);
    }
    if (!status)
        status = digest_lines(lines, used, digest, err);
    companions_free(&found);
    free(lines);
    return status;
}

static void add_stamp(const char *path, SourceStamp *stamp)
{
    struct stat info;
    if (stat(path, &info))
        return;
    long long mtime_ns = info.st_mtim.tv_sec * 1000000000LL + info.st_mtim.tv_nsec;
    stamp->size += info.st_size;
    stamp->mtime_ns = stamp->mtime_ns > mtime_ns ? stamp->mtime_ns : mtime_ns;
}

SourceStamp source_stamp(const char *path, const SourceDef *def)
{
    char name[SOURCE_PATH_SIZE];
    SourceStamp stamp = {0};
    Companions found = {0};
    source_split(path, name, sizeof name);
    add_stamp(name, &stamp);
    (void)find_companions(source_of_name(name, strlen(name)), name, def, &found, NULL);
    for (int i = 0; i < found.count; i++)
        add_stamp(found.path[i], &stamp);
    companions_free(&found);
    return stamp;
}

void source_measure(const char *path, SourceSize *out, double *file_size)
{
    char name[SOURCE_PATH_SIZE], *text = malloc(SOURCE_HEAD_SIZE + 1);
    SourceHead head = {.text = text};
    *out = (SourceSize){.frames = -1};
    *file_size = 0;
    if (!text)
        return;
    source_split(path, name, sizeof name);
    head.size = read_head(name, SOURCE_HEAD_SIZE, text, &head.file_size);
    const SourceFormat *format = find_format(name, text, head.size);
    if (format->measure)
        format->measure(&head, out);
    *file_size = head.file_size;
    free(text);
}
