#include "analysis/base/memory.h"

#include <stdint.h>
#include <sys/mman.h>

static const size_t huge_page = (size_t)1 << 21; /* of x86-64 */

void memory_prefer_huge_pages(void *array, size_t bytes)
{
    uintptr_t first = ((uintptr_t)array + huge_page - 1) & ~(uintptr_t)(huge_page - 1);
    uintptr_t last = ((uintptr_t)array + bytes) & ~(uintptr_t)(huge_page - 1);
    if (array && bytes >= 2 * huge_page && last > first)
        (void)madvise((void *)first, last - first, MADV_HUGEPAGE);
}
