/* See fbx_takes.h. */
#include "formats/scene_file/fbx_takes.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/scene_file/scene_tree.h"

static const char binary_mark[] = "Kaydara FBX Binary  ";
enum { HEADER_SIZE = 27, VERSION_AT = 23, WIDE_RECORDS = 7500 };

static int is_binary(const char *bytes, size_t size)
{
    return size >= sizeof binary_mark - 1 && memcmp(bytes, binary_mark, sizeof binary_mark - 1) == 0;
}

int fbx_begins(const char *front, size_t size)
{
    static const char text_mark[] = "; FBX";
    int is_text = size >= sizeof text_mark && memcmp(front, text_mark, sizeof text_mark - 1) == 0;
    return is_binary(front, size) || is_text || (size >= 11 && memcmp(front, "FBXHeaderEx", 11) == 0);
}

static Status add_name(FbxTakes *out, const char *name, size_t length, Error *err)
{
    if (out->count == SCENE_MAX_TAKES)
        return error_set(err, STATUS_LIMIT, "more than %d takes", SCENE_MAX_TAKES);
    if ((out->count & (out->count - 1)) == 0) {
        char **grown = realloc(out->name, (size_t)(out->count ? 2 * out->count : 1) * sizeof *grown);
        if (!grown)
            return error_no_memory(err);
        out->name = grown;
    }
    char *copy = strndup(name, length);
    if (!copy)
        return error_no_memory(err);
    out->name[out->count++] = copy;
    return STATUS_OK;
}

/* ---- Binary ---- */

typedef struct Record {
    size_t properties, children, end; /* bytes of the file */
    const char *name;
    size_t name_size;
} Record;

static uint64_t read_number(const char *at, int size)
{
    uint64_t number = 0;
    for (int i = size; i-- > 0;)
        number = number << 8 | (unsigned char)at[i];
    return number;
}

/* Reads the record at `at`, which ends before `limit`; record->end is 0 for the one that ends a list. */
static Status read_record(const char *bytes, size_t at, size_t limit, int version, Record *record, Error *err)
{
    int width = version >= WIDE_RECORDS ? 8 : 4;
    size_t head = 3 * (size_t)width + 1;
    *record = (Record){0};
    if (limit - at < head)
        return STATUS_OK;
    uint64_t end = read_number(bytes + at, width), size = read_number(bytes + at + 2 * width, width);
    size_t name_size = (unsigned char)bytes[at + head - 1];
    if (end == 0)
        return STATUS_OK;
    if (end > limit || end < at + head + name_size || size > end - at - head - name_size)
        return error_set(err, STATUS_BAD_INPUT, "FBX: byte %zu: a record reaches beyond the file: download or export "
                         "it again", at);
    record->name = bytes + at + head;
    record->name_size = name_size;
    record->properties = at + head + name_size;
    record->children = record->properties + (size_t)size;
    record->end = (size_t)end;
    return STATUS_OK;
}

static int is_named(const Record *record, const char *name)
{
    return record->name_size == strlen(name) && memcmp(record->name, name, record->name_size) == 0;
}

/* Adds the name of a record: its second property, a text, after a number of eight bytes. */
static Status add_stack(const char *bytes, const Record *record, FbxTakes *out, Error *err)
{
    const char *at = bytes + record->properties;
    size_t left = record->children - record->properties, length = 0;
    if (left >= 14 && at[0] == 'L' && at[9] == 'S') {
        length = (size_t)read_number(at + 10, 4);
        length = length < left - 14 ? length : left - 14;
        at += 14;
    }
    return add_name(out, at, strnlen(at, length), err);
}

static Status read_objects(const char *bytes, const Record *objects, FbxTakes *out, Error *err)
{
    Record record;
    Status status = STATUS_OK;
    for (size_t at = objects->children; !status && at < objects->end; at = record.end) {
        status = read_record(bytes, at, objects->end, out->version, &record, err);
        if (status || record.end == 0)
            break;
        if (is_named(&record, "AnimationStack"))
            status = add_stack(bytes, &record, out, err);
        out->has_curves |= is_named(&record, "AnimationCurve");
    }
    return status;
}

static Status read_binary(const char *bytes, size_t size, FbxTakes *out, Error *err)
{
    Record record;
    Status status = STATUS_OK;
    if (size < HEADER_SIZE)
        return error_set(err, STATUS_BAD_INPUT, "FBX: the file ends after %zu bytes", size);
    out->version = (int)(read_number(bytes + VERSION_AT, 4) & INT32_MAX);
    for (size_t at = HEADER_SIZE; !status && at < size; at = record.end) {
        status = read_record(bytes, at, size, out->version, &record, err);
        if (status || record.end == 0)
            break;
        if (is_named(&record, "Objects"))
            status = read_objects(bytes, &record, out, err);
    }
    return status;
}

/* ---- Text ---- */

static const char *skip_word(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - at) > length && memcmp(at, word, length) == 0 ? at + length : NULL;
}

/* A line `AnimationStack: 123, "AnimStack::Take 001", "" {`. */
static Status read_stack_line(const char *at, const char *end, FbxTakes *out, Error *err)
{
    static const char prefix[] = "AnimStack::";
    const char *quote = memchr(at, '"', (size_t)(end - at));
    const char *name = quote ? quote + 1 : end, *after = skip_word(name, end, prefix);
    name = after ? after : name;
    const char *last = name < end ? memchr(name, '"', (size_t)(end - name)) : NULL;
    return add_name(out, name, (size_t)((last ? last : end) - name), err);
}

static Status read_text(const char *bytes, size_t size, FbxTakes *out, Error *err)
{
    Status status = STATUS_OK;
    const char *end = bytes + size, *next;
    for (const char *line = bytes; !status && line < end; line = next) {
        const char *newline = memchr(line, '\n', (size_t)(end - line)), *after;
        next = newline ? newline + 1 : end;
        while (line < next && (*line == ' ' || *line == '\t'))
            line++;
        if ((after = skip_word(line, next, "FBXVersion:")) && out->version == 0)
            out->version = atoi(after);
        else if ((after = skip_word(line, next, "AnimationStack:")))
            status = read_stack_line(after, next, out, err);
        else if (skip_word(line, next, "AnimationCurve:"))
            out->has_curves = 1;
    }
    return status;
}

Status fbx_takes_read(const char *bytes, size_t size, FbxTakes *out, Error *err)
{
    *out = (FbxTakes){.has_effectors = memmem(bytes, size, "IKEffector", 10) != NULL};
    return is_binary(bytes, size) ? read_binary(bytes, size, out, err) : read_text(bytes, size, out, err);
}

void fbx_takes_free(FbxTakes *takes)
{
    for (int i = 0; i < takes->count; i++)
        free(takes->name[i]);
    free(takes->name);
    *takes = (FbxTakes){0};
}
