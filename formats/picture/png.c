#include "formats/picture/png.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "analysis/base/memory.h"

static void put_number(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Length, type, data, and the checksum of type and data. */
static void put_chunk(FILE *stream, const char type[5], const uint8_t *data, size_t size)
{
    uint8_t number[4];
    uLong sum = crc32(crc32(0, (const Bytef *)type, 4), data, (uInt)size);
    put_number(number, (uint32_t)size);
    fwrite(number, 1, 4, stream);
    fwrite(type, 1, 4, stream);
    fwrite(data, 1, size, stream);
    put_number(number, (uint32_t)sum);
    fwrite(number, 1, 4, stream);
}

/* Every row begins with the number of its filter: 2, differences from the row above. */
static void filter_rows(const Raster *r, uint8_t *out)
{
    size_t row = 3 * (size_t)r->width;
    for (size_t y = 0; y < (size_t)r->height; y++) {
        const uint8_t *here = r->pixel + y * row, *above = y > 0 ? here - row : NULL;
        *out++ = 2;
        for (size_t i = 0; i < row; i++)
            *out++ = (uint8_t)(here[i] - (above ? above[i] : 0));
    }
}

Status png_write(const Raster *r, FILE *stream, Error *err)
{
    static const uint8_t signature[8] = {137, 'P', 'N', 'G', '\r', '\n', 26, '\n'};
    uint8_t head[13] = {[8] = 8, [9] = 2}; /* bits a channel; RGB */
    size_t size = (3 * (size_t)r->width + 1) * (size_t)r->height;
    uLongf packed = compressBound(size);
    uint8_t *rows = array_new(size, 1, 1), *data = array_new(packed, 1, 1);
    Status status = rows && data ? STATUS_OK : error_no_memory(err);
    if (!status) {
        filter_rows(r, rows);
        if (compress2(data, &packed, rows, size, 9) != Z_OK)
            status = error_no_memory(err);
    }
    if (!status) {
        put_number(head, (uint32_t)r->width);
        put_number(head + 4, (uint32_t)r->height);
        fwrite(signature, 1, sizeof signature, stream);
        put_chunk(stream, "IHDR", head, sizeof head);
        put_chunk(stream, "IDAT", data, packed);
        put_chunk(stream, "IEND", rows, 0); /* crc32 of no pointer begins anew */
        if (fflush(stream) || ferror(stream))
            status = error_set(err, STATUS_IO, "writing failed: %s", strerror(errno));
    }
    free(rows);
    free(data);
    return status;
}
