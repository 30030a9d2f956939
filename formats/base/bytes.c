/* See bytes.h. */
#include "formats/base/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <openssl/evp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/base/arena.h"

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
    static const size_t max = (size_t)1 << 30;
    char piece[PIECE];
    struct stat info;
    size_t got, total = 0;
    int is_file = fstat(fileno(stream), &info) == 0 && S_ISREG(info.st_mode);
    while ((got = fread(piece, 1, sizeof piece, stream)) > 0) {
        total += got;
        if (!is_file && total > max)
            return error_set(err, STATUS_LIMIT, "input exceeds the limit of %zu MB", max >> 20);
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

/* Files that get their name only when complete. */

/* Creates the temporary file with the usual mode, 0666 less the umask: mkstemp permits only the owner to read. */
static int open_temporary(char *name)
{
    mode_t mask = umask(0);
    umask(mask);
    int descriptor = mkostemp(name, O_CLOEXEC);
    if (descriptor >= 0 && fchmod(descriptor, 0666 & ~mask)) {
        close(descriptor);
        unlink(name);
        return -1;
    }
    return descriptor;
}

/* Returns 1 for a device or pipe, which is written to directly: renaming a file to its path would remove it for every
 * process. */
static int is_special(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

int new_file_descriptor(const char *path)
{
    static const struct {
        const char *name;
        int descriptor; /* -1: the descriptor follows the name */
    } names[] = {{"/dev/stdout", 1}, {"/dev/stderr", 2}, {"/dev/fd/", -1}, {"/proc/self/fd/", -1}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i].name);
        const char *number = path + length;
        if (strncmp(path, names[i].name, length) != 0)
            continue;
        if (names[i].descriptor >= 0 ? !*number : *number && number[strspn(number, "0123456789")] == 0)
            return names[i].descriptor >= 0 ? names[i].descriptor : (int)strtol(number, NULL, 10);
    }
    return -1;
}

static Status open_special(const char *path, NewFile *out, Error *err)
{
    int descriptor = new_file_descriptor(path);
    out->descriptor = descriptor >= 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0) : open(path, O_WRONLY | O_CLOEXEC);
    return out->descriptor >= 0 ? STATUS_OK : error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
}

int new_file_is_special(const char *path)
{
    return new_file_descriptor(path) >= 0 || is_special(path);
}

Status new_file_open(const char *path, NewFile *out, Error *err)
{
    *out = (NewFile){.descriptor = -1};
    if (new_file_is_special(path))
        return open_special(path, out, err);
    NewFile file = {.descriptor = -1, .path = strdup(path)};
    if (!file.path || asprintf(&file.temporary, "%s.XXXXXX", path) < 0) {
        free(file.path);
        return error_no_memory(err);
    }
    file.descriptor = open_temporary(file.temporary);
    if (file.descriptor < 0) {
        error_set(err, STATUS_IO, "cannot create: %s", strerror(errno));
        free(file.path);
        free(file.temporary);
        return STATUS_IO;
    }
    *out = file;
    return STATUS_OK;
}

Status new_file_open_as(const char *path, const char *temporary, NewFile *out, Error *err)
{
    *out = (NewFile){.descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (out->descriptor < 0)
        return error_set(err, STATUS_IO, "%s: cannot create: %s", temporary, strerror(errno));
    out->path = strdup(path);
    out->temporary = strdup(temporary);
    if (out->path && out->temporary)
        return STATUS_OK;
    new_file_discard(out);
    unlink(temporary);
    return error_no_memory(err);
}

Status new_file_stream(const NewFile *file, FILE **stream, Error *err)
{
    int descriptor = dup(file->descriptor);
    *stream = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (*stream)
        return STATUS_OK;
    error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    return STATUS_IO;
}

Status new_file_commit(NewFile *file, Error *err)
{
    int failed = fsync(file->descriptor) && errno != EINVAL, reason = errno; /* EINVAL: does not support fsync */
    if (close(file->descriptor) && !failed) {
        failed = 1;
        reason = errno;
    }
    file->descriptor = -1;
    if (!failed && file->temporary && rename(file->temporary, file->path)) {
        failed = 1;
        reason = errno;
    }
    if (failed)
        error_set(err, STATUS_IO, "cannot write: %s", strerror(reason));
    else if (file->temporary)
        file->temporary[0] = 0;
    new_file_discard(file);
    return failed ? STATUS_IO : STATUS_OK;
}

void new_file_leave(NewFile *file)
{
    if (file->temporary)
        file->temporary[0] = 0;
    new_file_discard(file);
}

void new_file_discard(NewFile *file)
{
    if (file->descriptor >= 0)
        close(file->descriptor);
    if (file->temporary && *file->temporary)
        unlink(file->temporary);
    free(file->path);
    free(file->temporary);
    *file = (NewFile){.descriptor = -1};
}

void file_reserve(const char *path, long long bytes)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    (void)posix_fallocate(file, 0, bytes);
    close(file);
}

Status write_pieces_fully(int descriptor, struct iovec *piece, int count, Error *err)
{
    while (count > 0) {
        ssize_t written = writev(descriptor, piece, count < IOV_MAX ? count : IOV_MAX);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
        for (; count > 0 && (size_t)written >= piece->iov_len; piece++, count--)
            written -= (ssize_t)piece->iov_len;
        if (count > 0) {
            piece->iov_base = (char *)piece->iov_base + written;
            piece->iov_len -= (size_t)written;
        }
    }
    return STATUS_OK;
}
