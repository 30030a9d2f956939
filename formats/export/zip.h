/* Writes a zip archive of stored (uncompressed) entries to a stream that need not be seekable.
 *
 * Reference: PKWARE APPNOTE 6.3.3, sections 4.3.7, 4.3.12 and 4.3.16. Plain zip: at most 4 GB and 65,535 entries. */
#ifndef KANE_EXPORT_ZIP_H
#define KANE_EXPORT_ZIP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/base/status.h"

typedef struct ZipEntry {
    char name[64];
    uint32_t crc, size, offset;
} ZipEntry;

enum { ZIP_MAX_ENTRIES = 256 };

typedef struct Zip {
    FILE *stream;
    uint64_t size; /* bytes written */
    int entry_count;
    ZipEntry entry[ZIP_MAX_ENTRIES];
} Zip;

void zip_begin(Zip *zip, FILE *stream);

typedef struct ZipBytes {
    const void *at;
    size_t size;
} ZipBytes;

/* Writes an entry whose content is head followed by body. */
Status zip_put(Zip *zip, const char *name, ZipBytes head, ZipBytes body, Error *err);

/* Writes the central directory. STATUS_IO if any write failed. */
Status zip_finish(Zip *zip, Error *err);

/* Updates a CRC-32 (ISO 3309) with further bytes; crc is 0 at first. */
uint32_t zip_crc(uint32_t crc, const void *bytes, size_t size);

#endif
