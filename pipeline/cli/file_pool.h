/* Processes many files in several child processes, with results in file order. */
#ifndef KANE_CLI_FILE_POOL_H
#define KANE_CLI_FILE_POOL_H

#include <stdio.h>

#include "analysis/base/status.h"

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
