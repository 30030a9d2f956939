/* The rules of a clip that the rest of kane relies on, for one that came from outside. */
#ifndef KANE_FORMATS_CONTAINER_CHECK_H
#define KANE_FORMATS_CONTAINER_CHECK_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/container/container.h"

/* STATUS_BAD_INPUT names the dataset with joint or frame: a tree out of order, a time that does not run, a rotation
 * that is no unit quaternion, a mass that no body has. With findings (may be NULL) every rule that is broken is noted
 * there instead. Cost: one pass over the rotations. */
Status container_check(const Clip *clip, ContainerFindings *findings, Error *err);

/* Notes a STATUS_BAD_INPUT with its err in findings and gives STATUS_OK; gives status as it is for all others, and
 * where findings is NULL. */
Status container_note(ContainerFindings *findings, Status status, const Error *err);

/* Whether none of the values is infinite or no number. */
int values_finite(const double *value, size_t count);

#endif
