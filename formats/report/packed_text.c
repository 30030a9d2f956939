#include "formats/report/packed_text.h"

#define ZLIB_CONST /* zlib does not write to its input */
#include <zlib.h>

enum { CHUNK = 1 << 16, MOST_AT_ONCE = 1 << 30 };

/* Base64 of what comes in pieces: up to two bytes wait for the third. */
typedef struct Base64 {
    FILE *stream;
    unsigned char waiting[3];
    int count;
} Base64;

static void put_group(Base64 *out)
{
    static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned bits = (unsigned)out->waiting[0] << 16 | (unsigned)out->waiting[1] << 8 | out->waiting[2];
    for (int i = 0; i < 4; i++)
        putc_unlocked(i <= out->count ? letter[bits >> (18 - 6 * i) & 63] : '=', out->stream);
    *out = (Base64){.stream = out->stream};
}

static void put_bytes(Base64 *out, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        out->waiting[out->count++] = bytes[i];
        if (out->count == 3)
            put_group(out);
    }
}

/* Takes what lies ready; flush Z_FINISH at the end. 0 where zlib fails. */
static int deflate_ready(z_stream *z, Base64 *out, int flush)
{
    unsigned char chunk[CHUNK];
    do {
        z->next_out = chunk;
        z->avail_out = sizeof chunk;
        if (deflate(z, flush) == Z_STREAM_ERROR)
            return 0;
        put_bytes(out, chunk, sizeof chunk - z->avail_out);
    } while (z->avail_out == 0);
    return 1;
}

Status packed_text_write(const ByteSpan *span, int count, FILE *stream, Error *err)
{
    z_stream z = {0};
    Base64 out = {.stream = stream};
    if (deflateInit(&z, Z_DEFAULT_COMPRESSION) != Z_OK)
        return error_no_memory(err);
    int is_fine = 1;
    for (int i = 0; i < count; i++)
        for (size_t done = 0, part; is_fine && done < span[i].size; done += part) {
            part = span[i].size - done < MOST_AT_ONCE ? span[i].size - done : MOST_AT_ONCE;
            z.next_in = (const Bytef *)span[i].bytes + done;
            z.avail_in = (uInt)part;
            is_fine = deflate_ready(&z, &out, Z_NO_FLUSH);
        }
    is_fine = is_fine && deflate_ready(&z, &out, Z_FINISH);
    deflateEnd(&z);
    if (out.count > 0)
        put_group(&out);
    return is_fine ? STATUS_OK : error_set(err, STATUS_INTERNAL, "deflate failed");
}
