/* Lists of files out of folders. */
#ifndef KANE_PIPELINE_PATHS_H
#define KANE_PIPELINE_PATHS_H

#include <stddef.h>

#include "analysis/base/status.h"

/* A file that was found: path to open it by, and its name relative to the folder that was walked. */
typedef struct FoundFile {
    char *path;
    char *relative;
} FoundFile;

typedef struct FoundFiles {
    size_t count, capacity;
    FoundFile *file; /* owned */
    size_t special_count;
    char **special; /* [special_count] paths that a walk passed over: FIFOs, sockets, devices of its ending; owned */
} FoundFiles;

/* Adds argument: a folder with all files below it whose names end in suffix (".bvh", in any case), or the file itself
 * under its base name. STATUS_IO where it cannot be read; what cannot be read below it is on the list, so that who
 * opens it tells of it. */
Status found_files_add(FoundFiles *files, const char *argument, const char *suffix, Error *err);

/* Adds a path as it is, whatever is there. */
Status found_files_take(FoundFiles *files, const char *path, Error *err);

/* Prints a note where a walk passed over something that is not among the files by another argument. */
void found_files_note(const FoundFiles *files, const char *verb);

/* In the order of the relative names; equal ones stay beside each other. */
void found_files_sort(FoundFiles *files);

void found_files_free(FoundFiles *files);

/* Makes the folders above base/relative. */
Status path_make_parents(const char *base, const char *relative, Error *err);

#endif
