/* The process that reads FBX and Collada files: what it cannot do. */
#include "scene_helper/sandbox.h"
#include "tests/support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEGABYTES = 64, SECONDS = 1, NOT_ENTERED = 99 };

#ifdef __SANITIZE_ADDRESS__
enum { IS_SANITIZED = 1 }; /* it has no filter of system calls, and reserves more than the limit of memory */
#else
enum { IS_SANITIZED = 0 };
#endif

/* Runs a function in the sandbox; returns the state of its process as waitpid gives it. */
static int run_inside(int (*action)(void))
{
    int state = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(sandbox_enter(MEGABYTES, SECONDS) ? NOT_ENTERED : action());
    assert_int_equal(waitpid(child, &state, 0), child);
    return state;
}

static void assert_returns_zero(int (*action)(void))
{
    if (IS_SANITIZED)
        skip();
    int state = run_inside(action);
    if (!WIFEXITED(state) || WEXITSTATUS(state))
        fail_msg("state %x", (unsigned)state);
}

static int is_refused(int result) { return result < 0 && (errno == EPERM || errno == EMFILE); }

/* Returns 0 if half of the limit can be had and twice the limit cannot. */
static int take_memory(void)
{
    void *most = mmap(NULL, (size_t)MEGABYTES << 19, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *more = mmap(NULL, (size_t)MEGABYTES << 21, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return most == MAP_FAILED ? 1 : more != MAP_FAILED ? 2 : 0;
}

static int open_files(void)
{
    if (!is_refused(open("/etc/hostname", O_RDONLY | O_CLOEXEC)))
        return 1;
    return is_refused(open("written", O_WRONLY | O_CREAT | O_CLOEXEC, 0600)) ? 0 : 2;
}

static int change_files(void)
{
    if (!is_refused(unlink("/tmp/kane-nothing")) || !is_refused(mkdir("/tmp/kane-nothing", 0700)))
        return 1;
    return is_refused(rename("/tmp/kane-nothing", "/tmp/kane-other")) ? 0 : 2;
}

static int reach_others(void)
{
    char *const argv[] = {(char *)"true", NULL};
    if (!is_refused(socket(AF_INET, SOCK_STREAM, 0)) || !is_refused(kill(getppid(), 0)))
        return 1;
    return is_refused(execv("/bin/true", argv)) ? 0 : 2;
}

static int make_code(void)
{
    void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return code == MAP_FAILED && errno == EPERM ? 0 : 1;
}

static int spin(void)
{
    for (volatile uint64_t i = 0;; i++)
        if (i == UINT64_MAX)
            return 1;
}

/* Files that were open before the sandbox keep their bytes. */
static int file_of_before = -1;
static int write_on(void)
{
    signal(SIGXFSZ, SIG_IGN);
    return write(file_of_before, "more", 4) == 4 ? 1 : 0;
}

TEST(memory_is_limited) { assert_returns_zero(take_memory); }

TEST(no_file_can_be_opened_made_or_removed)
{
    assert_returns_zero(open_files);
    assert_returns_zero(change_files);
}

TEST(no_other_process_and_no_network_can_be_reached) { assert_returns_zero(reach_others); }

TEST(no_code_can_be_made) { assert_returns_zero(make_code); }

TEST(time_is_limited)
{
    if (IS_SANITIZED)
        skip();
    int ended = run_inside(spin);
    assert_true(WIFSIGNALED(ended));
    assert_true(WTERMSIG(ended) == SIGXCPU || WTERMSIG(ended) == SIGKILL);
}

TEST(open_files_keep_their_bytes)
{
    struct stat info;
    char name[] = "/tmp/kane-sandbox-XXXXXX";
    file_of_before = mkostemp(name, O_CLOEXEC);
    assert_true(file_of_before >= 0 && write(file_of_before, "text", 4) == 4);
    assert_returns_zero(write_on);
    assert_int_equal(fstat(file_of_before, &info), 0);
    assert_int_equal(info.st_size, 4);
    close(file_of_before);
    unlink(name);
}
