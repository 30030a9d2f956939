/* OpenSim's storage files (.mot, .sto): lines of a header up to "endheader", then a table whose first column is time,
 * s. Cells are separated by tabs or by blanks. */
#ifndef KANE_BASE_STORAGE_H
#define KANE_BASE_STORAGE_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "formats/base/table.h"

typedef struct Storage {
    Table table;    /* lines and columns are those of the file */
    int in_degrees; /* inDegrees=yes: rotations are in degrees */
} Storage;

/* Returns 1 if the first bytes of a file are those of a storage file. */
int storage_begins(const char *front, size_t size);

/* On failure *out is empty. STATUS_BAD_INPUT, with the line, without an end of the header or a column "time". */
Status storage_parse(const char *text, size_t size, Storage *out, Error *err);
void storage_free(Storage *s);

#endif
