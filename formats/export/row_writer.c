/* See row_writer.h. */
#include "formats/export/row_writer.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "formats/base/number.h"
#include "formats/base/text.h"
#include "formats/base/json.h"

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
    case ROW_CSV: csv_put_text(sheet->stream, text, strlen(text)); break;
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
    sheet->row++;
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
    *sheet = (RowWriter){.stream = stream, .form = form, .column_count = head->column_count, .header = head->name,
                         .is_short = number_is_short(stream), .needs_numbers = head->needs_numbers, .bad_row = -1};
    if (form == ROW_STORAGE)
        put_storage_header(sheet, head);
    if (form == ROW_TSV && head->comment) {
        fputs("# ", stream);
        put_tsv(stream, head->title ? head->title : "");
        fprintf(stream, ": %s\n", head->comment);
    }
    for (int i = 0; i < head->column_count && form != ROW_JSONL; i++)
        row_writer_text(sheet, head->name[i]);
    sheet->row = 0;
}

void row_writer_number(RowWriter *sheet, double value)
{
    char text[NUMBER_TEXT_SIZE];
    if (!isfinite(value) && sheet->bad_row < 0) {
        sheet->bad_row = sheet->row;
        sheet->bad_column = sheet->column;
    }
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
    if (sheet->needs_numbers && sheet->bad_row >= 0)
        return error_set(err, STATUS_BAD_INPUT, "column %.80s has no value in frame %d, and OpenSim reads numbers "
                         "only: leave these frames out with kane trim",
                         sheet->header[sheet->bad_column], sheet->bad_row);
    return STATUS_OK;
}
