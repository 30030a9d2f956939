/* Outcome of every fallible call: a Status code, and on request the words for a person.
 *
 * Functions that can fail return Status and take an `Error *err` last; err may be NULL. On failure the
 * output is left as it was initialised (safe to free) and err holds one sentence without a final full stop.
 * Reference for the shape: one list holds name, exit code and text of a status. */
#ifndef KANE_BASE_STATUS_H
#define KANE_BASE_STATUS_H

#include <stddef.h>
#include <string.h>

typedef enum Status {
    STATUS_OK = 0,
    STATUS_BAD_INPUT,  /* the data is wrong: names file, line and column, or joint and frame */
    STATUS_IO,         /* the operating system refused a read or a write */
    STATUS_LIMIT,      /* a limit with a flag was exceeded */
    STATUS_NO_MEMORY,
    STATUS_NO_RESULT,  /* query: no row matched; solver: did not converge or infeasible */
    STATUS_USAGE,      /* the caller asked for something that makes no sense */
    STATUS_INTERNAL,   /* a defect of kane */
    STATUS_COUNT
} Status;

#define ERROR_TEXT_SIZE 512

typedef struct Error {
    Status status;
    int line;    /* 1-based, 0: not known */
    int column;  /* 1-based, 0: not known */
    char text[ERROR_TEXT_SIZE];
} Error;

/* Short name, "bad input". Valid for the life of the program. */
const char *status_name(Status status);

/* Exit code of the program: 0 done, 1 some input failed or no row, 2 wrong usage, 3 internal. */
int status_exit_code(Status status);

/* Fills err (when not NULL) and returns status, so that a check reads `return error_set(err, ...)`. */
Status error_set(Error *err, Status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same with a place in a text file. */
Status error_set_at(Error *err, Status status, int line, int column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* "path:line:column: " with what is known of it: 0 and NULL are left out, "-" is standard input. */
void error_place(const char *path, int line, int column, char *text, size_t size);

/* Gives the error of a file its place in words, so that it is not taken for one of another file. Returns status. */
Status error_of_file(Error *err, const char *path, Status status);

/* "out of memory". Here, so that a reader and an analyser see that it never returns STATUS_OK. */
static inline Status error_no_memory(Error *err)
{
    error_set(err, STATUS_NO_MEMORY, "out of memory");
    return STATUS_NO_MEMORY;
}

/* The last name of a path. */

/* What stands behind the last slash, in path itself; "" where that ends it. */
static inline const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The version of the program, as in `kane --version` and in the attribute kane_version of a container. */

#define KANE_VERSION "0.1.0"

#endif
