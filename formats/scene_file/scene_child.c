/* See scene_child.h. */
#include "formats/scene_file/scene_child.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "formats/scene_file/scene_stream.h"

static const char helper_name[] = "kane-scene";
static const size_t stream_max = (size_t)1 << 30; /* bytes that the helper may return */

/* ---- The program ---- */

/* Writes the folder, with its slash, of the library or program that contains this code. */
static int own_folder(char *folder, size_t size)
{
    Dl_info info;
    char target[PATH_MAX] = "";
    const char *file = dladdr(helper_name, &info) && info.dli_fname && strstr(info.dli_fname, ".so") ? info.dli_fname
                                                                                                   : "/proc/self/exe";
    if (!realpath(file, target))
        return 0;
    char *slash = strrchr(target, '/');
    slash[1] = 0;
    return (size_t)snprintf(folder, size, "%s", target) < size;
}

static int is_program(char *path, size_t size, const char *folder, const char *below)
{
    return (size_t)snprintf(path, size, "%s%s%s", folder, below, helper_name) < size && access(path, X_OK) == 0;
}

static int find_helper(char *path, size_t size)
{
    static const char *const below[] = {"", "../libexec/kane/", "../../libexec/kane/"};
    char folder[PATH_MAX];
    const char *given = secure_getenv("KANE_LIBEXEC");
    if (given && is_program(path, size, given, "/"))
        return 1;
    for (size_t i = 0; own_folder(folder, sizeof folder) && i < sizeof below / sizeof *below; i++)
        if (is_program(path, size, folder, below[i]))
            return 1;
    return 0;
}

/* ---- Its process ---- */

/* Makes an unnamed file of the bytes, from which the helper reads. */
static int make_input(const SourceFile *file)
{
    int fd = memfd_create("scene", MFD_CLOEXEC);
    for (size_t done = 0; fd >= 0 && done < file->size;) {
        ssize_t written = write(fd, file->bytes + done, file->size - done);
        if (written > 0)
            done += (size_t)written;
        else if (written == 0 || errno != EINTR) {
            close(fd);
            fd = -1;
        }
    }
    return fd;
}

static Status start(char *const argv[], int input, int output, pid_t *child, Error *err)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    int failed = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    failed = failed ? failed : posix_spawn(child, argv[0], &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed ? error_set(err, STATUS_IO, "cannot start %s: %s", argv[0], strerror(failed)) : STATUS_OK;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Grows *bytes so that at least 64 KB are free; 0 beyond stream_max. */
static int make_room(char **bytes, size_t size, size_t *capacity)
{
    if (*capacity - size >= 65536)
        return 1;
    size_t grown = *capacity ? 2 * *capacity : 1 << 20;
    char *moved = grown > stream_max ? NULL : realloc(*bytes, grown);
    if (!moved)
        return 0;
    *bytes = moved;
    *capacity = grown;
    return 1;
}

/* Reads the pipe to its end; STATUS_BAD_INPUT if that takes too long or too much. */
static Status receive(int fd, char **bytes, size_t *size, Error *err)
{
    size_t capacity = 0;
    double end = now() + SCENE_CHILD_SECONDS + 1;
    for (;;) {
        struct pollfd waiting = {.fd = fd, .events = POLLIN};
        int left = (int)(1000 * (end - now()));
        if (!make_room(bytes, *size, &capacity))
            return error_set(err, STATUS_LIMIT, "the animation is too large");
        int ready = left > 0 ? poll(&waiting, 1, left) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return error_set(err, STATUS_BAD_INPUT, "reading takes longer than %d s: the file is damaged, or too large",
                             SCENE_CHILD_SECONDS);
        ssize_t got = read(fd, *bytes + *size, capacity - *size);
        if (got == 0)
            return STATUS_OK;
        if (got < 0 && errno != EINTR)
            return error_set(err, STATUS_IO, "cannot read from %s: %s", helper_name, strerror(errno));
        *size += got > 0 ? (size_t)got : 0;
    }
}

/* Waits for the helper; STATUS_BAD_INPUT if it did not end by itself. */
static Status finish(pid_t child, int is_failed, Error *err)
{
    int state = 0;
    if (is_failed)
        kill(child, SIGKILL);
    while (waitpid(child, &state, 0) < 0)
        if (errno != EINTR)
            return STATUS_OK; /* the host program ignores SIGCHLD */
    if (is_failed || (WIFEXITED(state) && WEXITSTATUS(state) == 0))
        return STATUS_OK;
    if (WIFSIGNALED(state) && (WTERMSIG(state) == SIGXCPU || WTERMSIG(state) == SIGKILL))
        return error_set(err, STATUS_BAD_INPUT, "reading takes longer than %d s or is stopped: the file is damaged, or "
                         "too large", SCENE_CHILD_SECONDS);
    return error_set(err, STATUS_BAD_INPUT, "the file is damaged: libassimp ends on it; export it again");
}

static Status run(const SourceFile *file, char *const argv[], char **bytes, size_t *size, Error *err)
{
    int ends[2], input = make_input(file);
    pid_t child = 0;
    if (input < 0 || pipe2(ends, O_CLOEXEC)) {
        int reason = errno;
        if (input >= 0)
            close(input);
        return error_set(err, STATUS_IO, "cannot prepare the reading of a scene: %s", strerror(reason));
    }
    Status status = start(argv, input, ends[1], &child, err);
    close(input);
    close(ends[1]);
    if (!status) {
        status = receive(ends[0], bytes, size, err);
        Status ended = finish(child, status ? 1 : 0, err);
        status = status ? status : ended;
    }
    close(ends[0]);
    return status;
}

Status scene_child_read(const SourceFile *file, const char *format, const char *take, int number, Scene *out,
                        Error *err)
{
    char path[PATH_MAX], which[16], *bytes = NULL;
    size_t size = 0;
    *out = (Scene){0};
    if (!find_helper(path, sizeof path))
        return error_set(err, STATUS_IO, "this format requires the program %s, which is not beside kane: install kane "
                         "completely, or give its folder in KANE_LIBEXEC", helper_name);
    snprintf(which, sizeof which, "%d", number);
    char *argv[] = {path, (char *)format, which, (char *)take, NULL};
    Status status = run(file, argv, &bytes, &size, err);
    if (!status)
        status = scene_stream_read(bytes, size, out, err);
    free(bytes);
    return status;
}
