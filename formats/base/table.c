#include "formats/base/table.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "formats/base/bytes.h"
#include "formats/base/number.h"

/* Splits text into lines and cells in place. */
typedef struct Cutter {
    char *at, *end;
    int line; /* 1-based number of the last line returned */
} Cutter;

void table_free(Table *t)
{
    if (!t)
        return;
    free(t->header);
    free(t->cell);
    free(t->line);
    free(t->cell_column);
    free(t->text);
    *t = (Table){0};
}

/* Returns the next line that is neither blank nor a comment, NUL-terminated; NULL at the end. */
static char *next_line(Cutter *c)
{
    while (c->at < c->end) {
        char *start = c->at, *stop = start;
        while (stop < c->end && *stop != '\n' && *stop != '\r')
            stop++;
        int crlf = stop + 1 < c->end && stop[0] == '\r' && stop[1] == '\n';
        c->at = stop < c->end ? stop + 1 + crlf : c->end;
        c->line++;
        *stop = 0;
        const char *first = start + strspn(start, " \t");
        if (*first && *first != '#')
            return start;
    }
    return NULL;
}

/* Returns the next cell of a line without surrounding blanks; *rest moves after its tab, or to NULL after the last
 * cell. */
static char *next_cell(char **rest)
{
    char *cell = *rest, *tab = strchr(cell, '\t');
    char *stop = tab ? tab : cell + strlen(cell);
    *rest = tab ? tab + 1 : NULL;
    while (stop > cell && stop[-1] == ' ')
        stop--;
    *stop = 0;
    return cell + strspn(cell, " ");
}

static int count_tabs(const char *line)
{
    int n = 0;
    for (; *line; line++)
        n += *line == '\t';
    return n;
}

static Status read_header(Table *t, Cutter *c, Error *err)
{
    char *line = next_line(c), *rest = line;
    if (!line)
        return error_set(err, STATUS_BAD_INPUT, "the table has no header row");
    int count = count_tabs(line) + 1;
    t->header = array_new((size_t)count, 1, sizeof *t->header);
    if (!t->header)
        return error_no_memory(err);
    while (rest) {
        char *name = next_cell(&rest);
        if (*name && table_find(t, name) >= 0)
            return error_set_at(err, STATUS_BAD_INPUT, c->line, (int)(name - line) + 1,
                                "column \"%s\" appears twice", name);
        t->header[t->column_count++] = name;
    }
    return STATUS_OK;
}

/* Reads a row. A short row is an error; extra cells must be empty, as spreadsheets leave them. */
static Status read_row(Table *t, char *line, int number, Error *err)
{
    size_t first = (size_t)t->row_count * (size_t)t->column_count;
    char *rest = line;
    int n = 0;
    while (rest) {
        char *cell = next_cell(&rest);
        if (n < t->column_count) {
            t->cell[first + (size_t)n] = cell;
            t->cell_column[first + (size_t)n] = (int)(cell - line) + 1;
        } else if (*cell) {
            return error_set_at(err, STATUS_BAD_INPUT, number, (int)(cell - line) + 1,
                                "cell \"%.40s\" is beyond the %d columns of the header", cell, t->column_count);
        }
        n++;
    }
    if (n < t->column_count)
        return error_set_at(err, STATUS_BAD_INPUT, number, 1, "row of %d cells, the header has %d columns", n,
                            t->column_count);
    t->line[t->row_count++] = number;
    return STATUS_OK;
}

/* Returns a bound of the number of remaining rows: each takes a line end (except the last) and a tab per column after
 * the first. */
static size_t bound_rows(const Table *t, const Cutter *c)
{
    return (size_t)(c->end - c->at) / (size_t)t->column_count + 1;
}

static Status parse_owned(Table *t, size_t size, Error *err)
{
    Cutter c = {.at = t->text, .end = t->text + size};
    if (size >= 3 && memcmp(c.at, "\xEF\xBB\xBF", 3) == 0)
        c.at += 3;
    Status status = read_header(t, &c, err);
    if (status)
        return status;
    size_t rows = bound_rows(t, &c);
    t->cell = array_new(rows, (size_t)t->column_count, sizeof *t->cell);
    t->cell_column = array_new(rows, (size_t)t->column_count, sizeof *t->cell_column);
    t->line = array_new(rows, 1, sizeof *t->line);
    if (!t->cell || !t->cell_column || !t->line)
        return error_no_memory(err);
    for (char *line; !status && (line = next_line(&c));)
        status = read_row(t, line, c.line, err);
    return status;
}

/* Parses text and takes ownership of it; the byte after its size must be writable. */
static Status parse_taken(char *text, size_t size, Table *out, Error *err)
{
    *out = (Table){.text = text};
    Status status;
    if (size > INT_MAX)
        status = error_set(err, STATUS_LIMIT, "the table is larger than 2 GB");
    else if (memchr(text, 0, size))
        status = error_set(err, STATUS_BAD_INPUT, "the table contains a NUL byte");
    else
        status = parse_owned(out, size, err);
    if (status)
        table_free(out);
    return status;
}

Status table_parse(const char *text, size_t size, Table *out, Error *err)
{
    *out = (Table){0};
    char *copy = malloc(size + 1);
    if (!copy)
        return error_no_memory(err);
    memcpy(copy, text, size);
    copy[size] = 0;
    return parse_taken(copy, size, out, err);
}

Status table_read_path(const char *path, Table *out, Error *err)
{
    return table_read_path_max(path, (size_t)64 << 20, out, err);
}

Status table_read_path_max(const char *path, size_t max, Table *out, Error *err)
{
    *out = (Table){0};
    char *text;
    size_t size;
    Status status = bytes_read_path_max(path, max, &text, &size, err);
    return status ? status : parse_taken(text, size, out, err);
}

int table_find(const Table *t, const char *name)
{
    for (int i = 0; i < t->column_count; i++)
        if (strcmp(t->header[i], name) == 0)
            return i;
    return -1;
}

/* Lists the first columns of the header: "time, joint, fx". */
static void list_columns(const Table *t, char *text, size_t size)
{
    enum { SHOWN = 8 };
    size_t used = 0;
    for (int i = 0; i < t->column_count && i < SHOWN && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%.40s", i ? ", " : "", t->header[i]);
    if (t->column_count > SHOWN && used < size)
        snprintf(text + used, size - used, ", ...");
}

Status table_require(const Table *t, const char *name, int *column, Error *err)
{
    char found[400] = "";
    *column = table_find(t, name);
    if (*column >= 0)
        return STATUS_OK;
    list_columns(t, found, sizeof found);
    return error_set(err, STATUS_BAD_INPUT, "missing column \"%s\"; the header has %s", name, found);
}

Status table_require_rows(const Table *t, Error *err)
{
    return t->row_count ? STATUS_OK : error_set(err, STATUS_BAD_INPUT, "has no rows below its header");
}

Status table_require_all(const Table *t, const char *const *names, int count, int *columns, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++)
        status = table_require(t, names[i], &columns[i], err);
    return status;
}

static size_t cell_index(const Table *t, int row, int column)
{
    return (size_t)row * (size_t)t->column_count + (size_t)column;
}

const char *table_cell(const Table *t, int row, int column)
{
    return t->cell[cell_index(t, row, column)];
}

Status table_error(const Table *t, int row, int column, Error *err, const char *format, ...)
{
    char words[ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return error_set_at(err, STATUS_BAD_INPUT, t->line[row], t->cell_column[cell_index(t, row, column)], "%s", words);
}

Status table_number(const Table *t, int row, int column, double *value, Error *err)
{
    const char *cell = table_cell(t, row, column), *end = cell + strlen(cell);
    double number;
    if (number_scan(cell, end, &number) != end || !isfinite(number))
        return table_error(t, row, column, err, "column \"%s\": expected a number, found \"%.40s\"%s",
                           t->header[column], cell, number_hint(cell, strlen(cell)));
    *value = number;
    return STATUS_OK;
}

Status table_numbers(const Table *t, int row, const int *columns, int count, double *values, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++)
        status = table_number(t, row, columns[i], &values[i], err);
    return status;
}
