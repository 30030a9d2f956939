/* Memory: scratch arrays of one call, which are freed together, and below them arrays of results.
 *
 * Arena arena = {0};
 *     Work work = {.force = arena_array(&arena, frames, points, sizeof *work.force), ...};
 *     if (arena.failed)
 *         status = error_no_memory(err);
 *     ...
 *     arena_free(&arena);
 *
 * An allocation that fails returns NULL and sets `failed`, which stays set, so that a function allocates everything and
 * checks once. A function never returns memory of its own arena: results own their arrays. An object whose arrays live
 * and die with it, such as a simulated scene, may contain an arena. Cost: an addition and a comparison per array.
 * Blocks double from 64 KiB; a larger array gets a block of its own. */
#ifndef KANE_BASE_ARENA_H
#define KANE_BASE_ARENA_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Hints to the system that a large array should use huge pages: the arrays of a clip are touched once, so that
 * page faults are a large part of their cost. If the system declines, nothing changes. */
void memory_prefer_huge_pages(void *array, size_t bytes);

/* Gives a new array of several megabytes other pages than those of memory, which are zero; returns 0 if it cannot. The
 * pages of the array have not been touched. */
typedef int MemoryBacking(void *array, size_t bytes);

/* Sets from where large arrays have their pages; NULL: from memory. Like memory_return_freed a setting of the
 * process. */
void memory_back_large(MemoryBacking *backing);

/* Gives a new array its pages: those of the backing, or huge pages. */
void memory_place(void *array, size_t bytes);

/* Returns memory that a long clip has freed to the system, and keeps that of a short clip for the next one. By default
 * glibc keeps up to 32 MB of each size. For the main function of a program. */
void memory_return_freed(void);

/* Number of bytes of rows * columns elements of size bytes; 1 on overflow. */
static inline int array_overflows(size_t rows, size_t columns, size_t size, size_t *bytes)
{
    return __builtin_mul_overflow(rows, columns, bytes) || __builtin_mul_overflow(*bytes, size, bytes);
}

/* rows * columns elements of size bytes, zeroed, to be freed with free(); NULL on overflow or if memory runs out. Zero
 * elements give a pointer that can be freed: NULL always means failure. */
static inline void *array_new(size_t rows, size_t columns, size_t size)
{
    size_t bytes;
    if (array_overflows(rows, columns, size, &bytes))
        return NULL;
    void *array = calloc(bytes ? bytes : 1, 1);
    memory_place(array, bytes);
    return array;
}

/* The same without zeroing, for arrays that are written before they are read. */
static inline void *array_space(size_t rows, size_t columns, size_t size)
{
    size_t bytes;
    if (array_overflows(rows, columns, size, &bytes))
        return NULL;
    void *array = malloc(bytes ? bytes : 1);
    memory_place(array, bytes);
    return array;
}

/* Like array_new, for results of several arrays with one check: *failed is set to 1 on failure and otherwise left as it
 * is. (Scratch memory of one call: arena_array.) */
static inline void *array_try(int *failed, size_t rows, size_t columns, size_t size)
{
    void *array = array_new(rows, columns, size);
    *failed |= !array;
    return array;
}

/* Like array_new, aligned to 64 bytes for scratch arrays of whole lanes. */
static inline void *array_new_aligned(size_t rows, size_t columns, size_t size)
{
    size_t bytes;
    if (array_overflows(rows, columns, size, &bytes) || __builtin_add_overflow(bytes, 64, &bytes))
        return NULL;
    bytes &= ~(size_t)63;
    void *array = aligned_alloc(64, bytes ? bytes : 64);
    return array ? memset(array, 0, bytes) : NULL;
}

typedef struct ArenaBlock ArenaBlock;

/* (Arena){0} is empty. */
typedef struct Arena {
    ArenaBlock *last; /* current block; it links to the earlier ones */
    size_t used;      /* bytes used in it */
    int failed;       /* 1: an allocation failed */
} Arena;

/* rows * columns elements of size bytes, zeroed, aligned to 64 bytes (whole lanes of any width). Not NULL for zero
 * elements; NULL, with arena->failed set, on overflow or if memory runs out. Valid until arena_free, or arena_return to
 * an earlier mark. */
void *arena_array(Arena *arena, size_t rows, size_t columns, size_t size);

/* The same without zeroing, for arrays that are written before they are read. */
void *arena_space(Arena *arena, size_t rows, size_t columns, size_t size);

/* For scratch arrays in a loop: arena_return frees everything allocated since the mark, for reuse. */
typedef struct ArenaMark {
    ArenaBlock *last;
    size_t used;
} ArenaMark;
ArenaMark arena_mark(const Arena *arena);
void arena_return(Arena *arena, ArenaMark mark);

/* Frees all arrays; the arena is then empty. */
void arena_free(Arena *arena);

#endif
