/* The root attribute `checksum` of a container: a line a dataset, its path and the XXH64 of its values, and a last line
 * for the attributes. Of values as they are in memory (float64, int32, uint8, uint32), of names with their NULs; where
 * they are stored as 32-bit, of what is read back. */
#ifndef KANE_CONTAINER_CONTAINER_CHECKSUM_H
#define KANE_CONTAINER_CONTAINER_CHECKSUM_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip_schema.h"
#include "formats/container/container.h"

/* The lines of a clip that is stored with def; *text is owned by the caller. */
Status container_checksums(const Clip *clip, const ContainerDef *def, char **text, Error *err);

/* Whether the clip that was read is the one of these lines; what they do not name is accepted, and so are attributes
 * unless with_attributes. STATUS_BAD_INPUT names the dataset; with findings (may be NULL) each is noted there. */
Status container_checksums_check(const Clip *clip, const char *text, int with_attributes, ContainerFindings *findings,
                                 Error *err);

/* The rules of a clip that the rest of kane relies on: the decoder and the encoder refuse what breaks them. */

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
