/* Tables of pushes: `joint newton direction start seconds` and optionally `x y z`, the point in m in axes of the joint;
 * a row without a point pushes at the centre of mass. */
#ifndef KANE_TABLES_PUSH_TABLE_H
#define KANE_TABLES_PUSH_TABLE_H

#include "analysis/clip/skeleton.h"
#include "analysis/control/pushes.h"

/* STATUS_BAD_INPUT with line and column for an unknown joint, role or direction, and for numbers out of range. The
 * caller frees out->push. */
Status pushes_read(const char *path, const Skeleton *skeleton, Pushes *out, Error *err);

#endif
