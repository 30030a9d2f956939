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

#include <hdf5.h>

/* Limits of the child: processor time at least, bytes of image a second beyond it, and memory beyond what it starts
 * with. A layout takes milliseconds; the time is for compressed containers. */
enum { CHILD_MICROSECONDS = 500000, CHILD_BYTES_PER_SECOND = 4 << 20 };
static const rlim_t child_memory = (rlim_t)1 << 30;

/* What the child sends before the scratch bytes. */
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
    /* A handler of the parent's program must not catch the crash, or the end, and go on in the child. */
    const int crashes[] = {SIGPROF, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU, SIGTERM, SIGHUP, SIGINT};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        signal(crashes[i], SIG_DFL);
    setitimer(ITIMER_PROF, &timer, NULL); /* processor time, finer than the whole seconds of RLIMIT_CPU */
    setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds + 1});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (in_use > 0)
        setrlimit(RLIMIT_AS, &(struct rlimit){memory, memory});
    int null = open("/dev/null", O_WRONLY); /* the C library's last words about a broken heap */
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
    if (write_all(fd, &verdict, sizeof verdict) == 0 && verdict.status == STATUS_OK)
        write_all(fd, scratch.bytes, scratch.size);
    _exit(0);
}

/* Receives the child's words; STATUS_BAD_INPUT where it died over them. */
static Status receive(int fd, Verdict *verdict, Scratch *scratch, Error *err)
{
    if (read_all(fd, verdict, sizeof *verdict))
        return error_set(err, STATUS_BAD_INPUT, "the container is damaged");
    if (verdict->status) {
        if (err)
            *err = verdict->error;
        return verdict->status;
    }
    scratch->size = verdict->scratch_size;
    if (!(scratch->bytes = malloc(scratch->size ? scratch->size : 1)))
        return error_no_memory(err);
    if (read_all(fd, scratch->bytes, scratch->size))
        return error_set(err, STATUS_BAD_INPUT, "the container is damaged");
    return STATUS_OK;
}

Status container_guard(const ContainerImage *image, GuardedWork work, const void *wish, ContainerLayout *layout,
                       Scratch *scratch, Error *err)
{
    Verdict verdict = {0};
    *scratch = (Scratch){0};
    int ends[2];
    if (H5open() < 0) /* once here, so that no child has to start the library */
        return error_set(err, STATUS_INTERNAL, "HDF5 does not start");
    if (pipe2(ends, O_CLOEXEC))
        return error_set(err, STATUS_IO, "no pipe for reading the container: %s", strerror(errno));
    pid_t child = fork();
    if (child < 0) {
        close(ends[0]);
        close(ends[1]);
        return error_set(err, STATUS_IO, "no process for reading the container: %s", strerror(errno));
    }
    if (child == 0)
        run_child(image, work, wish, ends[1]);
    close(ends[1]);
    Status status = receive(ends[0], &verdict, scratch, err);
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
