/* See zip.h. */
#include "formats/export/zip.h"

#include <errno.h>
#include <string.h>

enum { LOCAL_HEADER = 30, CENTRAL_HEADER = 46, END_RECORD = 22 };
enum { NO_DAY = 1 << 5 | 1 }; /* 1980-01-01, the first date of zip; a fixed date makes equal clips equal bytes */

/* Remainders for slicing-by-8: remainder[k][b] is that of byte b followed by k zero bytes, so that eight bytes cost
 * eight look-ups. */
typedef struct CrcTable {
    uint32_t remainder[8][256];
} CrcTable;

static void fill_table(CrcTable *table)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1;
        table->remainder[0][i] = c;
    }
    for (int k = 1; k < 8; k++)
        for (int i = 0; i < 256; i++) {
            uint32_t c = table->remainder[k - 1][i];
            table->remainder[k][i] = c >> 8 ^ table->remainder[0][c & 255];
        }
}

uint32_t zip_crc(uint32_t crc, const void *bytes, size_t size)
{
    CrcTable table;
    const unsigned char *at = bytes;
    fill_table(&table);
    crc = ~crc;
    for (; size >= 8; size -= 8, at += 8) {
        uint32_t next = 0;
        crc ^= at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        for (int i = 0; i < 4; i++)
            next ^= table.remainder[7 - i][crc >> (8 * i) & 255] ^ table.remainder[3 - i][at[4 + i]];
        crc = next;
    }
    for (; size > 0; size--, at++)
        crc = crc >> 8 ^ table.remainder[0][(crc ^ *at) & 255];
    return ~crc;
}

static void zip_write(Zip *zip, const void *bytes, size_t size)
{
    if (size > 0)
        fwrite(bytes, 1, size, zip->stream);
    zip->size += size;
}

/* Stores a little-endian number of count bytes; returns the end. */
static unsigned char *store(unsigned char *to, uint32_t value, int count)
{
    for (int i = 0; i < count; i++)
        *to++ = (unsigned char)(value >> (8 * i));
    return to;
}

/* Stores the fields that both headers of an entry share: version 2.0, flags, method stored, time, CRC, sizes, lengths
 * of name and extra field. */
static unsigned char *store_entry(unsigned char *to, const ZipEntry *entry)
{
    to = store(to, 20, 2);
    to = store(to, 0, 2);
    to = store(to, 0, 2);
    to = store(to, 0, 2);
    to = store(to, NO_DAY, 2);
    to = store(to, entry->crc, 4);
    to = store(to, entry->size, 4);
    to = store(to, entry->size, 4);
    to = store(to, (uint32_t)strlen(entry->name), 2);
    return store(to, 0, 2);
}

void zip_begin(Zip *zip, FILE *stream)
{
    *zip = (Zip){.stream = stream};
}

Status zip_put(Zip *zip, const char *name, ZipBytes head, ZipBytes body, Error *err)
{
    unsigned char header[LOCAL_HEADER];
    uint64_t size = (uint64_t)head.size + body.size;
    if (size > UINT32_MAX - 65536 || zip->size + size > UINT32_MAX - 65536 || zip->entry_count == ZIP_MAX_ENTRIES)
        return error_set(err, STATUS_LIMIT, "the archive would pass 4 GB");
    ZipEntry *entry = &zip->entry[zip->entry_count++];
    snprintf(entry->name, sizeof entry->name, "%s", name);
    entry->offset = (uint32_t)zip->size;
    entry->size = (uint32_t)size;
    entry->crc = zip_crc(zip_crc(0, head.at, head.size), body.at, body.size);
    store_entry(store(header, 0x04034b50, 4), entry);
    zip_write(zip, header, sizeof header);
    zip_write(zip, entry->name, strlen(entry->name));
    zip_write(zip, head.at, head.size);
    zip_write(zip, body.at, body.size);
    return STATUS_OK;
}

static void put_directory_entry(Zip *zip, const ZipEntry *entry)
{
    unsigned char header[CENTRAL_HEADER];
    unsigned char *to = store(store(header, 0x02014b50, 4), 20, 2);
    to = store_entry(to, entry);
    to = store(to, 0, 2); /* comment */
    to = store(to, 0, 2); /* disk */
    to = store(to, 0, 2); /* internal attributes */
    to = store(to, 0, 4); /* external attributes */
    store(to, entry->offset, 4);
    zip_write(zip, header, sizeof header);
    zip_write(zip, entry->name, strlen(entry->name));
}

Status zip_finish(Zip *zip, Error *err)
{
    uint32_t start = (uint32_t)zip->size;
    for (int i = 0; i < zip->entry_count; i++)
        put_directory_entry(zip, &zip->entry[i]);
    unsigned char end[END_RECORD];
    unsigned char *to = store(store(end, 0x06054b50, 4), 0, 4);
    to = store(to, (uint32_t)zip->entry_count, 2);
    to = store(to, (uint32_t)zip->entry_count, 2);
    to = store(to, (uint32_t)zip->size - start, 4);
    to = store(to, start, 4);
    store(to, 0, 2);
    zip_write(zip, end, sizeof end);
    if (fflush(zip->stream) || ferror(zip->stream))
        return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return STATUS_OK;
}
