/* Reads files and streams into memory, computes SHA-256, and writes files atomically. */
#ifndef KANE_BASE_BYTES_H
#define KANE_BASE_BYTES_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "analysis/base/status.h"

/* Arrays that grow by one element at a time; the capacity is the next power of two. */

/* Makes room for element `count` in the array that array_pointer points to. Returns 0 if memory runs out; the array is
 * then unchanged. */
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
 * file that another process truncates would kill this process. The stream stays open. */
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

/* A file that gets its name only when complete: written to a temporary file in the same folder, synced, then renamed.
 * Devices, named pipes and names of open descriptors (/dev/stdout and the like, also if redirected to a file) are
 * written directly. A symbolic link to a file would be replaced by the file: callers check output_allowed
 * (formats/container/output_rule.h) first. */

typedef struct NewFile {
    int descriptor;  /* open for writing; -1: none */
    char *path;      /* owned; NULL for a device or pipe */
    char *temporary; /* owned; NULL for a device or pipe */
} NewFile;

/* err is the message of the system, without the path. On failure *out is empty. */
Status new_file_open(const char *path, NewFile *out, Error *err);

/* Returns the descriptor that a name such as /dev/stdout or /dev/fd/3 refers to; -1 for other names. */
int new_file_descriptor(const char *path);

/* Returns 1 for a device, pipe or open descriptor, which is written directly; opening it may block. */
int new_file_is_special(const char *path);

/* Likewise with a temporary name of the caller's choice, on the same file system; err contains it. */
Status new_file_open_as(const char *path, const char *temporary, NewFile *out, Error *err);

/* Opens a stream for text output; the caller closes it before the commit. */
Status new_file_stream(const NewFile *file, FILE **stream, Error *err);

/* Syncs, closes and renames the file. On failure the temporary file is removed and the final name is unchanged. */
Status new_file_commit(NewFile *file, Error *err);

/* Closes the file and keeps it under its temporary name, for another process to rename. */
void new_file_leave(NewFile *file);

/* Removes the temporary file; does nothing for an empty or committed one. */
void new_file_discard(NewFile *file);

/* Creates or replaces a file that reserves this many bytes of the disk, or fewer if the disk is full. */
void file_reserve(const char *path, long long bytes);

/* Writes several buffers to a descriptor, in order and completely; modifies piece. */
Status write_pieces_fully(int descriptor, struct iovec *piece, int count, Error *err);

#endif
