/* Names of columns that are put together: of joints, coordinates, units and axes. */
#ifndef KANE_FORMATS_SHEET_HEADER_H
#define KANE_FORMATS_SHEET_HEADER_H

#include "analysis/base/arena.h"
#include "formats/export/sheet.h"

typedef struct SheetHeader {
    const char **name; /* [count] in the arena */
    int count;
    Arena arena;
} SheetHeader;

/* Room for as many names. */
SheetHeader sheet_header_of(int columns);
void sheet_header_free(SheetHeader *header);

void sheet_header_add(SheetHeader *header, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Three columns: prefix, stem, x, y or z, suffix. */
void sheet_header_add_vector(SheetHeader *header, const char *prefix, const char *stem, const char *suffix);

/* Starts the sheet with these names. Without all of them nothing is written: STATUS_NO_MEMORY, and the header is
 * freed. */
Status sheet_header_begin(SheetHeader *header, Sheet *sheet, SheetForm form, FILE *stream, SheetHead head,
                          Error *err);

/* Ends the sheet, and frees the header. */
Status sheet_header_finish(SheetHeader *header, Sheet *sheet, Error *err);

#endif
