/* The root attribute `checksum` of a container: a line a dataset, its path and the XXH64 of its values, and a last line
 * for the attributes. Of values as they are in memory (float64, int32, uint8, uint32), of names with their NULs; where
 * they are stored as 32-bit, of what is read back. */
#ifndef KANE_FORMATS_CONTAINER_CHECKSUM_H
#define KANE_FORMATS_CONTAINER_CHECKSUM_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/container/container.h"

/* The lines of a clip that is stored with def; *text is owned by the caller. */
Status container_checksums(const Clip *clip, const ContainerDef *def, char **text, Error *err);

/* Whether the clip that was read is the one of these lines; what they do not name is accepted. STATUS_BAD_INPUT names
 * the dataset; with findings (may be NULL) each is noted there instead. */
Status container_checksums_check(const Clip *clip, const char *text, ContainerFindings *findings, Error *err);

#endif
