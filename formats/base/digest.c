#include "formats/base/digest.h"

#include <openssl/evp.h>
#include <stdlib.h>

#include "formats/base/bytes.h"

Status digest_bytes(const void *bytes, size_t size, char digest[DIGEST_SIZE], Error *err)
{
    static const char digit[] = "0123456789abcdef";
    unsigned char hash[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    digest[0] = 0;
    if (!EVP_Digest(bytes, size, hash, &length, EVP_sha256(), NULL) || 2 * length + 1 != DIGEST_SIZE)
        return error_set(err, STATUS_INTERNAL, "libcrypto refuses SHA-256");
    for (unsigned i = 0; i < length; i++) {
        digest[2 * i] = digit[hash[i] >> 4];
        digest[2 * i + 1] = digit[hash[i] & 15];
    }
    digest[2 * length] = 0;
    return STATUS_OK;
}

Status digest_path(const char *path, char digest[DIGEST_SIZE], Error *err)
{
    char *bytes;
    size_t size;
    Status status = bytes_read_path(path, &bytes, &size, err);
    if (status != STATUS_OK)
        return status;
    status = digest_bytes(bytes, size, digest, err);
    free(bytes);
    return status;
}
