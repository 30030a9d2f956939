/* The rules of a clip that the rest of kane relies on, for one that came from outside. */
#ifndef KANE_FORMATS_CONTAINER_CHECK_H
#define KANE_FORMATS_CONTAINER_CHECK_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* STATUS_BAD_INPUT names the dataset with joint or frame: a tree out of order, a time that does not run, a rotation that
 * is no unit quaternion, a mass that no body has. All values are finite already. Cost: one pass over the rotations. */
Status container_check(const Clip *clip, Error *err);

/* Whether none of the values is infinite or no number. */
int values_finite(const double *value, size_t count);

#endif
