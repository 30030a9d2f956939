/* A file that gets its name only when complete: written without a name in the same folder, so that nothing remains of
 * it when the process is killed, synced, then linked and renamed. Where the file system has no unnamed files it is a
 * temporary file.
 * Devices, named pipes and names of open descriptors (/dev/stdout and the like, also if redirected to a file) are
 * written directly. A symbolic link to a file would be replaced by the file: callers check output_allowed
 * (formats/container/output_rule.h) first. */
#ifndef KANE_BASE_NEW_FILE_H
#define KANE_BASE_NEW_FILE_H

#include <stdio.h>
#include <sys/uio.h>

#include "analysis/base/status.h"

typedef struct NewFile {
    int descriptor;  /* open for writing; -1: none */
    char *path;      /* owned; NULL for a device or pipe */
    char *temporary; /* owned; its path until the commit; NULL for a device or pipe */
    int is_unnamed;  /* 1: temporary leads to it through the descriptor */
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
