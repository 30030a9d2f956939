/* Clips out of containers: named files or standard input, each of which may hold several, one after the other. */
#ifndef KANE_CLI_INPUT_H
#define KANE_CLI_INPUT_H

#include <stddef.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/source/source.h"

/* Lists of files out of folders. */

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

/* Whether a file of that name is wanted: source_has_ending of formats/source/source.h. */
typedef int FileName(const char *name);

/* Adds argument: a folder with all files below it whose names are wanted, or the file itself under its base name.
 * STATUS_IO where it cannot be read; what cannot be read below it is on the list, so that its opener reports it. */
Status found_files_add(FoundFiles *files, const char *argument, FileName *is_named, Error *err);

/* Adds a path as it is, whatever is there. */
Status found_files_take(FoundFiles *files, const char *path, Error *err);

/* Puts the takes of each file that has several in its stead: "walk.x#1", "walk.x#2" (formats/source/source.h). */
Status found_files_split_takes(FoundFiles *files, const SourceDef *limits, Error *err);

/* Prints a note where a walk passed over something that is not among the files by another argument. */
void found_files_note(const FoundFiles *files, const char *verb);

/* In the order of the relative names; equal ones stay beside each other. */
void found_files_sort(FoundFiles *files);

void found_files_free(FoundFiles *files);

/* Makes the folders above base/relative. */
Status path_make_parents(const char *base, const char *relative, Error *err);

/* Takes one clip; it is freed behind the call. What it returns other than STATUS_OK is printed with the
 * path; STATUS_USAGE ends the visit, everything else only this clip. */
typedef Status (*ClipVisitor)(void *context, const char *path, Clip *clip, Error *err);

/* Calls visit for every clip of every path; no paths mean "-". Prints what fails and returns the exit code. */
int clips_visit(const char *verb, char *const *paths, int path_count, ClipVisitor visit, void *context);

/* The same for commands that need nothing but motion: motion files are read, too, each of their takes, distinguished
 * from containers by ending or content. */
int clips_visit_motion(const char *verb, char *const *paths, int path_count, ClipVisitor visit, void *context,
                       int quiet);

/* A question to many files in several processes, its answers in the order of the files. */

/* Asks one file: writes its results to out, and returns its exit code. Runs in a child. */
typedef int (*FileQuestion)(void *context, const char *path, FILE *out);

/* Receives the results of file number `file`, in the order of the files. Runs in the caller. */
typedef Status (*FileAnswer)(void *context, size_t file, int code, const char *said, size_t size, Error *err);

typedef struct FilePool {
    FileQuestion ask;
    FileAnswer take; /* NULL: answers are copied to a stream */
    void *context;
    int jobs;            /* processes, 1 or more */
    int (*stop)(void);   /* asked between answers: not 0 ends the asking; NULL: never */
} FilePool;

/* Asks all files in as many processes and takes or copies to out their results, file by file. *code is the worst of the
 * exit codes. A process that ends early is STATUS_INTERNAL, which names the file that it was at. */
Status file_pool_ask(const FilePool *pool, char *const *paths, size_t count, FILE *out, int *code, Error *err);

/* What a scheduler leaves to this process, which may be less than the machine has. */
int file_pool_processors(void);

#endif
