/* SHA-256 as formats/base/bytes.c asks libcrypto for it, in web/sha256.c. */
#ifndef KANE_WEB_EVP_H
#define KANE_WEB_EVP_H

#include <stddef.h>
#include <stdint.h>

enum { EVP_MAX_MD_SIZE = 64 };

typedef struct EVP_MD_CTX {
    uint32_t state[8];
    unsigned char block[64]; /* what waits for the rest of its block */
    uint64_t size;           /* bytes so far */
} EVP_MD_CTX;

typedef struct EVP_MD EVP_MD;

const EVP_MD *EVP_sha256(void); /* NULL: there is no other digest */
EVP_MD_CTX *EVP_MD_CTX_new(void);
void EVP_MD_CTX_free(EVP_MD_CTX *context);
int EVP_DigestInit_ex(EVP_MD_CTX *context, const EVP_MD *digest, void *engine);
int EVP_DigestUpdate(EVP_MD_CTX *context, const void *bytes, size_t size);
int EVP_DigestFinal_ex(EVP_MD_CTX *context, unsigned char *hash, unsigned *length);
int EVP_Digest(const void *bytes, size_t size, unsigned char *hash, unsigned *length, const EVP_MD *digest,
               void *engine);

#endif
