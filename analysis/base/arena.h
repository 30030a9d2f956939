/* Scratch memory of one call: arrays that are freed together.
 *
 *     Arena arena = {0};
 *     Work work = {.force = arena_array(&arena, frames, points, sizeof *work.force), ...};
 *     if (arena.failed)
 *         status = error_no_memory(err);
 *     ...
 *     arena_free(&arena);
 *
 * An array that cannot be had is NULL and sets `failed`, which stays: a function takes all it needs and asks once.
 * What a function hands to its caller is never its own arena's: results own theirs (analysis/base/arena.h). What is
 * made at once and freed at once, such as a simulated world, may hold an arena as its memory.
 * Cost: an addition and a comparison an array; blocks double from 64 KiB, a larger array has a block of its own. */
#ifndef KANE_BASE_ARENA_H
#define KANE_BASE_ARENA_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Zeroed arrays whose size product cannot overflow. Freed with free(). */

/* Asks the system to back an array with huge pages where it is large: a clip's arrays are touched once, so that page
 * faults are a good part of their cost. A hint: nothing changes where the system declines. */
void memory_prefer_huge_pages(void *array, size_t bytes);

/* What a long clip has freed goes back to the system; what a short one has is kept for the next. Left to itself glibc
 * keeps up to 32 MB of each size. For a program's main. */
void memory_return_freed(void);

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

/* The same with numbers of any value, for what is written before it is read. */
static inline void *array_space(size_t rows, size_t columns, size_t size)
{
    size_t count, bytes;
    if (__builtin_mul_overflow(rows, columns, &count) || __builtin_mul_overflow(count, size, &bytes))
        return NULL;
    void *array = malloc(bytes ? bytes : 1);
    memory_prefer_huge_pages(array, bytes);
    return array;
}

/* As array_new, for results of several arrays, which are asked about once: *failed becomes 1 where memory is lacking,
 * and stays. (Scratch of one call: analysis/base/arena.h.) */
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

typedef struct ArenaBlock ArenaBlock;

/* (Arena){0} is an empty one. */
typedef struct Arena {
    ArenaBlock *last; /* the block that arrays are taken from; the earlier ones hang on it */
    size_t used;      /* bytes of it */
    int failed;       /* 1: some array could not be had */
} Arena;

/* rows * columns elements of size bytes, zeroed, on a 64-byte boundary (whole lanes of any width). Never NULL for zero
 * elements; NULL, and arena->failed, on overflow or lack of memory. Valid until arena_free, or arena_return to a
 * mark before it. */
void *arena_array(Arena *arena, size_t rows, size_t columns, size_t size);

/* The same with numbers of any value, for what is written before it is read. */
void *arena_space(Arena *arena, size_t rows, size_t columns, size_t size);

/* For scratch inside a loop: what was taken since the mark is given back and taken again. */
typedef struct ArenaMark {
    ArenaBlock *last;
    size_t used;
} ArenaMark;
ArenaMark arena_mark(const Arena *arena);
void arena_return(Arena *arena, ArenaMark mark);

/* Frees every array; the arena is empty again. */
void arena_free(Arena *arena);

#endif
