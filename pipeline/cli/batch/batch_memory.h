/* kane batch --memory: estimates the memory that a clip requires. */
#ifndef KANE_CLI_BATCH_BATCH_MEMORY_H
#define KANE_CLI_BATCH_BATCH_MEMORY_H

#include "pipeline/stages/option.h"

/* long long: bytes, given as "8G", "500M" or "123456789"; 0 if not given. */
extern const OptionKind option_bytes;

/* Returns an upper estimate in bytes for a worker on a motion file, from joints and frames or else from its size
 * (source_measure). 0 for an unreadable file, which requires none. */
long long batch_memory_need(const char *path);

#endif
