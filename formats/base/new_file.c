#include "formats/base/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* mkstemp makes files that only the owner may read: the usual mode, less the umask, is what the user expects. */
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

/* A device or a pipe stands for itself: a file in its place would take it away from everybody. */
static int is_special(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

int new_file_descriptor(const char *path)
{
    static const struct {
        const char *name;
        int descriptor; /* -1: a number follows the name */
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
    return out->descriptor >= 0 ? STATUS_OK : error_set(err, STATUS_IO, "%s", strerror(errno));
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
        error_set(err, STATUS_IO, "%s", strerror(errno));
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
        return error_set(err, STATUS_IO, "%s: %s", temporary, strerror(errno));
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
    error_set(err, STATUS_IO, "%s", strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    return STATUS_IO;
}

Status new_file_commit(NewFile *file, Error *err)
{
    int failed = fsync(file->descriptor) && errno != EINVAL, reason = errno; /* EINVAL: cannot be synced at all */
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
        error_set(err, STATUS_IO, "%s", strerror(reason));
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

Status write_fully(int descriptor, const void *bytes, size_t size, Error *err)
{
    for (const char *at = bytes; size > 0;) {
        ssize_t written = write(descriptor, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
        at += written;
        size -= (size_t)written;
    }
    return STATUS_OK;
}
