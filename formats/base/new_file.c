/* See new_file.h. */
#include "formats/base/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

#ifdef O_TMPFILE
/* Opens a file without a name in the folder of path, and sets *name to a path that leads to it while it is open; -1 if
 * the system has none. The caller frees *name. */
static int open_unnamed(const char *path, char **name)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    int descriptor = folder ? open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666) : -1;
    free(folder);
    if (descriptor >= 0 && asprintf(name, "/proc/self/fd/%d", descriptor) >= 0 && access(*name, F_OK) == 0)
        return descriptor;
    if (descriptor >= 0)
        close(descriptor);
    free(*name);
    *name = NULL;
    return -1;
}
#else
static int open_unnamed(const char *path, char **name)
{
    (void)path;
    (void)name;
    return -1;
}
#endif

/* Gives an unnamed file its path, or if that exists a temporary name, to be renamed. Returns 0, or -1 with errno. */
static int link_unnamed(NewFile *file)
{
    char *name = NULL;
    if (linkat(AT_FDCWD, file->temporary, AT_FDCWD, file->path, AT_SYMLINK_FOLLOW) == 0) {
        file->temporary[0] = 0;
        return 0;
    }
    for (unsigned i = 0; errno == EEXIST && i < 1000; i++) {
        free(name);
        if (asprintf(&name, "%s.%06x", file->path, (unsigned)getpid() * 1000 + i) < 0)
            return -1;
        if (linkat(AT_FDCWD, file->temporary, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0) {
            free(file->temporary);
            file->temporary = name;
            file->is_unnamed = 0;
            return 0;
        }
    }
    free(name);
    return -1;
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
    if (file.path && (file.descriptor = open_unnamed(path, &file.temporary)) >= 0) {
        file.is_unnamed = 1;
        *out = file;
        return STATUS_OK;
    }
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
    if (!failed && file->is_unnamed && link_unnamed(file)) {
        failed = 1;
        reason = errno;
    }
    if (close(file->descriptor) && !failed) {
        failed = 1;
        reason = errno;
    }
    file->descriptor = -1;
    if (!failed && file->temporary && *file->temporary && rename(file->temporary, file->path)) {
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
    if (file->temporary && *file->temporary && !file->is_unnamed)
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

/* Writes some of the pieces, so few that scratch_file.h can release pages in between. */
static ssize_t write_some(int descriptor, const struct iovec *piece, int count)
{
    enum { MAX = 16 << 20 };
    size_t size = 0;
    int whole = 0;
    while (whole < count && whole < IOV_MAX && piece[whole].iov_len <= MAX - size)
        size += piece[whole++].iov_len;
    return whole > 0 ? writev(descriptor, piece, whole) : write(descriptor, piece->iov_base, MAX);
}

Status write_pieces_fully(int descriptor, struct iovec *piece, int count, Error *err)
{
    while (count > 0) {
        ssize_t written = write_some(descriptor, piece, count);
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
