#include "formats/export/sheet_header.h"

#include <stdarg.h>

SheetHeader sheet_header_of(int columns)
{
    SheetHeader header = {0};
    header.name = arena_array(&header.arena, (size_t)columns, 1, sizeof *header.name);
    return header;
}

void sheet_header_free(SheetHeader *header)
{
    arena_free(&header->arena);
    *header = (SheetHeader){0};
}

void sheet_header_add(SheetHeader *header, const char *format, ...)
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

void sheet_header_add_vector(SheetHeader *header, const char *prefix, const char *stem, const char *suffix)
{
    for (const char *axis = "xyz"; *axis; axis++)
        sheet_header_add(header, "%s%s%c%s", prefix, stem, *axis, suffix);
}

Status sheet_header_begin(SheetHeader *header, Sheet *sheet, SheetForm form, FILE *stream, SheetHead head, Error *err)
{
    if (header->arena.failed) {
        sheet_header_free(header);
        return error_no_memory(err);
    }
    head.column_count = header->count;
    head.name = header->name;
    sheet_begin(sheet, form, stream, &head);
    return STATUS_OK;
}

Status sheet_header_finish(SheetHeader *header, Sheet *sheet, Error *err)
{
    Status status = sheet_finish(sheet, err);
    sheet_header_free(header);
    return status;
}
