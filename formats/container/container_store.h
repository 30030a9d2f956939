/* Storing containers: the only way in which one gets its name. What it may take the place of, output_rule.h says. A
 * container appears under its name when it is whole and on disk;
 * until then it has a temporary one. */
#ifndef KANE_FORMATS_CONTAINER_STORE_H
#define KANE_FORMATS_CONTAINER_STORE_H

#include "formats/base/new_file.h"
#include "formats/container/container.h"

/* Whether a container may take the place of what path names, whatever it was made of: nothing, an empty file, a
 * container of kane's, whole or cut off, or a device. Anything else is somebody's work: STATUS_BAD_INPUT. */
Status container_may_replace(const char *path, Error *err);

/* Stores the clip at path: written, synced, renamed. On failure what was there is there still. */
Status container_store(const Clip *clip, const ContainerDef *def, const char *path, Error *err);

/* The same up to sync and name, for who does these later or for many at once: new_file_commit does both, new_file_leave
 * leaves them to another process. The caller has asked output_allowed. temporary is the name until then; NULL: beside
 * path. */
Status container_store_pending(const Clip *clip, const ContainerDef *def, const char *path, const char *temporary,
                               NewFile *pending, Error *err);

#endif
