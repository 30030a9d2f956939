/* Lists of files in folders. */
#ifndef KANE_CLI_FOUND_FILES_H
#define KANE_CLI_FOUND_FILES_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "formats/source/source.h"

/* A file: path to open it, and name relative to the folder that was searched. */
typedef struct FoundFile {
    char *path;
    char *relative;
} FoundFile;

typedef struct FoundFiles {
    size_t count, capacity;
    FoundFile *file; /* owned */
    size_t special_count;
    char **special; /* [special_count] FIFOs, sockets and devices that would be wanted that were skipped; owned */
} FoundFiles;

/* Returns 1 if the file at a path is wanted, such as source_is_motion of formats/source/source.h. */
typedef int FileWanted(const char *path);

/* Adds argument: the file itself under its base name, or all wanted files below a folder. STATUS_IO if it
 * cannot be read. Unreadable entries below it are added too; opening them reports the error. */
Status found_files_add(FoundFiles *files, const char *argument, FileWanted *wants, Error *err);

/* Adds a path unchecked. */
Status found_files_take(FoundFiles *files, const char *path, Error *err);

/* Replaces each file with several takes by its takes: "walk.x#1", "walk.x#2" (formats/source/source.h). */
Status found_files_split_takes(FoundFiles *files, const SourceDef *limits, Error *err);

/* Prints a note on skipped special files that are not listed through another argument. */
void found_files_note(const FoundFiles *files, const char *command);

/* Sorts by relative name; stable for equal names. */
void found_files_sort(FoundFiles *files);

void found_files_free(FoundFiles *files);

#endif
