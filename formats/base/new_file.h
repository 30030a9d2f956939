/* A file that gets its name only when it is whole: written under a temporary name in the same folder, synced, then
 * renamed. A device or a named pipe is written to as it is, and so is what stands for an open descriptor: /dev/stdout
 * and the like, also where a shell has led it to a file. A symbolic link to a file would be replaced by the file: who
 * calls asks output_allowed (formats/container/output_rule.h) before. */
#ifndef KANE_FORMATS_NEW_FILE_H
#define KANE_FORMATS_NEW_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"

typedef struct NewFile {
    int descriptor;  /* open for writing; -1: none */
    char *path;      /* owned; NULL for a device or pipe */
    char *temporary; /* owned; NULL for a device or pipe */
} NewFile;

/* err says what the system said; the path is the caller's to name. On failure *out is empty. */
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

/* Writes all of size bytes to a descriptor. */
Status write_fully(int descriptor, const void *bytes, size_t size, Error *err);

#endif
