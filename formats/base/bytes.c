/* See bytes.h. */
#include "formats/base/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/base/arena.h"

/* Largest size of a pipe or device, which may have no end. */
#define ENDLESS_MAX ((size_t)1 << 30)

#define FIRST_CAPACITY ((size_t)1 << 16)

static Status cannot_read(int number, Error *err)
{
    error_set(err, STATUS_IO, "cannot read: %s", strerror(number));
    return STATUS_IO; /* visible to static analysis */
}

/* Returns room for a whole regular file, one byte to detect its end and one for the NUL. */
static size_t first_capacity(FILE *stream, size_t max)
{
    struct stat info;
    if (fstat(fileno(stream), &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0 && (size_t)info.st_size <= max)
        return (size_t)info.st_size + 2;
    return FIRST_CAPACITY;
}

static int is_regular(FILE *stream)
{
    struct stat info;
    return fstat(fileno(stream), &info) == 0 && S_ISREG(info.st_mode);
}

/* Reads to the end of the stream, or until more than `max` bytes are read. */
static Status read_all(FILE *stream, size_t max, char **buffer, size_t *used, Error *err)
{
    size_t capacity = first_capacity(stream, max);
    if (!(*buffer = malloc(capacity)))
        return error_no_memory(err);
    memory_prefer_huge_pages(*buffer, capacity);
    for (;;) {
        *used += fread(*buffer + *used, 1, capacity - 1 - *used, stream);
        if (*used < capacity - 1 || *used > max)
            break;
        size_t room = capacity > max / 2 ? max + 2 : 2 * capacity;   /* no more than needed to detect the excess */
        char *larger = capacity <= (size_t)-1 / 2 ? realloc(*buffer, room) : NULL;
        if (!larger)
            return error_no_memory(err);
        *buffer = larger;
        capacity = room;
    }
    return ferror(stream) ? cannot_read(errno, err) : STATUS_OK;
}

Status bytes_read_stream_max(FILE *stream, size_t max, char **bytes, size_t *size, Error *err)
{
    char *buffer = NULL;
    size_t used = 0;
    if (max > ENDLESS_MAX && !is_regular(stream))
        max = ENDLESS_MAX;
    Status status = read_all(stream, max, &buffer, &used, err);
    if (!status && used > max)
        status = error_set(err, STATUS_LIMIT, "file exceeds the limit of %zu MB", max >> 20);
    if (status) {
        free(buffer);
        return status;
    }
    buffer[used] = 0;
    *bytes = buffer;
    *size = used;
    return STATUS_OK;
}

Status bytes_read_stream(FILE *stream, char **bytes, size_t *size, Error *err)
{
    return bytes_read_stream_max(stream, (size_t)-1, bytes, size, err);
}

Status bytes_read_path_max(const char *path, size_t max, char **bytes, size_t *size, Error *err)
{
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return cannot_read(errno, err);
    Status status = bytes_read_stream_max(stream, max, bytes, size, err);
    fclose(stream);
    return status;
}

Status bytes_read_path(const char *path, char **bytes, size_t *size, Error *err)
{
    return bytes_read_path_max(path, (size_t)-1, bytes, size, err);
}

Status bytes_read_regular(const char *path, char **bytes, size_t *size, Error *err)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    FILE *stream = fd >= 0 ? fdopen(fd, "rb") : NULL;
    if (!stream) {
        Status status = cannot_read(errno, err);
        if (fd >= 0)
            close(fd);
        return status;
    }
    Status status = fstat(fd, &info) == 0 && S_ISREG(info.st_mode)
                        ? bytes_read_stream(stream, bytes, size, err)
                        : error_set(err, STATUS_BAD_INPUT, "is no regular file");
    fclose(stream);
    return status;
}

static void put_digest(const unsigned char *hash, unsigned length, char digest[DIGEST_SIZE])
{
    static const char digit[] = "0123456789abcdef";
    for (unsigned i = 0; i < length && 2 * i + 2 < DIGEST_SIZE; i++) {
        digest[2 * i] = digit[hash[i] >> 4];
        digest[2 * i + 1] = digit[hash[i] & 15];
    }
    digest[DIGEST_SIZE - 1] = 0;
}

Status digest_bytes(const void *bytes, size_t size, char digest[DIGEST_SIZE], Error *err)
{
    unsigned char hash[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    digest[0] = 0;
    if (!EVP_Digest(bytes, size, hash, &length, EVP_sha256(), NULL) || 2 * length + 1 != DIGEST_SIZE)
        return error_set(err, STATUS_INTERNAL, "libcrypto refuses SHA-256");
    put_digest(hash, length, digest);
    return STATUS_OK;
}

/* Adds a stream to the digest; STATUS_LIMIT if a pipe or device exceeds 1 GB. */
static Status digest_stream(FILE *stream, EVP_MD_CTX *context, Error *err)
{
    enum { PIECE = 1 << 16 };
    char piece[PIECE];
    size_t got, total = 0;
    int is_file = is_regular(stream);
    while ((got = fread(piece, 1, sizeof piece, stream)) > 0) {
        total += got;
        if (!is_file && total > ENDLESS_MAX)
            return error_set(err, STATUS_LIMIT, "input exceeds the limit of %zu MB", ENDLESS_MAX >> 20);
        if (!EVP_DigestUpdate(context, piece, got))
            return error_set(err, STATUS_INTERNAL, "libcrypto refuses SHA-256");
    }
    return ferror(stream) ? cannot_read(errno, err) : STATUS_OK;
}

Status digest_path(const char *path, char digest[DIGEST_SIZE], Error *err)
{
    unsigned char hash[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    digest[0] = 0;
    FILE *stream = fopen(path, "rbe");
    if (!stream)
        return cannot_read(errno, err);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    Status status = context && EVP_DigestInit_ex(context, EVP_sha256(), NULL)
                        ? digest_stream(stream, context, err)
                        : error_set(err, STATUS_INTERNAL, "libcrypto refuses SHA-256");
    if (!status && EVP_DigestFinal_ex(context, hash, &length))
        put_digest(hash, length, digest);
    EVP_MD_CTX_free(context);
    fclose(stream);
    return status;
}
