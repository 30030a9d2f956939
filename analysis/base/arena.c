/* See arena.h. */
#include "analysis/base/arena.h"

#include <malloc.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

static const size_t huge_page = (size_t)1 << 21; /* of x86-64 */
static const uintptr_t page = 4096;
/* A block of MAPPED bytes comes from the system already zeroed (memory_return_freed). */
enum { ALIGNMENT = 64, FIRST_BLOCK = 1 << 16, LARGEST_DOUBLED = 1 << 20, MAPPED = 4 << 20 };

/* Extends the range to whole pages, so that its first huge page may begin at the allocator's header before it. */
void memory_prefer_huge_pages(void *array, size_t bytes)
{
    uintptr_t first = (uintptr_t)array & ~(page - 1);
    uintptr_t last = ((uintptr_t)array + bytes + page - 1) & ~(page - 1);
    if (array && bytes >= huge_page)
        (void)madvise((void *)first, last - first, MADV_HUGEPAGE);
}

static MemoryBacking *large_backing; /* of the process, as the settings of malloc are */

void memory_back_large(MemoryBacking *backing)
{
    large_backing = backing;
}

void memory_place(void *array, size_t bytes)
{
    if (!array || bytes < MAPPED || !large_backing || !large_backing(array, bytes))
        memory_prefer_huge_pages(array, bytes);
}

/* The heap would zero all of a block; zeroing what is allocated from it costs less. */
struct ArenaBlock {
    ArenaBlock *before;
    size_t size;  /* bytes behind start */
    size_t clean; /* bytes from here on were never allocated and are still zero */
    unsigned char *start;
};

static unsigned char *align(unsigned char *address)
{
    return address + (-(uintptr_t)address & (ALIGNMENT - 1));
}

static ArenaBlock *block_new(ArenaBlock *before, size_t bytes)
{
    size_t size = before && before->size < LARGEST_DOUBLED ? 2 * before->size : FIRST_BLOCK, whole;
    size = bytes > size ? bytes : size;
    if (__builtin_add_overflow(size, sizeof(ArenaBlock) + ALIGNMENT, &whole))
        return NULL;
    int is_small = size < MAPPED;
    ArenaBlock *block = is_small ? malloc(whole) : calloc(whole, 1);
    if (!block)
        return NULL;
    memory_place(block, whole);
    *block = (ArenaBlock){before, size, is_small ? size : 0, align((unsigned char *)(block + 1))};
    return block;
}

/* allocates bytes at the arena's end; *dirty of them may not be zero */
static void *take_block(Arena *arena, size_t bytes, size_t *dirty)
{
    ArenaBlock *block = arena->last;
    unsigned char *array = block->start + arena->used;
    size_t end = arena->used + bytes, given = block->clean > arena->used ? block->clean - arena->used : 0;
    *dirty = given < bytes ? given : bytes;
    block->clean = end > block->clean ? end : block->clean;
    arena->used = end;
    return array;
}

static void *find_space(Arena *arena, size_t rows, size_t columns, size_t size, size_t *dirty)
{
    size_t bytes;
    int overflow = __builtin_mul_overflow(rows, columns, &bytes) || __builtin_mul_overflow(bytes, size, &bytes) ||
                   __builtin_add_overflow(bytes, ALIGNMENT - 1, &bytes);
    bytes &= ~(size_t)(ALIGNMENT - 1);
    if (!overflow && arena->last && bytes <= arena->last->size - arena->used)
        return take_block(arena, bytes, dirty);
    ArenaBlock *block = overflow ? NULL : block_new(arena->last, bytes);
    if (!block) {
        arena->failed = 1;
        return NULL;
    }
    arena->last = block;
    arena->used = 0;
    return take_block(arena, bytes, dirty);
}

void *arena_array(Arena *arena, size_t rows, size_t columns, size_t size)
{
    size_t dirty = 0;
    void *array = find_space(arena, rows, columns, size, &dirty);
    return array ? memset(array, 0, dirty) : NULL;
}

void *arena_space(Arena *arena, size_t rows, size_t columns, size_t size)
{
    size_t dirty;
    return find_space(arena, rows, columns, size, &dirty);
}

ArenaMark arena_mark(const Arena *arena)
{
    return (ArenaMark){arena->last, arena->used};
}

void arena_return(Arena *arena, ArenaMark mark)
{
    while (arena->last != mark.last) {
        ArenaBlock *before = arena->last->before;
        free(arena->last);
        arena->last = before;
    }
    arena->used = mark.used;
}

void arena_free(Arena *arena)
{
    arena_return(arena, (ArenaMark){0});
    arena->failed = 0;
}

void memory_return_freed(void)
{
#ifdef M_TRIM_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, MAPPED);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}
