/* FNV-1a, 64 bits (Fowler, Noll, Vo; public domain): a key of what nobody attacks. Where damage is to be found, XXH64
 * of libxxhash; where a file is to be known, SHA-256 of libcrypto, which takes a millisecond to start. */
#ifndef KANE_BASE_FNV_H
#define KANE_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

#define FNV_START UINT64_C(14695981039346656037)

/* One step; value is a byte, or more than one where it shall be none that a text has. */
static inline uint64_t fnv_step(uint64_t hash, unsigned value) { return (hash ^ value) * UINT64_C(1099511628211); }

static inline uint64_t fnv_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (const unsigned char *at = bytes, *end = at + size; at < end; at++)
        hash = fnv_step(hash, *at);
    return hash;
}

#endif
