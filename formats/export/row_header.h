/* Column names composed of joints, coordinates, units and axes. */
#ifndef KANE_EXPORT_ROW_HEADER_H
#define KANE_EXPORT_ROW_HEADER_H

#include <stdio.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "formats/export/row_writer.h"

typedef struct RowHeader {
    const char **name; /* [count] in the arena */
    int count;
    Arena arena;
} RowHeader;

/* Creates a header with room for this many names. */
RowHeader row_header(int columns);

void row_header_add(RowHeader *header, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds three columns: prefix, stem, x, y or z, suffix. */
void row_header_add_vector(RowHeader *header, const char *prefix, const char *stem, const char *suffix);

/* Begins a table with these names. If names are missing for lack of memory, nothing is written, the header is freed and
 * STATUS_NO_MEMORY returned. */
Status row_header_begin(RowHeader *header, RowWriter *sheet, RowForm form, FILE *stream, RowHead head, Error *err);

/* Ends the table and frees the header. */
Status row_header_finish(RowHeader *header, RowWriter *sheet, Error *err);

#endif
