/* XXH64, a checksum of 64 bits at the speed of memory (Y. Collet, "xxHash fast digest algorithm", specification 0.2,
 * 2021), here without a seed. It finds damage; it is no signature. */
#ifndef KANE_FORMATS_CHECKSUM_H
#define KANE_FORMATS_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

enum { CHECKSUM_BLOCK = 32 };

typedef struct Checksum {
    uint64_t lane[4];
    uint64_t total; /* bytes taken */
    unsigned char rest[CHECKSUM_BLOCK]; /* [total % CHECKSUM_BLOCK] not yet in the lanes */
} Checksum;

Checksum checksum_begin(void);
void checksum_add(Checksum *c, const void *bytes, size_t size);
uint64_t checksum_end(const Checksum *c);

#endif
