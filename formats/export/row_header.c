/* See row_header.h. */
#include "formats/export/row_header.h"

#include <stdarg.h>

RowHeader row_header(int columns)
{
    RowHeader header = {0};
    header.name = arena_array(&header.arena, (size_t)columns, 1, sizeof *header.name);
    return header;
}

static void row_header_free(RowHeader *header)
{
    arena_free(&header->arena);
    *header = (RowHeader){0};
}

void row_header_add(RowHeader *header, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = arena_array(&header->arena, (size_t)length + 1, 1, 1);
    if (!text || !header->name)
        return;
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    header->name[header->count++] = text;
}

void row_header_add_vector(RowHeader *header, const char *prefix, const char *stem, const char *suffix)
{
    for (const char *axis = "xyz"; *axis; axis++)
        row_header_add(header, "%s%s%c%s", prefix, stem, *axis, suffix);
}

Status row_header_begin(RowHeader *header, RowWriter *sheet, RowForm form, FILE *stream, RowHead head, Error *err)
{
    if (header->arena.failed) {
        row_header_free(header);
        return error_no_memory(err);
    }
    head.column_count = header->count;
    head.name = header->name;
    row_writer_begin(sheet, form, stream, &head);
    return STATUS_OK;
}

Status row_header_finish(RowHeader *header, RowWriter *sheet, Error *err)
{
    Status status = row_writer_finish(sheet, err);
    row_header_free(header);
    return status;
}
