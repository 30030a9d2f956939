/* Zeroed arrays whose size product cannot overflow. Freed with free(). */
#ifndef KANE_BASE_MEMORY_H
#define KANE_BASE_MEMORY_H

#include <stddef.h>
#include <stdlib.h>

/* rows * columns elements of size bytes, zeroed; NULL on overflow or lack of memory. Zero elements give a
 * pointer that can be freed, so that NULL always means failure. */
static inline void *array_new(size_t rows, size_t columns, size_t size)
{
    size_t count, bytes;
    if (__builtin_mul_overflow(rows, columns, &count) || __builtin_mul_overflow(count, size, &bytes))
        return NULL;
    return calloc(bytes ? bytes : 1, 1);
}

#endif
