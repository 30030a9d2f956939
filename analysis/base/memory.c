#include "analysis/base/memory.h"

#include <stdint.h>
#include <sys/mman.h>

static const size_t huge_page = (size_t)1 << 21; /* of x86-64 */
static const uintptr_t page = 4096;

/* All pages that the array touches, so that its first huge page may begin at the allocator's header before it. */
void memory_prefer_huge_pages(void *array, size_t bytes)
{
    uintptr_t first = (uintptr_t)array & ~(page - 1);
    uintptr_t last = ((uintptr_t)array + bytes + page - 1) & ~(page - 1);
    if (array && bytes >= huge_page)
        (void)madvise((void *)first, last - first, MADV_HUGEPAGE);
}
