/* See query_output.h. */
#include "formats/query/query_output.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/names.h"
#include "analysis/stats/joint_curves.h"
#include "analysis/stats/joint_peaks.h"
#include "formats/base/number.h"
#include "formats/base/text.h"
#include "formats/base/json.h"

static const char *const format_names[] = {"table", "tsv", "csv", "json", "jsonl"};
_Static_assert(sizeof format_names / sizeof *format_names == QUERY_FORMAT_COUNT,
               "a name for every QueryFormat, in its order");

const char *query_format_name(QueryFormat format)
{
    return (unsigned)format < QUERY_FORMAT_COUNT ? format_names[format] : NULL;
}

int query_format_from_name(const char *name, QueryFormat *format)
{
    int found = name_index(format_names, QUERY_FORMAT_COUNT, name);
    if (found >= 0)
        *format = (QueryFormat)found;
    return found >= 0;
}

/* A cell of a table, buffered until all column widths are known. */
typedef struct KeptCell {
    char *text;  /* owned */
    int width;   /* characters, not bytes */
    int is_right; /* 1: number, right-aligned */
} KeptCell;

enum { NO_BAR = -1, IS_BAR = -2 };

struct QueryOutput {
    QueryFormat format;
    int column_count;
    char **name;     /* [column] owned */
    int *bar;        /* [column] owned; column of its standard deviation, NO_BAR, or IS_BAR: merged into another
                        column */
    FILE *out;
    long long row_count;
    KeptCell *kept;  /* [row][column] owned; header row first; table only */
    size_t kept_count, kept_capacity;
};

static void free_output(QueryOutput *o)
{
    for (int c = 0; o->name && c < o->column_count; c++)
        free(o->name[c]);
    for (size_t i = 0; i < o->kept_count; i++)
        free(o->kept[i].text);
    free(o->name);
    free(o->bar);
    free(o->kept);
    free(o);
}

/* Prints a number; infinite: text for an infinite one. */
static void write_number(FILE *out, const Cell *cell, const char *infinite, int is_short)
{
    char text[NUMBER_TEXT_SIZE];
    if (cell->kind == CELL_INTEGER)
        fprintf(out, "%" PRId64, cell->integer);
    else if (isinf(cell->real))
        fprintf(out, "%s%s", cell->real < 0 ? "-" : "", infinite);
    else {
        int length = number_print_as(cell->real, is_short, text);
        fwrite(text, 1, (size_t)length, out);
    }
}

static void write_hex(FILE *out, const Cell *cell)
{
    for (size_t i = 0; i < cell->size; i++)
        fprintf(out, "%02x", (unsigned char)cell->bytes[i]);
}

static void write_tsv_text(FILE *out, const char *bytes, size_t size)
{
    static const char special[] = "\t\n\r\\", letter[] = "tnr\\";
    for (size_t i = 0; i < size; i++) {
        const char *found = bytes[i] ? strchr(special, bytes[i]) : NULL;
        if (found)
            putc('\\', out);
        putc(found ? letter[found - special] : bytes[i], out);
    }
}

static void write_delimited(FILE *out, QueryFormat format, const Cell *cell)
{
    if (cell->kind == CELL_INTEGER || cell->kind == CELL_REAL)
        write_number(out, cell, "inf", number_is_short(out));
    else if (cell->kind == CELL_BLOB)
        write_hex(out, cell);
    else if (cell->kind == CELL_TEXT && format == QUERY_TSV)
        write_tsv_text(out, cell->bytes, cell->size);
    else if (cell->kind == CELL_TEXT)
        csv_put_text(out, cell->bytes, cell->size);
}

static void write_delimited_row(QueryOutput *o, const Cell *cells)
{
    for (int c = 0; c < o->column_count; c++) {
        if (c > 0)
            putc(o->format == QUERY_TSV ? '\t' : ',', o->out);
        write_delimited(o->out, o->format, &cells[c]);
    }
    fputs(o->format == QUERY_TSV ? "\n" : "\r\n", o->out);
}

static void write_json_row(QueryOutput *o, const Cell *cells)
{
    for (int c = 0; c < o->column_count; c++) {
        fputs(c > 0 ? ", " : "{", o->out);
        json_put_text(o->out, o->name[c]);
        fputs(": ", o->out);
        if (cells[c].kind == CELL_NULL)
            fputs("null", o->out);
        else if (cells[c].kind == CELL_TEXT)
            json_put_bytes(o->out, cells[c].bytes, cells[c].size);
        else if (cells[c].kind == CELL_BLOB) {
            putc('"', o->out);
            write_hex(o->out, &cells[c]);
            putc('"', o->out);
        } else
            write_number(o->out, &cells[c], "1e999", 0); /* a valid number that every reader parses as infinity */
    }
    putc('}', o->out);
}

/* Whether `sd` names the standard deviation of `value`: "torque_peak_sd_nm_kg" of "torque_peak_nm_kg". */
static int is_sd_column(const char *sd, const char *value)
{
    static const char unit[] = "_nm_kg", both[] = "_sd_nm_kg";
    size_t stem = strlen(value);
    if (stem < sizeof unit || strcmp(value + (stem -= sizeof unit - 1), unit) != 0)
        return 0;
    return strncmp(sd, value, stem) == 0 && strcmp(sd + stem, both) == 0;
}

/* Merges a value and its standard deviation into one column on a terminal. */
static void find_bars(QueryOutput *o)
{
    for (int c = 0; c < o->column_count; c++)
        o->bar[c] = NO_BAR;
    for (int c = 0; o->format == QUERY_TABLE && number_is_short(o->out) && c < o->column_count; c++)
        for (int k = 0; k < o->column_count; k++)
            if (is_sd_column(o->name[k], o->name[c])) {
                o->bar[c] = k;
                o->bar[k] = IS_BAR;
            }
}

/* sd: standard deviation of the cell, or NULL. "3.1 ± 0.4", or "over 15" where the band is wide. */
static Status keep_cell(QueryOutput *o, const Cell *cell, const Cell *sd, Error *err)
{
    if (o->kept_count == o->kept_capacity) {
        size_t room = o->kept_capacity ? 2 * o->kept_capacity : 64;
        KeptCell *grown = reallocarray(o->kept, room, sizeof *grown);
        if (!grown)
            return error_no_memory(err);
        o->kept = grown;
        o->kept_capacity = room;
    }
    KeptCell kept = {0};
    char number[NUMBER_TEXT_SIZE];
    size_t size;
    FILE *text = open_memstream(&kept.text, &size);
    if (!text)
        return error_no_memory(err);
    int has_bar = cell->kind == CELL_REAL && sd && sd->kind == CELL_REAL;
    int is_open = has_bar && BAND_90 * sd->real > cell->real / 2; /* wider than half: only the lower end says much */
    double value = is_open ? torque_low(cell->real, sd->real) : cell->kind == CELL_REAL ? cell->real : 0;
    kept.is_right = cell->kind == CELL_INTEGER || cell->kind == CELL_REAL;
    if (cell->kind == CELL_INTEGER)
        kept.width = fprintf(text, "%" PRId64, cell->integer);
    else if (cell->kind == CELL_REAL)
        kept.width = fprintf(text, "%s%.*s", is_open ? "over " : "", number_print_as(value, number_is_short(o->out),
                                                                                     number), number);
    else if (cell->kind == CELL_TEXT)
        kept.width = utf8_put_shown(text, cell->bytes, cell->size);
    else if (cell->kind == CELL_BLOB)
        kept.width = fprintf(text, "(%zu bytes)", cell->size);
    else
        kept.width = fprintf(text, "-");
    if (has_bar && !is_open)
        kept.width += fprintf(text, " ± %.2g", sd->real) - 1; /* ± is two bytes, one character */
    if (fclose(text) != 0)
        return error_no_memory(err);
    o->kept[o->kept_count++] = kept;
    return STATUS_OK;
}

static Status keep_row(QueryOutput *o, const Cell *cells, Error *err)
{
    Status status = STATUS_OK;
    for (int c = 0; c < o->column_count && !status; c++)
        if (o->bar[c] != IS_BAR)
            status = keep_cell(o, &cells[c], o->bar[c] >= 0 ? &cells[o->bar[c]] : NULL, err);
    return status;
}

/* Aligns a column to the right, header included, if it contains a number. */
static void write_table(const QueryOutput *o)
{
    size_t columns = 0, rows;
    for (int c = 0; c < o->column_count; c++)
        columns += o->bar[c] != IS_BAR;
    rows = columns ? o->kept_count / columns : 0;
    for (size_t c = 0; c < columns; c++) {
        int width = 0, numbers = 0;
        for (size_t r = 0; r < rows; r++) {
            const KeptCell *cell = &o->kept[r * columns + c];
            width = cell->width > width ? cell->width : width;
            numbers |= cell->is_right;
        }
        for (size_t r = 0; r < rows; r++) {
            o->kept[r * columns + c].is_right = numbers;
            o->kept[r * columns + c].width = width - o->kept[r * columns + c].width;
        }
    }
    for (size_t i = 0; i < rows * columns; i++) { /* width is now the number of padding spaces */
        const KeptCell *cell = &o->kept[i];
        int is_last = (i + 1) % columns == 0;
        int before = cell->is_right ? cell->width : 0, after = cell->is_right || is_last ? 0 : cell->width;
        fprintf(o->out, "%*s%s%*s%s", before, "", cell->text, after, "", is_last ? "\n" : "  ");
    }
}

static Status write_header(QueryOutput *o, Error *err)
{
    Cell *header = calloc((size_t)o->column_count + 1, sizeof *header);
    if (!header)
        return error_no_memory(err);
    for (int c = 0; c < o->column_count; c++)
        header[c] = (Cell){.kind = CELL_TEXT, .bytes = o->name[c], .size = strlen(o->name[c])};
    Status status = STATUS_OK;
    if (o->format == QUERY_TABLE)
        status = keep_row(o, header, err);
    else if (o->format == QUERY_TSV || o->format == QUERY_CSV)
        write_delimited_row(o, header);
    free(header);
    return status;
}

Status query_output_open(QueryFormat format, int column_count, const char *const *names, FILE *out,
                         QueryOutput **output, Error *err)
{
    QueryOutput *o = calloc(1, sizeof *o);
    *output = NULL;
    if (!o)
        return error_no_memory(err);
    o->format = format;
    o->out = out;
    o->column_count = column_count;
    o->name = calloc((size_t)column_count + 1, sizeof *o->name);
    o->bar = calloc((size_t)column_count + 1, sizeof *o->bar);
    Status status = o->name && o->bar ? STATUS_OK : error_no_memory(err);
    for (int c = 0; c < column_count && !status; c++)
        if (!(o->name[c] = strdup(names[c])))
            status = error_no_memory(err);
    if (!status) {
        find_bars(o);
        status = write_header(o, err);
    }
    if (status)
        free_output(o);
    else
        *output = o;
    return status;
}

Status query_output_row(QueryOutput *o, const Cell *cells, Error *err)
{
    Status status = STATUS_OK;
    if (o->format == QUERY_TABLE) {
        status = keep_row(o, cells, err);
    } else if (o->format == QUERY_TSV || o->format == QUERY_CSV) {
        write_delimited_row(o, cells);
    } else {
        if (o->format == QUERY_JSON)
            fputs(o->row_count > 0 ? ",\n " : "[", o->out);
        write_json_row(o, cells);
        if (o->format == QUERY_JSONL)
            putc('\n', o->out);
    }
    o->row_count++;
    if (!status && ferror(o->out))
        status = error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return status;
}

void query_output_abandon(QueryOutput *o)
{
    free_output(o);
}

Status query_output_close(QueryOutput *o, Error *err)
{
    if (o->format == QUERY_TABLE)
        write_table(o);
    else if (o->format == QUERY_JSON)
        fputs(o->row_count > 0 ? "]\n" : "[]\n", o->out);
    int failed = fflush(o->out) != 0 || ferror(o->out);
    free_output(o);
    return failed ? error_set(err, STATUS_IO, "cannot write: %s", strerror(errno)) : STATUS_OK;
}
