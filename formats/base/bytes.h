/* The whole content of a file or stream in memory, and its SHA-256. */
#ifndef KANE_FORMATS_BYTES_H
#define KANE_FORMATS_BYTES_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"

/* *bytes is owned by the caller (free) and followed by one NUL that size does not count. Read, not mapped: a mapped
 * file that another process cuts short would end this one. The stream stays open. */
Status bytes_read_stream(FILE *stream, char **bytes, size_t *size, Error *err);
Status bytes_read_path(const char *path, char **bytes, size_t *size, Error *err);

/* The same of a regular file alone: a FIFO or a device, which could wait for ever, is STATUS_BAD_INPUT. */
Status bytes_read_regular(const char *path, char **bytes, size_t *size, Error *err);

/* The same of at most `most` bytes; STATUS_LIMIT for more, before they are read. */
Status bytes_read_stream_most(FILE *stream, size_t most, char **bytes, size_t *size, Error *err);
Status bytes_read_path_most(const char *path, size_t most, char **bytes, size_t *size, Error *err);

#define DIGEST_SIZE 65 /* of hexadecimal text with its NUL */

/* What a container says of its source. */
Status digest_bytes(const void *bytes, size_t size, char digest[DIGEST_SIZE], Error *err);

/* Reads it piece by piece; of what is no regular file at most 1 GB. */
Status digest_path(const char *path, char digest[DIGEST_SIZE], Error *err);

#endif
