/* The whole content of a file or stream in memory, and its SHA-256. */
#ifndef KANE_BASE_BYTES_H
#define KANE_BASE_BYTES_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "analysis/base/status.h"

/* Arrays that grow by one element at a time, their capacity the next power of two. */

/* Makes room for element number count in the array that array_pointer points to: 0 without memory, when the array
 * stays as it was. */
static inline int array_grow(void *array_pointer, int count, size_t element_size)
{
    size_t n = (size_t)count, bytes;
    if (n & (n - 1))
        return 1; /* not a power of two: there is room */
    void *old, *larger;
    memcpy(&old, array_pointer, sizeof old);
    if (__builtin_mul_overflow(n ? 2 * n : 1, element_size, &bytes) || !(larger = realloc(old, bytes)))
        return 0;
    memcpy(array_pointer, &larger, sizeof larger);
    return 1;
}

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

/* Identity of the source in a container. */
Status digest_bytes(const void *bytes, size_t size, char digest[DIGEST_SIZE], Error *err);

/* Reads it piece by piece; of what is no regular file at most 1 GB. */
Status digest_path(const char *path, char digest[DIGEST_SIZE], Error *err);

/* A file that gets its name only when it is whole: written under a temporary name in the same folder, synced, then
 * renamed. A device or a named pipe is written to as it is, and so is what stands for an open descriptor: /dev/stdout
 * and the like, also where a shell has led it to a file. A symbolic link to a file would be replaced by the file: who
 * calls asks output_allowed (formats/container/output_rule.h) before. */

typedef struct NewFile {
    int descriptor;  /* open for writing; -1: none */
    char *path;      /* owned; NULL for a device or pipe */
    char *temporary; /* owned; NULL for a device or pipe */
} NewFile;

/* err has the message of the system; the path is the caller's to name. On failure *out is empty. */
Status new_file_open(const char *path, NewFile *out, Error *err);

/* The descriptor that a name such as /dev/stdout or /dev/fd/3 stands for; -1 for all other names. */
int new_file_descriptor(const char *path);

/* Whether the path is a device, a pipe or an open descriptor: opening it may wait, and it is written as it is. */
int new_file_is_special(const char *path);

/* The same under a temporary name of the caller's choice, on the same file system; err names it. */
Status new_file_open_as(const char *path, const char *temporary, NewFile *out, Error *err);

/* A stream into the file, for writers of text; the caller closes it before the commit. */
Status new_file_stream(const NewFile *file, FILE **stream, Error *err);

/* Syncs, closes and renames. The file is then closed; on failure nothing has appeared. */
Status new_file_commit(NewFile *file, Error *err);

/* Closes the file, which stays under its temporary name for another process to rename. */
void new_file_leave(NewFile *file);

/* Removes what was written; fine for an empty or a committed one. */
void new_file_discard(NewFile *file);

/* Makes or replaces a file that occupies that many bytes of the disk, or fewer where it has not got them. */
void file_reserve(const char *path, long long bytes);

/* Writes all of size bytes to a descriptor. */
Status write_fully(int descriptor, const void *bytes, size_t size, Error *err);

/* The same of several pieces, in order; what piece holds is used up. */
Status write_pieces_fully(int descriptor, struct iovec *piece, int count, Error *err);

#endif
