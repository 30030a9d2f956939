/* Allocations that fail on demand: the linker redirects all calls from kane's code to this file (-Wl,--wrap=malloc
 * etc., see the Makefile). Allocations inside libhdf5 and SQLite are not affected. */
#ifndef KANE_TESTS_FAILING_ALLOCATION_H
#define KANE_TESTS_FAILING_ALLOCATION_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static long *allocation_calls;  /* calls since the last reset, including child processes; in shared memory */
static long allocation_failing; /* number of the call that fails, from 1; 0: none */
static int allocation_stays;    /* 1: all later calls fail too */

static inline void allocation_reset(long failing, int stays)
{
    if (!allocation_calls)
        allocation_calls = mmap(NULL, sizeof *allocation_calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                                0);
    *allocation_calls = 0;
    allocation_failing = failing;
    allocation_stays = stays;
}

static inline int allocation_fails(void)
{
    if (!allocation_calls)
        return 0;
    long call = ++*allocation_calls;
    int fails = allocation_failing && (call == allocation_failing || (allocation_stays && call > allocation_failing));
    if (fails)
        errno = ENOMEM;
    return fails;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_reallocarray(void *old, size_t count, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
FILE *__real_open_memstream(char **text, size_t *size);
FILE *__real_fopen(const char *path, const char *mode);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_reallocarray(void *old, size_t count, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
int __wrap_asprintf(char **text, const char *format, ...);
FILE *__wrap_open_memstream(char **text, size_t *size);
FILE *__wrap_fopen(const char *path, const char *mode);

void *__wrap_malloc(size_t size)
{
    return allocation_fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return allocation_fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return allocation_fails() ? NULL : __real_realloc(old, size);
}

void *__wrap_reallocarray(void *old, size_t count, size_t size)
{
    return allocation_fails() ? NULL : __real_reallocarray(old, count, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return allocation_fails() ? NULL : __real_aligned_alloc(alignment, size);
}

char *__wrap_strdup(const char *text)
{
    return allocation_fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t size)
{
    return allocation_fails() ? NULL : __real_strndup(text, size);
}

int __wrap_asprintf(char **text, const char *format, ...)
{
    va_list args;
    if (allocation_fails())
        return -1;
    va_start(args, format);
    int written = vasprintf(text, format, args);
    va_end(args);
    return written;
}

FILE *__wrap_open_memstream(char **text, size_t *size)
{
    return allocation_fails() ? NULL : __real_open_memstream(text, size);
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    return allocation_fails() ? NULL : __real_fopen(path, mode);
}

#endif
