/* LD_PRELOAD shim: the n-th call that changes a file fails, counted over all processes that share FAIL_IO_STATE.
 *
 * FAIL_IO_STATE  8-byte file that counts the calls: one 64-bit integer, created as zeros by the test
 *   FAIL_IO_AT     number of the call that fails, from 1; 0: only count
 *   FAIL_IO_ERRNO  the error; default ENOSPC
 *   FAIL_IO_FROM   1: that call and all later ones fail, like a disk that stays full
 *
 * Excluded are standard error, which tests read, and flushing an empty standard output. Writes inside stdio bypass the
 * shim, except the final fflush; the full-disk test covers the others. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static _Atomic int64_t *counter;
static int64_t fail_at;
static int fail_errno = ENOSPC, fail_from;

__attribute__((constructor)) static void read_environment(void)
{
    const char *state = getenv("FAIL_IO_STATE"), *at = getenv("FAIL_IO_AT"), *code = getenv("FAIL_IO_ERRNO");
    int file = state ? open(state, O_RDWR | O_CLOEXEC) : -1;
    fail_at = at ? atoll(at) : 0;
    fail_errno = code ? atoi(code) : ENOSPC;
    fail_from = getenv("FAIL_IO_FROM") != NULL;
    if (file < 0)
        return;
    void *shared = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    counter = shared == MAP_FAILED ? NULL : shared;
}

/* Counts a call; returns 1 if it must fail. */
static int fails(void)
{
    if (!counter)
        return 0;
    int64_t number = atomic_fetch_add(counter, 1) + 1;
    if (!fail_at || number < fail_at || (number > fail_at && !fail_from))
        return 0;
    errno = fail_errno;
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void *bytes, size_t size)
{
    return file != STDERR_FILENO && fails() ? -1 : REAL(write)(file, bytes, size);
}

ssize_t writev(int file, const struct iovec *part, int count)
{
    return file != STDERR_FILENO && fails() ? -1 : REAL(writev)(file, part, count);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at)
{
    return fails() ? -1 : REAL(pwrite)(file, bytes, size, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at)
{
    return fails() ? -1 : REAL(pwrite64)(file, bytes, size, at);
}

int fflush(FILE *stream)
{
    return stream && stream != stderr && stream != stdout && fails() ? EOF : REAL(fflush)(stream);
}

int ftruncate(int file, off_t size)
{
    return fails() ? -1 : REAL(ftruncate)(file, size);
}

int ftruncate64(int file, off64_t size)
{
    return fails() ? -1 : REAL(ftruncate64)(file, size);
}

int fsync(int file)
{
    return fails() ? -1 : REAL(fsync)(file);
}

int fdatasync(int file)
{
    return fails() ? -1 : REAL(fdatasync)(file);
}

int syncfs(int file)
{
    return fails() ? -1 : REAL(syncfs)(file);
}

int rename(const char *from, const char *to)
{
    return fails() ? -1 : REAL(rename)(from, to);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    return fails() ? -1 : REAL(linkat)(from_folder, from, to_folder, to, flags);
}

int mkdir(const char *path, mode_t mode)
{
    return fails() ? -1 : REAL(mkdir)(path, mode);
}

int mkostemp(char *name, int flags)
{
    return fails() ? -1 : REAL(mkostemp)(name, flags);
}

int fchmod(int file, mode_t mode)
{
    return fails() ? -1 : REAL(fchmod)(file, mode);
}
