/* The list of warnings of a Bvh: what was read although it is wrong. */
#ifndef KANE_FORMATS_BVH_WARNING_H
#define KANE_FORMATS_BVH_WARNING_H

#include "formats/bvh.h"

/* Appends one; a text too long for its field is cut. */
Status bvh_warn(Bvh *bvh, int line, int column, Error *err, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Puts the list in order of place. */
void bvh_warnings_sort(Bvh *bvh);

#endif
