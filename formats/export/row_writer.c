/* See row_writer.h. */
#include "formats/export/row_writer.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "analysis/base/names.h"
#include "formats/base/number.h"
#include "formats/base/text.h"

/* Names and defaults of export options. */

static const char *const frame_names[] = {
    [EXPORT_WORLD] = "world", [EXPORT_PARENT] = "parent", [EXPORT_LOCAL] = "local",
};
_Static_assert(sizeof frame_names / sizeof *frame_names == EXPORT_FRAME_COUNT, "a frame has no name");

ExportDef export_default_def(void)
{
    return (ExportDef){.format = EXPORT_TSV, .frame = EXPORT_WORLD, .camera = camera_default_def()};
}

const char *export_frame_name(ExportFrame frame)
{
    return (unsigned)frame < EXPORT_FRAME_COUNT ? frame_names[frame] : NULL;
}

int export_frame_from_name(const char *name, ExportFrame *frame)
{
    int found = name_index(frame_names, EXPORT_FRAME_COUNT, name);
    if (found >= 0)
        *frame = (ExportFrame)found;
    return found >= 0;
}

static void put_csv(FILE *stream, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    putc_unlocked('"', stream);
    for (; *text; text++) {
        if (*text == '"')
            putc_unlocked('"', stream);
        putc_unlocked(*text, stream);
    }
    putc_unlocked('"', stream);
}

static void put_tsv(FILE *stream, const char *text)
{
    static const char special[] = "\t\n\r\\", letter[] = "tnr\\";
    for (; *text; text++) {
        const char *found = strchr(special, *text);
        if (found)
            putc_unlocked('\\', stream);
        putc_unlocked(found ? letter[found - special] : *text, stream);
    }
}

static void put_label(FILE *stream, const char *text)
{
    for (; *text; text++)
        putc_unlocked(strchr(" \t\n\r\v\f", *text) ? '_' : *text, stream);
}

static void put_text(const RowWriter *sheet, const char *text)
{
    switch (sheet->form) {
    case ROW_CSV: put_csv(sheet->stream, text); break;
    case ROW_TSV: put_tsv(sheet->stream, text); break;
    case ROW_JSONL: json_put_text(sheet->stream, text); break;
    case ROW_STORAGE: put_label(sheet->stream, text); break;
    }
}

/* Writes the text before a cell: separator or JSON key. */
static void open_cell(const RowWriter *sheet)
{
    int first = sheet->column == 0;
    if (sheet->form == ROW_JSONL) {
        putc_unlocked(first ? '{' : ',', sheet->stream);
        json_put_text(sheet->stream, sheet->header[sheet->column]);
        putc_unlocked(':', sheet->stream);
    } else if (!first) {
        putc_unlocked(sheet->form == ROW_CSV ? ',' : '\t', sheet->stream);
    }
}

static void close_cell(RowWriter *sheet)
{
    if (++sheet->column < sheet->column_count)
        return;
    sheet->column = 0;
    if (sheet->form == ROW_JSONL)
        putc_unlocked('}', sheet->stream);
    putc_unlocked('\n', sheet->stream);
}

/* OpenSim, Storage::writeHeader: name, version, size, then the line "endheader". */
static void put_storage_header(const RowWriter *sheet, const RowHead *head)
{
    put_label(sheet->stream, head->title);
    fprintf(sheet->stream, "\nversion=1\nnRows=%lld\nnColumns=%d\ninDegrees=%s\nendheader\n", head->row_count,
            head->column_count, head->is_degrees ? "yes" : "no");
}

void row_writer_begin(RowWriter *sheet, RowForm form, FILE *stream, const RowHead *head)
{
    *sheet = (RowWriter){stream, form, head->column_count, 0, head->name, number_is_short(stream)};
    if (form == ROW_STORAGE)
        put_storage_header(sheet, head);
    if (form == ROW_TSV && head->comment) {
        fputs("# ", stream);
        put_tsv(stream, head->title ? head->title : "");
        fprintf(stream, ": %s\n", head->comment);
    }
    for (int i = 0; i < head->column_count && form != ROW_JSONL; i++)
        row_writer_text(sheet, head->name[i]);
}

void row_writer_number(RowWriter *sheet, double value)
{
    char text[NUMBER_TEXT_SIZE];
    open_cell(sheet);
    if (sheet->form == ROW_JSONL)
        json_put_number(sheet->stream, value);
    else
        fwrite_unlocked(text, 1, (size_t)number_print_as(value, sheet->is_short, text), sheet->stream);
    close_cell(sheet);
}

void row_writer_vector(RowWriter *sheet, Vec3 v)
{
    row_writer_number(sheet, v.x);
    row_writer_number(sheet, v.y);
    row_writer_number(sheet, v.z);
}

void row_writer_integer(RowWriter *sheet, long long value)
{
    open_cell(sheet);
    fprintf(sheet->stream, "%lld", value);
    close_cell(sheet);
}

void row_writer_text(RowWriter *sheet, const char *text)
{
    open_cell(sheet);
    put_text(sheet, text);
    close_cell(sheet);
}

void row_writer_absent(RowWriter *sheet)
{
    open_cell(sheet);
    if (sheet->form == ROW_JSONL)
        fputs("null", sheet->stream);
    close_cell(sheet);
}

Status row_writer_finish(RowWriter *sheet, Error *err)
{
    if (fflush(sheet->stream) || ferror(sheet->stream))
        return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return STATUS_OK;
}

/* Composed column names. */

RowHeader row_header_of(int columns)
{
    RowHeader header = {0};
    header.name = arena_array(&header.arena, (size_t)columns, 1, sizeof *header.name);
    return header;
}

void row_header_free(RowHeader *header)
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
