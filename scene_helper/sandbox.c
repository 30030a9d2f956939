/* See sandbox.h. Linux: seccomp(2), setrlimit(2), Documentation/userspace-api/seccomp_filter.rst. */
#include "scene_helper/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* A sanitizer opens files and starts threads of its own, and reserves terabytes of address space. */
#if defined(__SANITIZE_ADDRESS__) || !defined(ARCHITECTURE)
enum { HAS_FILTER = 0 };
#else
enum { HAS_FILTER = 1 };
#endif

static size_t address_space_in_use(void)
{
    char line[128] = "";
    FILE *stream = fopen("/proc/self/statm", "re");
    unsigned long long pages = stream && fgets(line, sizeof line, stream) ? strtoull(line, NULL, 10) : 0;
    if (stream)
        fclose(stream);
    return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

static int limit(int resource, rlim_t value)
{
    return setrlimit((__rlimit_resource_t)resource, &(struct rlimit){value, value});
}

static int limit_resources(size_t megabytes, unsigned seconds)
{
    rlim_t memory = address_space_in_use() + ((rlim_t)megabytes << 20);
    if (limit(RLIMIT_AS, memory) || limit(RLIMIT_CPU, seconds) || limit(RLIMIT_FSIZE, 0) || limit(RLIMIT_CORE, 0))
        return -1;
    return limit(RLIMIT_NOFILE, 0);
}

#ifdef ARCHITECTURE

#define OF(member) offsetof(struct seccomp_data, member)
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (offset))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, (action))
#define ALLOW(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), RETURN(SECCOMP_RET_ALLOW)
/* Allowed without PROT_EXEC: protection is the third argument, in the low word of little-endian processors. */
#define ALLOW_DATA(call) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4), LOAD(OF(args[2])), \
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0), RETURN(SECCOMP_RET_ALLOW), \
    RETURN(SECCOMP_RET_ERRNO | EPERM)

static int filter_calls(void)
{
    static struct sock_filter program[] = {
        LOAD(OF(arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_KILL),
        LOAD(OF(nr)),
        ALLOW_DATA(mmap),
        ALLOW_DATA(mprotect),
        ALLOW(write),
        ALLOW(munmap),
        ALLOW(mremap),
        ALLOW(madvise),
        ALLOW(brk),
        ALLOW(futex),
        ALLOW(getrandom),
        ALLOW(clock_gettime),
        ALLOW(sched_yield),
        ALLOW(getpid),
        ALLOW(gettid),
        ALLOW(tgkill), /* abort */
        ALLOW(rt_sigprocmask),
        ALLOW(rt_sigaction),
        ALLOW(rt_sigreturn),
        ALLOW(exit),
        ALLOW(exit_group),
        RETURN(SECCOMP_RET_ERRNO | EPERM),
    };
    const struct sock_fprog filter = {sizeof program / sizeof *program, program};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

#else

static int filter_calls(void) { return -1; }

#endif

int sandbox_enter(size_t megabytes, unsigned seconds)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC); /* hides messages of the C library on heap corruption */
    if (HAS_FILTER && null >= 0)
        dup2(null, STDERR_FILENO);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || limit_resources(megabytes, seconds))
        return -1;
    return HAS_FILTER && filter_calls() && errno != EINVAL && errno != ENOSYS ? -1 : 0;
}
