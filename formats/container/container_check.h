/* Rules for clips, on which all other code relies; decoder and encoder reject violations. */
#ifndef KANE_CONTAINER_CONTAINER_CHECK_H
#define KANE_CONTAINER_CONTAINER_CHECK_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip_schema.h"
#include "formats/container/container.h"

/* STATUS_BAD_INPUT, with dataset and joint or frame, for joints before their parents, times that do not increase
 * evenly, rotations that are not unit quaternions and impossible masses. With findings (may be NULL) every violation is
 * recorded there instead. Cost: one pass over the rotations. */
Status container_check(const Clip *clip, ContainerFindings *findings, Error *err);

/* Rejects numbers that are not finite, as the decoder does, in arrays and attributes of these groups that must be
 * complete. STATUS_BAD_INPUT with dataset, joint and frame. */
Status container_check_values(const Clip *clip, unsigned groups, Error *err);

/* Likewise for attributes only. */
Status container_check_attributes(const Clip *clip, unsigned groups, Error *err);

/* Returns 1 if all numbers of an array must be finite. */
int container_is_complete(const SchemaDataset *dataset);

/* Returns the error of the first number that is not finite in an array of the clip, from element `from`. */
Status container_not_finite(const Clip *clip, const SchemaDataset *dataset, size_t from, Error *err);

/* Records a STATUS_BAD_INPUT and its error in findings and returns STATUS_OK; returns any other status unchanged, also
 * if findings is NULL. */
Status container_note(ContainerFindings *findings, Status status, const Error *err);

#endif
