/* The rules of a clip that the rest of kane relies on: the decoder and the encoder refuse what breaks them. */
#ifndef KANE_FORMATS_CONTAINER_CHECK_H
#define KANE_FORMATS_CONTAINER_CHECK_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/container/container.h"
#include "formats/container/container_schema.h"

/* STATUS_BAD_INPUT names the dataset with joint or frame: a tree out of order, a time that does not run, a rotation
 * that is no unit quaternion, a mass that no body has. With findings (may be NULL) every rule that is broken is noted
 * there instead. Cost: one pass over the rotations. */
Status container_check(const Clip *clip, ContainerFindings *findings, Error *err);

/* Refuses what the decoder does: a number that is not finite, in an array or an attribute of these groups that has no
 * gaps. STATUS_BAD_INPUT names the dataset with joint and frame. */
Status container_check_values(const Clip *clip, unsigned groups, Error *err);

/* The error of the first such number of an array of the clip, at element `from` or behind. */
Status container_not_finite(const Clip *clip, const SchemaDataset *dataset, size_t from, Error *err);

/* Notes a STATUS_BAD_INPUT with its err in findings and gives STATUS_OK; gives status as it is for all others, and
 * where findings is NULL. */
Status container_note(ContainerFindings *findings, Status status, const Error *err);

/* Whether none of the values is infinite or no number. */
int values_finite(const double *value, size_t count);

#endif
