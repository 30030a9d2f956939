#include "formats/export/sheet.h"

#include <errno.h>
#include <string.h>

#include "formats/base/number.h"
#include "formats/base/text.h"

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

static void put_text(const Sheet *sheet, const char *text)
{
    switch (sheet->form) {
    case SHEET_CSV: put_csv(sheet->stream, text); break;
    case SHEET_TSV: put_tsv(sheet->stream, text); break;
    case SHEET_JSONL: json_put_text(sheet->stream, text); break;
    case SHEET_STORAGE: put_label(sheet->stream, text); break;
    }
}

/* What stands before a cell: a separator, and in JSON the key. */
static void open_cell(const Sheet *sheet)
{
    int first = sheet->column == 0;
    if (sheet->form == SHEET_JSONL) {
        putc_unlocked(first ? '{' : ',', sheet->stream);
        json_put_text(sheet->stream, sheet->header[sheet->column]);
        putc_unlocked(':', sheet->stream);
    } else if (!first) {
        putc_unlocked(sheet->form == SHEET_CSV ? ',' : '\t', sheet->stream);
    }
}

static void close_cell(Sheet *sheet)
{
    if (++sheet->column < sheet->column_count)
        return;
    sheet->column = 0;
    if (sheet->form == SHEET_JSONL)
        putc_unlocked('}', sheet->stream);
    putc_unlocked('\n', sheet->stream);
}

/* OpenSim, Storage::writeHeader: name, version, size, then the line "endheader". */
static void put_storage_header(const Sheet *sheet, const SheetHead *head)
{
    put_label(sheet->stream, head->title);
    fprintf(sheet->stream, "\nversion=1\nnRows=%lld\nnColumns=%d\ninDegrees=%s\nendheader\n", head->row_count,
            head->column_count, head->is_degrees ? "yes" : "no");
}

void sheet_begin(Sheet *sheet, SheetForm form, FILE *stream, const SheetHead *head)
{
    *sheet = (Sheet){stream, form, head->column_count, 0, head->name};
    if (form == SHEET_STORAGE)
        put_storage_header(sheet, head);
    if (form == SHEET_TSV && head->comment) {
        fputs("# ", stream);
        put_tsv(stream, head->title ? head->title : "");
        fprintf(stream, ": %s\n", head->comment);
    }
    for (int i = 0; i < head->column_count && form != SHEET_JSONL; i++)
        sheet_text(sheet, head->name[i]);
}

void sheet_number(Sheet *sheet, double value)
{
    char text[NUMBER_TEXT_SIZE];
    open_cell(sheet);
    if (sheet->form == SHEET_JSONL)
        json_put_number(sheet->stream, value);
    else
        fwrite_unlocked(text, 1, (size_t)number_print(value, text), sheet->stream);
    close_cell(sheet);
}

void sheet_integer(Sheet *sheet, long long value)
{
    open_cell(sheet);
    fprintf(sheet->stream, "%lld", value);
    close_cell(sheet);
}

void sheet_text(Sheet *sheet, const char *text)
{
    open_cell(sheet);
    put_text(sheet, text);
    close_cell(sheet);
}

void sheet_absent(Sheet *sheet)
{
    open_cell(sheet);
    if (sheet->form == SHEET_JSONL)
        fputs("null", sheet->stream);
    close_cell(sheet);
}

Status sheet_finish(Sheet *sheet, Error *err)
{
    if (fflush(sheet->stream) || ferror(sheet->stream))
        return error_set(err, STATUS_IO, "writing failed: %s", strerror(errno));
    return STATUS_OK;
}
