/* What a file is, by its first bytes: its kind (formats/base/file_kind.h), or the foreign format it has. */
#ifndef KANE_SOURCE_IDENTIFY_H
#define KANE_SOURCE_IDENTIFY_H

#include <stddef.h>

#include "formats/base/file_kind.h"

/* Returns the kind of a file of `size` bytes from its first `count` bytes. A truncated clip file counts as one. */
FileKind detect_file_kind(const void *front, size_t count, unsigned long long size);

/* Returns "a clip file" or another noun phrase for messages. */
const char *file_kind_name(FileKind kind);

/* Returns what a file is that was given as motion but has another format, with advice: "an FBX file: export the take as
 * BVH from the original program"; NULL if unknown. The text is static. */
const char *foreign_file(const char *front, size_t size);

#endif
