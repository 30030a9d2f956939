/* FNV-1a, 64 bits (Fowler, Noll, Vo; public domain): a hash for keys from trusted data. Checksums use XXH64 of
 * libxxhash; file identity uses SHA-256 of libcrypto, which takes a millisecond to initialise. */
#ifndef KANE_BASE_FNV_H
#define KANE_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

#define FNV_START UINT64_C(14695981039346656037)

/* One step. value is a byte, or a larger number for a separator that no text contains. */
static inline uint64_t fnv_step(uint64_t hash, unsigned value) { return (hash ^ value) * UINT64_C(1099511628211); }

static inline uint64_t fnv_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (const unsigned char *at = bytes, *end = at + size; at < end; at++)
        hash = fnv_step(hash, *at);
    return hash;
}

#endif
