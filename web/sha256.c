/* SHA-256 (FIPS 180-4) with the interface of openssl/evp.h. */
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

enum { BLOCK = 64, LENGTH_AT = 56, WORDS = 64, DIGEST = 32 };

static const uint32_t round_constant[WORDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t x, int by) { return x >> by | x << (32 - by); }

/* The message schedule W of a block (FIPS 180-4, 6.2.2). */
static void expand(const unsigned char *block, uint32_t w[WORDS])
{
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               block[4 * i + 3];
    for (int i = 16; i < WORDS; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) +
               (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
}

static void add_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t w[WORDS], s[8];
    expand(block, w);
    memcpy(s, state, sizeof s);
    for (int i = 0; i < WORDS; i++) {
        uint32_t e = s[4], a = s[0];
        uint32_t t1 = s[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & s[5]) ^ (~e & s[6])) +
                      round_constant[i] + w[i];
        uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        state[i] += s[i];
}

const EVP_MD *EVP_sha256(void)
{
    return NULL;
}

EVP_MD_CTX *EVP_MD_CTX_new(void)
{
    return malloc(sizeof(EVP_MD_CTX));
}

void EVP_MD_CTX_free(EVP_MD_CTX *context)
{
    free(context);
}

int EVP_DigestInit_ex(EVP_MD_CTX *context, const EVP_MD *digest, void *engine)
{
    (void)digest;
    (void)engine;
    *context = (EVP_MD_CTX){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                                      0x1f83d9ab, 0x5be0cd19}};
    return 1;
}

int EVP_DigestUpdate(EVP_MD_CTX *context, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    while (size > 0) {
        size_t used = (size_t)(context->size % BLOCK), part = BLOCK - used < size ? BLOCK - used : size;
        memcpy(context->block + used, at, part);
        context->size += part;
        at += part;
        size -= part;
        if (context->size % BLOCK == 0)
            add_block(context->state, context->block);
    }
    return 1;
}

/* Appends the padding: a 1 bit, zeros and the length in bits. */
int EVP_DigestFinal_ex(EVP_MD_CTX *context, unsigned char *hash, unsigned *length)
{
    static const unsigned char padding[BLOCK] = {0x80};
    unsigned char bits[8];
    for (int i = 0; i < 8; i++)
        bits[i] = (unsigned char)(8 * context->size >> (56 - 8 * i));
    size_t used = (size_t)(context->size % BLOCK);
    EVP_DigestUpdate(context, padding, (used < LENGTH_AT ? LENGTH_AT : LENGTH_AT + BLOCK) - used);
    EVP_DigestUpdate(context, bits, sizeof bits);
    for (int i = 0; i < DIGEST; i++)
        hash[i] = (unsigned char)(context->state[i / 4] >> (24 - 8 * (i % 4)));
    *length = DIGEST;
    return 1;
}

int EVP_Digest(const void *bytes, size_t size, unsigned char *hash, unsigned *length, const EVP_MD *digest,
               void *engine)
{
    EVP_MD_CTX context;
    return EVP_DigestInit_ex(&context, digest, engine) && EVP_DigestUpdate(&context, bytes, size) &&
           EVP_DigestFinal_ex(&context, hash, length);
}
