/* A question to many files in several processes, its answers in the order of the files. */
#ifndef KANE_PIPELINE_FILE_POOL_H
#define KANE_PIPELINE_FILE_POOL_H

#include <stdio.h>

#include "analysis/base/status.h"

/* Asks one file: writes what there is to say to out, and returns its exit code. Runs in a child. */
typedef int (*FileQuestion)(void *context, const char *path, FILE *out);

/* Takes what was said of file number `file`, in the order of the files. Runs in the caller. */
typedef Status (*FileAnswer)(void *context, size_t file, int code, const char *said, size_t size, Error *err);

typedef struct FilePool {
    FileQuestion ask;
    FileAnswer take; /* NULL: answers are copied to a stream */
    void *context;
    int jobs;            /* processes, 1 or more */
    int (*stop)(void);   /* asked between answers: not 0 ends the asking; NULL: never */
} FilePool;

/* Asks all files in as many processes and takes or copies to out what they say, file by file. *code is the worst of the
 * exit codes. A process that ends early is STATUS_INTERNAL, which names the file that it was at. */
Status file_pool_ask(const FilePool *pool, char *const *paths, size_t count, FILE *out, int *code, Error *err);

/* What a scheduler leaves to this process, which may be less than the machine has. */
int file_pool_processors(void);

#endif
