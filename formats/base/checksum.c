#include "formats/base/checksum.h"

#include <string.h>

#define PRIME_1 UINT64_C(0x9E3779B185EBCA87)
#define PRIME_2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define PRIME_3 UINT64_C(0x165667B19E3779F9)
#define PRIME_4 UINT64_C(0x85EBCA77C2B2AE63)
#define PRIME_5 UINT64_C(0x27D4EB2F165667C5)

static uint64_t turn(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static uint64_t mix(uint64_t lane, uint64_t input)
{
    return turn(lane + input * PRIME_2, 31) * PRIME_1;
}

/* Whole blocks; little-endian, as container_encode.c asks of the machine. */
static void take_blocks(uint64_t lane[4], const unsigned char *bytes, size_t blocks)
{
    uint64_t a = lane[0], b = lane[1], c = lane[2], d = lane[3];
    for (; blocks > 0; blocks--, bytes += CHECKSUM_BLOCK) {
        uint64_t word[4];
        memcpy(word, bytes, sizeof word);
        a = mix(a, word[0]);
        b = mix(b, word[1]);
        c = mix(c, word[2]);
        d = mix(d, word[3]);
    }
    lane[0] = a, lane[1] = b, lane[2] = c, lane[3] = d;
}

Checksum checksum_begin(void)
{
    return (Checksum){.lane = {PRIME_1 + PRIME_2, PRIME_2, 0, -PRIME_1}};
}

void checksum_add(Checksum *c, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    size_t held = c->total % CHECKSUM_BLOCK, blocks;
    c->total += size;
    if (held + size < CHECKSUM_BLOCK) {
        memcpy(c->rest + held, at, size);
        return;
    }
    if (held > 0) {
        size_t part = CHECKSUM_BLOCK - held;
        memcpy(c->rest + held, at, part);
        take_blocks(c->lane, c->rest, 1);
        at += part;
        size -= part;
    }
    blocks = size / CHECKSUM_BLOCK;
    take_blocks(c->lane, at, blocks);
    memcpy(c->rest, at + blocks * CHECKSUM_BLOCK, size % CHECKSUM_BLOCK);
}

static uint64_t join_lanes(const Checksum *c)
{
    if (c->total < CHECKSUM_BLOCK)
        return PRIME_5;
    uint64_t sum = turn(c->lane[0], 1) + turn(c->lane[1], 7) + turn(c->lane[2], 12) + turn(c->lane[3], 18);
    for (int i = 0; i < 4; i++)
        sum = (sum ^ mix(0, c->lane[i])) * PRIME_1 + PRIME_4;
    return sum;
}

uint64_t checksum_end(const Checksum *c)
{
    uint64_t sum = join_lanes(c) + c->total, word;
    const unsigned char *at = c->rest, *end = at + c->total % CHECKSUM_BLOCK;
    uint32_t half;
    for (; end - at >= 8; at += 8) {
        memcpy(&word, at, sizeof word);
        sum = turn(sum ^ mix(0, word), 27) * PRIME_1 + PRIME_4;
    }
    if (end - at >= 4) {
        memcpy(&half, at, sizeof half);
        sum = turn(sum ^ half * PRIME_1, 23) * PRIME_2 + PRIME_3;
        at += 4;
    }
    for (; at < end; at++)
        sum = turn(sum ^ *at * PRIME_5, 11) * PRIME_1;
    sum = (sum ^ sum >> 33) * PRIME_2;
    sum = (sum ^ sum >> 29) * PRIME_3;
    return sum ^ sum >> 32;
}
