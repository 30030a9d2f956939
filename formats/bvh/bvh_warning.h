/* The list of warnings of a Bvh: what was read although it is wrong. */
#ifndef KANE_FORMATS_BVH_WARNING_H
#define KANE_FORMATS_BVH_WARNING_H

#include "formats/bvh/bvh.h"

#define BVH_MAX_WARNINGS 1000

/* Appends one; a text too long for its field is cut. The last of BVH_MAX_WARNINGS says that there are more, which are
 * left out. */
Status bvh_warn(Bvh *bvh, BvhFault fault, int line, int column, Error *err, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Puts the list in order of place. */
void bvh_warnings_sort(Bvh *bvh);

#endif
