#include "formats/bvh/bvh_warning.h"

#include <stdarg.h>
#include <stdlib.h>

#include "formats/base/grow.h"

Status bvh_warn(Bvh *bvh, BvhFault fault, int line, int column, Error *err, const char *format, ...)
{
    if (bvh->warning_count == BVH_MAX_WARNINGS)
        return STATUS_OK;
    if (!array_grow(&bvh->warning, bvh->warning_count, sizeof *bvh->warning))
        return error_no_memory(err);
    BvhWarning *w = &bvh->warning[bvh->warning_count++];
    *w = (BvhWarning){.fault = fault, .line = line, .column = column};
    va_list args;
    va_start(args, format);
    vsnprintf(w->text, sizeof w->text, format, args);
    va_end(args);
    if (bvh->warning_count == BVH_MAX_WARNINGS) {
        w->fault = BVH_FAULT_MANY;
        snprintf(w->text, sizeof w->text, "more than %d warnings; the rest is left out", BVH_MAX_WARNINGS - 1);
    }
    return STATUS_OK;
}

static int compare_places(const void *a, const void *b)
{
    const BvhWarning *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : (x->column > y->column) - (x->column < y->column);
}

void bvh_warnings_sort(Bvh *bvh)
{
    if (bvh->warning_count > 1)
        qsort(bvh->warning, (size_t)bvh->warning_count, sizeof *bvh->warning, compare_places);
}
