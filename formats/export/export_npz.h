/* A clip as numpy's npz: a zip archive of .npy arrays, stored without compression, without a time of the clock. */
#ifndef KANE_EXPORT_EXPORT_NPZ_H
#define KANE_EXPORT_EXPORT_NPZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* Writes a zip archive of stored (not compressed) entries to a stream that need not seek.
 *
 * Reference: PKWARE APPNOTE 6.3.3, sections 4.3.7, 4.3.12 and 4.3.16. Plain zip: 4 GB and 65,535 entries at most. */

typedef struct ZipEntry {
    char name[64];
    uint32_t crc, size, offset;
} ZipEntry;

enum { ZIP_MAX_ENTRIES = 64 };

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

/* An entry whose content is head followed by body. */
Status zip_put(Zip *zip, const char *name, ZipBytes head, ZipBytes body, Error *err);

/* Writes the directory. STATUS_IO where the stream refused anything. */
Status zip_finish(Zip *zip, Error *err);

/* CRC-32 (ISO 3309) of bytes that follow those of crc; 0 to begin. */
uint32_t zip_crc(uint32_t crc, const void *bytes, size_t size);

/* STATUS_LIMIT beyond the 4 GB of a plain zip archive. */
Status export_npz(const Clip *clip, FILE *stream, Error *err);

#endif
