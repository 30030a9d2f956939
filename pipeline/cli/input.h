/* Reads clips from clip files, each of which may contain several, or from standard input. */
#ifndef KANE_CLI_INPUT_H
#define KANE_CLI_INPUT_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/source/source.h"

/* Lists of files in folders. */

/* A file: path to open it, and name relative to the folder that was searched. */
typedef struct FoundFile {
    char *path;
    char *relative;
} FoundFile;

typedef struct FoundFiles {
    size_t count, capacity;
    FoundFile *file; /* owned */
    size_t special_count;
    char **special; /* [special_count] FIFOs, sockets and devices with matching names that were skipped; owned */
} FoundFiles;

/* Returns 1 if a file of this name is wanted, such as source_has_ending of formats/source/source.h. */
typedef int FileName(const char *name);

/* Adds argument: the file itself under its base name, or all files with wanted names below a folder. STATUS_IO if it
 * cannot be read. Unreadable entries below it are added too; opening them reports the error. */
Status found_files_add(FoundFiles *files, const char *argument, FileName *is_named, Error *err);

/* Adds a path unchecked. */
Status found_files_take(FoundFiles *files, const char *path, Error *err);

/* Replaces each file with several takes by its takes: "walk.x#1", "walk.x#2" (formats/source/source.h). */
Status found_files_split_takes(FoundFiles *files, const SourceDef *limits, Error *err);

/* Prints a note on skipped special files that are not listed through another argument. */
void found_files_note(const FoundFiles *files, const char *verb);

/* Sorts by relative name; stable for equal names. */
void found_files_sort(FoundFiles *files);

void found_files_free(FoundFiles *files);

/* Creates the parent folders of base/relative. */
Status path_make_parents(const char *base, const char *relative, Error *err);

/* Processes one clip, which is freed after the call. Errors are printed with the path; STATUS_USAGE ends the visit,
 * other errors only skip this clip. */
typedef Status (*ClipVisitor)(void *context, const char *path, Clip *clip, Error *err);

/* Calls visit for every clip of every path (none: standard input). Prints errors and returns the exit code. */
int clips_visit(const char *verb, char *const *paths, int path_count, ClipVisitor visit, void *context);

/* Likewise for commands that require only motion: also reads motion files with all their takes, distinguished from clip
 * files by extension or content. */
int clips_visit_motion(const char *verb, char *const *paths, int path_count, ClipVisitor visit, void *context,
                       int quiet);

/* Processes many files in several child processes, with results in file order. */

/* Processes one file in a child process: writes results to out and returns the exit code. */
typedef int (*FileQuestion)(void *context, const char *path, FILE *out);

/* Receives the results of file number `file`, in file order, in the parent process. */
typedef Status (*FileAnswer)(void *context, size_t file, int code, const char *said, size_t size, Error *err);

typedef struct FilePool {
    FileQuestion ask;
    FileAnswer take; /* NULL: results are copied to a stream */
    void *context;
    int jobs;            /* number of processes, >= 1 */
    int (*stop)(void);   /* called between results: nonzero stops; NULL: never */
} FilePool;

/* Processes all files and passes their results to take, or copies them to out, in file order. *code is the worst exit
 * code. If a process ends early, returns STATUS_INTERNAL with the file that it was processing. */
Status file_pool_ask(const FilePool *pool, char *const *paths, size_t count, FILE *out, int *code, Error *err);

/* Returns the number of processors available to this process, which may be fewer than the machine has. */
int file_pool_processors(void);

#endif
