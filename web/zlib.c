/* compress2 of zlib for kane in WebAssembly, without compression: a stream of stored blocks (RFC 1950, RFC 1951
 * 3.2.4). */
#include <string.h>
#include <zlib.h>

enum { STREAM_HEADER = 2, BLOCK_HEADER = 5, BLOCK = 65535, STREAM_END = 4 };

uLong compressBound(uLong size)
{
    return STREAM_HEADER + size + (size / BLOCK + 1) * BLOCK_HEADER + STREAM_END;
}

static Bytef *put_adler32(Bytef *to, const Bytef *bytes, uLong size)
{
    uLong a = 1, b = 0;
    for (uLong i = 0; i < size; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    for (int i = 3; i >= 0; i--)
        *to++ = (Bytef)((b << 16 | a) >> 8 * i);
    return to;
}

int compress2(Bytef *to, uLongf *to_size, const Bytef *bytes, uLong size, int level)
{
    Bytef *at = to;
    uLong left = size;
    (void)level;
    if (*to_size < compressBound(size))
        return Z_BUF_ERROR;
    *at++ = 0x78;
    *at++ = 0x01;
    do {
        uLong block = left < BLOCK ? left : BLOCK;
        const Bytef header[BLOCK_HEADER] = {left == block, (Bytef)block, (Bytef)(block >> 8), (Bytef)~block,
                                            (Bytef)(~block >> 8)};
        memcpy(at, header, sizeof header);
        memcpy(at + sizeof header, bytes + (size - left), block);
        at += sizeof header + block;
        left -= block;
    } while (left > 0);
    *to_size = (uLongf)(put_adler32(at, bytes, size) - to);
    return Z_OK;
}
