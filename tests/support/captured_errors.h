/* Captures standard error, for tests of what is printed. */
#ifndef KANE_TESTS_CAPTURED_ERRORS_H
#define KANE_TESTS_CAPTURED_ERRORS_H

#include "tests/support/test.h"

#include <stdio.h>
#include <unistd.h>

/* Captures standard error; no assertion may occur between begin and end. */
typedef struct CapturedErrors {
    FILE *file;
    int before;
    char text[4096];
} CapturedErrors;

static inline void capture_errors(CapturedErrors *h)
{
    h->file = tmpfile();
    assert_non_null(h->file);
    fflush(stderr);
    h->before = dup(STDERR_FILENO);
    dup2(fileno(h->file), STDERR_FILENO);
}

static inline char *end_capture(CapturedErrors *h)
{
    fflush(stderr);
    dup2(h->before, STDERR_FILENO);
    close(h->before);
    rewind(h->file);
    h->text[fread(h->text, 1, sizeof h->text - 1, h->file)] = 0;
    fclose(h->file);
    return h->text;
}

#endif
