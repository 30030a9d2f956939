/* Tab-separated tables with a header row: the form of segments, external forces, limits and maps
 * (docs/formats/input_tables.md).
 *
 * '#' starts a comment line, columns are found by name, extra ones are ignored, CRLF is accepted. Blanks around a
 * cell are dropped. Errors name line and column. */
#ifndef KANE_FORMATS_TABLE_H
#define KANE_FORMATS_TABLE_H

#include <stddef.h>

#include "analysis/base/status.h"

typedef struct Table {
    int column_count;
    int row_count;
    char **header; /* [column] */
    char **cell;   /* [row][column] text */
    int *line;     /* [row] 1-based line in the file */
    int *place;    /* [row][column] 1-based column of the file, in bytes, where the cell starts */
    char *text;    /* owned storage of all cells */
} Table;

/* On failure *out is empty. A table without rows is not an error. One of more than 64 MB is: STATUS_LIMIT. */
Status table_read_path(const char *path, Table *out, Error *err);

/* The same with another limit, for tables with one row per frame. */
Status table_read_path_most(const char *path, size_t most, Table *out, Error *err);
Status table_parse(const char *text, size_t size, Table *out, Error *err);
void table_free(Table *t);

/* Column by name: -1 where it is absent. */
int table_find(const Table *t, const char *name);

/* Column by name; STATUS_BAD_INPUT naming the missing column. */
Status table_require(const Table *t, const char *name, int *column, Error *err);

/* The columns of count names; as table_require for the first that is missing. */
Status table_require_all(const Table *t, const char *const *names, int count, int *columns, Error *err);

/* STATUS_BAD_INPUT where a table that is to change something has no rows. */
Status table_require_rows(const Table *t, Error *err);

/* Text of a cell, "" where it is empty. */
const char *table_cell(const Table *t, int row, int column);

/* STATUS_BAD_INPUT with the cell's line and column; the words are the caller's. */
Status table_error(const Table *t, int row, int column, Error *err, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* A finite number; STATUS_BAD_INPUT with line and column otherwise. */
Status table_number(const Table *t, int row, int column, double *value, Error *err);

/* The numbers of count columns. */
Status table_numbers(const Table *t, int row, const int *columns, int count, double *values, Error *err);

#endif
