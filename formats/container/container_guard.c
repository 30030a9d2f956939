/* See container_guard.h. */
#include "formats/container/container_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "formats/base/hdf5_calls.h"

/* Limits of the child: minimum processor time, bytes of image per second beyond that, and memory beyond what it starts
 * with. A layout takes milliseconds; the time is for compressed files. */
enum { CHILD_MICROSECONDS = 500000, CHILD_BYTES_PER_SECOND = 4 << 20 };
static const rlim_t child_memory = (rlim_t)1 << 30;

/* Sent by the child before the scratch bytes. */
typedef struct Verdict {
    Status status;
    Error error;
    ContainerLayout layout;
    uint64_t scratch_size;
} Verdict;

static rlim_t address_space_in_use(void)
{
    char line[128] = "";
    FILE *stream = fopen("/proc/self/statm", "r");
    if (!stream)
        return 0;
    unsigned long long pages = fgets(line, sizeof line, stream) ? strtoull(line, NULL, 10) : 0;
    fclose(stream);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void limit_child(size_t image_size)
{
    long long budget = CHILD_MICROSECONDS + (long long)image_size * 1000000 / CHILD_BYTES_PER_SECOND;
    rlim_t seconds = (rlim_t)(budget / 1000000) + 1, in_use = address_space_in_use();
    rlim_t memory = in_use + child_memory + 8 * (rlim_t)image_size;
    struct itimerval timer = {.it_value = {budget / 1000000, budget % 1000000}};
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* Signal handlers of the host program must not run in the child. */
    const int crashes[] = {SIGPROF, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU, SIGTERM, SIGHUP, SIGINT};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        signal(crashes[i], SIG_DFL);
    setitimer(ITIMER_PROF, &timer, NULL); /* processor time, finer than RLIMIT_CPU with its whole seconds */
    setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds + 1});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (in_use > 0)
        setrlimit(RLIMIT_AS, &(struct rlimit){memory, memory});
    int null = open("/dev/null", O_WRONLY); /* hides messages of the C library on heap corruption */
    if (null >= 0)
        dup2(null, STDERR_FILENO);
}

static int write_all(int fd, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t written = write(fd, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return -1;
        at += written;
        size -= (size_t)written;
    }
    return 0;
}

static int read_all(int fd, void *bytes, size_t size)
{
    char *at = bytes;
    while (size > 0) {
        ssize_t got = read(fd, at, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return -1;
        at += got;
        size -= (size_t)got;
    }
    return 0;
}

static void run_child(const ContainerImage *image, GuardedWork work, const void *wish, int fd)
{
    Verdict verdict;
    Scratch scratch = {0};
    memset(&verdict, 0, sizeof verdict);
    limit_child(image->size);
    verdict.status = work(image, wish, &verdict.layout, &scratch, &verdict.error);
    verdict.scratch_size = scratch.size;
    if (write_all(fd, &verdict, sizeof verdict) == 0 && !verdict.status)
        write_all(fd, scratch.bytes, scratch.size);
    _exit(0);
}

/* Receives the child's result; STATUS_BAD_INPUT if the child died. */
static Status receive(int fd, Verdict *verdict, Scratch *scratch, Error *err)
{
    if (read_all(fd, verdict, sizeof *verdict))
        return error_set(err, STATUS_BAD_INPUT, "the clip file is damaged");
    if (verdict->status) {
        if (err)
            *err = verdict->error;
        return verdict->status;
    }
    scratch->size = verdict->scratch_size;
    if (!(scratch->bytes = malloc(scratch->size ? scratch->size : 1)))
        return error_no_memory(err);
    if (read_all(fd, scratch->bytes, scratch->size))
        return error_set(err, STATUS_BAD_INPUT, "the clip file is damaged");
    return STATUS_OK;
}

Status container_guard(const ContainerImage *image, GuardedWork work, const void *wish, ContainerLayout *layout,
                       Scratch *scratch, Error *err)
{
    Verdict verdict = {0};
    *scratch = (Scratch){0};
    int ends[2];
    Status status = hdf5_load(err); /* once in the parent, so that children need not */
    if (status)
        return status;
    if (pipe2(ends, O_CLOEXEC))
        return error_set(err, STATUS_IO, "cannot create a pipe for reading the clip file: %s", strerror(errno));
    pid_t child = fork();
    if (child < 0) {
        close(ends[0]);
        close(ends[1]);
        return error_set(err, STATUS_IO, "cannot start a process for reading the clip file: %s", strerror(errno));
    }
    if (child == 0)
        run_child(image, work, wish, ends[1]);
    close(ends[1]);
    status = receive(ends[0], &verdict, scratch, err);
    close(ends[0]);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    if (status) {
        free(scratch->bytes);
        *scratch = (Scratch){0};
    }
    *layout = verdict.layout;
    return status;
}
