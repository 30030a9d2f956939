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

#endif
