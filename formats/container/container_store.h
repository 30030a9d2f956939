/* Stores clip files, the only way in which they get their names; the rule of output_rule.h applies. A clip file has a
 * temporary name until it is complete and on disk. */
#ifndef KANE_CONTAINER_CONTAINER_STORE_H
#define KANE_CONTAINER_CONTAINER_STORE_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/base/new_file.h"
#include "formats/container/container.h"

/* Checks whether a clip file of any source may replace path: nothing, an empty file, a clip file of kane, whole or
 * truncated, or a device. STATUS_BAD_INPUT for other files. */
Status container_may_replace(const char *path, Error *err);

/* Stores the clip at path: written, synced, renamed. On failure an existing file is unchanged. */
Status container_store(const Clip *clip, const ContainerDef *def, const char *path, Error *err);

/* Likewise without sync and rename, for callers that do these later or for many files: new_file_commit does both,
 * new_file_leave leaves them to another process. Call output_allowed before. temporary: the name until then; NULL:
 * beside path. */
Status container_store_pending(const Clip *clip, const ContainerDef *def, const char *path, const char *temporary,
                               NewFile *pending, Error *err);

#endif
