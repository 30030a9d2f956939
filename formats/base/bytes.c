#include "formats/base/bytes.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/base/memory.h"

#define FIRST_CAPACITY ((size_t)1 << 16)

static Status cannot_read(int number, Error *err)
{
    error_set(err, STATUS_IO, "cannot read: %s", strerror(number));
    return STATUS_IO; /* in plain sight of an analyser */
}

/* Room for a regular file in one piece, with a byte to see its end and one for the NUL. */
static size_t first_capacity(FILE *stream)
{
    struct stat info;
    if (fstat(fileno(stream), &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0)
        return (size_t)info.st_size + 2;
    return FIRST_CAPACITY;
}

Status bytes_read_stream(FILE *stream, char **bytes, size_t *size, Error *err)
{
    size_t capacity = first_capacity(stream), used = 0;
    char *buffer = malloc(capacity);
    if (!buffer)
        return error_no_memory(err);
    memory_prefer_huge_pages(buffer, capacity);
    for (;;) {
        used += fread(buffer + used, 1, capacity - 1 - used, stream);
        if (used < capacity - 1)
            break;
        char *larger = capacity <= (size_t)-1 / 2 ? realloc(buffer, 2 * capacity) : NULL;
        if (!larger) {
            free(buffer);
            return error_no_memory(err);
        }
        buffer = larger;
        capacity *= 2;
    }
    if (ferror(stream)) {
        int number = errno;
        free(buffer);
        return cannot_read(number, err);
    }
    buffer[used] = 0;
    *bytes = buffer;
    *size = used;
    return STATUS_OK;
}

Status bytes_read_path(const char *path, char **bytes, size_t *size, Error *err)
{
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return cannot_read(errno, err);
    Status status = bytes_read_stream(stream, bytes, size, err);
    fclose(stream);
    return status;
}

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
