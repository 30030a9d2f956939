/* kane batch --memory: how much a clip takes, told from its file. */
#ifndef KANE_PIPELINE_BATCH_MEMORY_H
#define KANE_PIPELINE_BATCH_MEMORY_H

#include "pipeline/stages/option.h"

/* long long: bytes, given as "8G", "500M" or "123456789"; 0 where not given. */
extern const OptionKind option_bytes;

/* Bytes that a worker takes for a BVH file, rather too many: by its joints and frames, as its head has them, else by
 * its size. 0 for a file that cannot be read, which takes none. */
long long batch_memory_need(const char *path);

#endif
