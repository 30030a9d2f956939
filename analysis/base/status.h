/* Result of every call that can fail: a Status code, and a message on request.
 *
 * Functions that can fail return a Status and have `Error *err` as last parameter; err may be NULL. On failure the
 * output is as it was initialised (safe to free), and err contains one sentence without a final full stop. Name, exit
 * code and text of each status are in one list. */
#ifndef KANE_BASE_STATUS_H
#define KANE_BASE_STATUS_H

#include <stddef.h>
#include <string.h>

typedef enum Status {
    STATUS_OK = 0,
    STATUS_BAD_INPUT,  /* invalid data: the message has file, line and column, or joint and frame */
    STATUS_IO,         /* the operating system reported an error for a read or a write */
    STATUS_LIMIT,      /* a limit that an option can raise was exceeded */
    STATUS_NO_MEMORY,
    STATUS_NO_RESULT,  /* query: no row matched; solver: did not converge or infeasible */
    STATUS_USAGE,      /* invalid arguments */
    STATUS_INTERNAL,   /* a defect of kane */
    STATUS_COUNT
} Status;

#define ERROR_TEXT_SIZE 512

typedef struct Error {
    Status status;
    int line;    /* 1-based; 0: unknown */
    int column;  /* 1-based; 0: unknown */
    char text[ERROR_TEXT_SIZE];
} Error;

/* Short name, such as "bad input". Valid for the life of the program. */
const char *status_name(Status status);

/* Exit code of the program: 0 success, 1 an input failed or no row matched, 2 wrong usage, 3 internal error. */
int status_exit_code(Status status);

/* Fills err unless it is NULL, and returns status, so that a check reads `return error_set(err, ...)`. */
Status error_set(Error *err, Status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same with a position in a text file. */
Status error_set_at(Error *err, Status status, int line, int column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Writes "path:line:column: " with the parts that are known: 0 and NULL are omitted, "-" is standard input. */
void error_location(const char *path, int line, int column, char *text, size_t size);

/* Adds path, line and column to the text of an error, so that it is not attributed to another file. Returns status. */
Status error_of_file(Error *err, const char *path, Status status);

/* "out of memory". Inline, so that readers and analysers see that it never returns STATUS_OK. */
static inline Status error_no_memory(Error *err)
{
    error_set(err, STATUS_NO_MEMORY, "out of memory");
    return STATUS_NO_MEMORY;
}

/* The part of path after the last slash; "" if the path ends with it. */
static inline const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

#endif
