/* The root attribute `checksum` of a clip file: one line per dataset with its path and the XXH64 of its values, and a
 * last line for the attributes. Values are hashed as in memory (float64, int32, uint8, uint32), names with their NULs;
 * if stored as 32-bit, the rounded values. */
#ifndef KANE_CONTAINER_CONTAINER_CHECKSUM_H
#define KANE_CONTAINER_CONTAINER_CHECKSUM_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip_schema.h"
#include "formats/container/container.h"

/* Makes the lines of a clip that is stored with def; the caller frees *text, also after failure. STATUS_BAD_INPUT as
 * container_check_values for all groups, in the same pass. */
Status container_checksums(const Clip *clip, const ContainerDef *def, char **text, Error *err);

/* Checks a decoded clip against the lines. Datasets without a line are accepted, and so are attributes unless
 * with_attributes. STATUS_BAD_INPUT with the dataset; with findings (may be NULL) each mismatch is recorded there. */
Status container_checksums_check(const Clip *clip, const char *text, int with_attributes, ContainerFindings *findings,
                                 Error *err);

/* Rules for clips, on which all other code relies; decoder and encoder reject violations. */

/* STATUS_BAD_INPUT, with dataset and joint or frame, for joints before their parents, times that do not increase
 * evenly, rotations that are not unit quaternions and impossible masses. With findings (may be NULL) every violation is
 * recorded there instead. Cost: one pass over the rotations. */
Status container_check(const Clip *clip, ContainerFindings *findings, Error *err);

/* Rejects numbers that are not finite, as the decoder does, in arrays and attributes of these groups that must be
 * complete. STATUS_BAD_INPUT with dataset, joint and frame. */
Status container_check_values(const Clip *clip, unsigned groups, Error *err);

/* Returns the error of the first such number in an array of the clip, from element `from`. */
Status container_not_finite(const Clip *clip, const SchemaDataset *dataset, size_t from, Error *err);

/* Records a STATUS_BAD_INPUT and its error in findings and returns STATUS_OK; returns any other status unchanged, also
 * if findings is NULL. */
Status container_note(ContainerFindings *findings, Status status, const Error *err);

#endif
