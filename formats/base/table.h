/* Tab-separated tables with a header row, the form of segments, external forces, limits and maps
 * (docs/formats/input_tables.md).
 *
 * Lines that begin with '#' are comments. Columns are found by name; extra columns are ignored. CRLF is accepted;
 * blanks around cells are dropped. Errors have line and column. */
#ifndef KANE_FORMATS_TABLE_H
#define KANE_FORMATS_TABLE_H

#include <stddef.h>

#include "analysis/base/status.h"

typedef struct Table {
    int column_count;
    int row_count;
    char **header;    /* [column] */
    char **cell;      /* [row][column] text */
    int *line;        /* [row] 1-based line in the file */
    int *cell_column; /* [row][column] 1-based column of the file, in bytes, where the cell begins */
    char *text;       /* owned storage of all cells */
} Table;

/* On failure *out is empty. A table without rows is valid. STATUS_LIMIT above 64 MB. */
Status table_read_path(const char *path, Table *out, Error *err);

/* Likewise with another size limit, for tables with one row per frame. */
Status table_read_path_max(const char *path, size_t max, Table *out, Error *err);
Status table_parse(const char *text, size_t size, Table *out, Error *err);
void table_free(Table *t);

/* Returns the column of this name, or -1. */
int table_find(const Table *t, const char *name);

/* Finds a column by name; STATUS_BAD_INPUT, with the name, if it is missing. */
Status table_require(const Table *t, const char *name, int *column, Error *err);

/* Finds count columns; the error of table_require for the first that is missing. */
Status table_require_all(const Table *t, const char *const *names, int count, int *columns, Error *err);

/* STATUS_BAD_INPUT if the table has no rows. */
Status table_require_rows(const Table *t, Error *err);

/* Returns the text of a cell, "" if empty. */
const char *table_cell(const Table *t, int row, int column);

/* Returns STATUS_BAD_INPUT with the caller's text and the cell's line and column. */
Status table_error(const Table *t, int row, int column, Error *err, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Reads a finite number; STATUS_BAD_INPUT with line and column otherwise. */
Status table_number(const Table *t, int row, int column, double *value, Error *err);

/* Reads the numbers in count columns. */
Status table_numbers(const Table *t, int row, const int *columns, int count, double *values, Error *err);

#endif
