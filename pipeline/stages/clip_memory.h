/* --memory: the memory that a clip requires, and the limit that it keeps. */
#ifndef KANE_STAGES_CLIP_MEMORY_H
#define KANE_STAGES_CLIP_MEMORY_H

#include "pipeline/stages/option.h"

/* long long: bytes, given as "8G", "500M" or "123456789"; 0 if not given. */
extern const OptionKind option_bytes;

/* Returns an upper estimate in bytes for a process on a motion file, from joints and frames or else from its size
 * (source_measure). 0 for an unreadable file, which requires none. */
long long clip_memory_need(const char *path);

/* Limit of a process that is given none. */
#define CLIP_MEMORY_DEFAULT 1000000000LL /* bytes */

/* Keeps the process within `limit` bytes for its next clip, with float32 also within about the bytes of its clip file:
 * if the clip needs more, large arrays are in a file in a folder (formats/base/scratch_file.h). */
void clip_memory_limit(const char *path, long long limit, int float32, const char *folder);

/* Ends the limit; the clip may be freed before or after. */
void clip_memory_unlimit(void);

#endif
