/* Rows of a query as text: aligned table, TSV, CSV (RFC 4180), JSON, JSON lines.
 *
 * All formats except the table print doubles that parse to the same bits. NULL is "-" in a table, empty in TSV and CSV,
 * null in JSON. TSV escapes tab, line end and backslash as \t \n \r \\; the table shows control characters as \xNN. */
#ifndef KANE_QUERY_QUERY_OUTPUT_H
#define KANE_QUERY_QUERY_OUTPUT_H

#include <stdint.h>
#include <stdio.h>

#include "analysis/base/status.h"

typedef enum QueryFormat {
    QUERY_TABLE = 0,
    QUERY_TSV,
    QUERY_CSV,
    QUERY_JSON,
    QUERY_JSONL,
    QUERY_FORMAT_COUNT
} QueryFormat;

/* Returns "table", "tsv"...; NULL past the last. */
const char *query_format_name(QueryFormat format);
/* Returns 0 if there is no such format. */
int query_format_from_name(const char *name, QueryFormat *format);

typedef enum CellKind { CELL_NULL = 0, CELL_INTEGER, CELL_REAL, CELL_TEXT, CELL_BLOB } CellKind;

typedef struct Cell {
    CellKind kind;
    int64_t integer;
    double real;
    const char *bytes; /* text or blob, not terminated */
    size_t size;
} Cell;

typedef struct QueryOutput QueryOutput;

/* Writes the header; a table is buffered until close. names: [column], copied. */
Status query_output_open(QueryFormat format, int column_count, const char *const *names, FILE *out,
                         QueryOutput **output, Error *err);
Status query_output_row(QueryOutput *output, const Cell *cells, Error *err);
/* Writes a buffered table and flushes; STATUS_IO if the stream failed. Always frees output. */
Status query_output_close(QueryOutput *output, Error *err);
/* Frees output without writing a buffered table. */
void query_output_abandon(QueryOutput *output);

#endif
