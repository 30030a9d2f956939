/* Reads files and streams into memory and computes SHA-256. */
#ifndef KANE_BASE_BYTES_H
#define KANE_BASE_BYTES_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/status.h"

/* Makes room for element `count` in the array that array_pointer points to, which grows by one element at a time; the
 * capacity is the next power of two. Returns 0 if memory runs out; the array is then unchanged. */
static inline int array_grow(void *array_pointer, int count, size_t element_size)
{
    size_t n = (size_t)count, bytes;
    if (n & (n - 1))
        return 1; /* not a power of two: has room */
    void *old, *larger;
    memcpy(&old, array_pointer, sizeof old);
    if (__builtin_mul_overflow(n ? 2 * n : 1, element_size, &bytes) || !(larger = realloc(old, bytes)))
        return 0;
    memcpy(array_pointer, &larger, sizeof larger);
    return 1;
}

/* The caller frees *bytes, which is followed by a NUL that size does not count. The file is read, not mapped: a mapped
 * file that another process truncates would kill this process. The stream stays open. Of a pipe or device at most 1 GB
 * is read: STATUS_LIMIT. */
Status bytes_read_stream(FILE *stream, char **bytes, size_t *size, Error *err);
Status bytes_read_path(const char *path, char **bytes, size_t *size, Error *err);

/* Reads only a regular file; STATUS_BAD_INPUT for a FIFO or device, which could block forever. */
Status bytes_read_regular(const char *path, char **bytes, size_t *size, Error *err);

/* Reads at most `max` bytes; STATUS_LIMIT as soon as there are more. */
Status bytes_read_stream_max(FILE *stream, size_t max, char **bytes, size_t *size, Error *err);
Status bytes_read_path_max(const char *path, size_t max, char **bytes, size_t *size, Error *err);

#define DIGEST_SIZE 65 /* of hexadecimal text with NUL */

/* SHA-256 as hexadecimal text, which identifies the source of a clip file. */
Status digest_bytes(const void *bytes, size_t size, char digest[DIGEST_SIZE], Error *err);

/* Digests a file in chunks; at most 1 GB of a pipe or device. */
Status digest_path(const char *path, char digest[DIGEST_SIZE], Error *err);

#endif
