/* Zeroed arrays whose size product cannot overflow. Freed with free(). */
#ifndef KANE_BASE_MEMORY_H
#define KANE_BASE_MEMORY_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Asks the system to back an array with huge pages where it is large: a clip's arrays are touched once, so that page
 * faults are a good part of their cost. A hint: nothing changes where the system declines. */
void memory_prefer_huge_pages(void *array, size_t bytes);

/* rows * columns elements of size bytes, zeroed; NULL on overflow or lack of memory. Zero elements give a
 * pointer that can be freed, so that NULL always means failure. */
static inline void *array_new(size_t rows, size_t columns, size_t size)
{
    size_t count, bytes;
    if (__builtin_mul_overflow(rows, columns, &count) || __builtin_mul_overflow(count, size, &bytes))
        return NULL;
    void *array = calloc(bytes ? bytes : 1, 1);
    memory_prefer_huge_pages(array, bytes);
    return array;
}

/* The same for results of several arrays, which are asked about once: *failed becomes 1 where memory is lacking, and
 * stays. (Scratch of one call: analysis/base/arena.h.) */
static inline void *array_need(int *failed, size_t rows, size_t columns, size_t size)
{
    void *array = array_new(rows, columns, size);
    *failed |= !array;
    return array;
}

/* As array_new, for scratch that holds whole lanes: begins on a 64-byte boundary. */
static inline void *array_new_aligned(size_t rows, size_t columns, size_t size)
{
    size_t count, bytes;
    if (__builtin_mul_overflow(rows, columns, &count) || __builtin_mul_overflow(count, size, &bytes) ||
        __builtin_add_overflow(bytes, 64, &bytes))
        return NULL;
    bytes &= ~(size_t)63;
    void *array = aligned_alloc(64, bytes ? bytes : 64);
    return array ? memset(array, 0, bytes) : NULL;
}

#endif
