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
 * What a function hands to its caller is never its own arena's: results own theirs (analysis/base/memory.h). What is
 * made at once and freed at once, such as a simulated world, may hold an arena as its memory.
 * Cost: an addition and a comparison an array; blocks double from 64 KiB, a larger array has a block of its own. */
#ifndef KANE_BASE_ARENA_H
#define KANE_BASE_ARENA_H

#include <stddef.h>

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
