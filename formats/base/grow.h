/* Arrays that grow by one element at a time, their capacity the next power of two. */
#ifndef KANE_FORMATS_GROW_H
#define KANE_FORMATS_GROW_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for element number count in the array that array_pointer points to: 0 without memory, when the array
 * stays as it was. */
static inline int array_grow(void *array_pointer, int count, size_t element_size)
{
    size_t n = (size_t)count, bytes;
    if (n & (n - 1))
        return 1; /* not a power of two: there is room */
    void *old, *larger;
    memcpy(&old, array_pointer, sizeof old);
    if (__builtin_mul_overflow(n ? 2 * n : 1, element_size, &bytes) || !(larger = realloc(old, bytes)))
        return 0;
    memcpy(array_pointer, &larger, sizeof larger);
    return 1;
}

#endif
