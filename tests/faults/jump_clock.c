/* LD_PRELOAD shim with jumping clocks: each reading of the time of day is off by hours, backwards or forwards; the
 * monotonic clock sometimes advances by a minute, as after a suspend. */
#include <dlfcn.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* A fixed sequence of jumps, s. */
static long jump(void)
{
    static const long seconds[] = {0, 86400, -86400, 7, -3600, 1L << 31, -(1L << 30), 1};
    static unsigned next;
    return seconds[next++ % (sizeof seconds / sizeof *seconds)];
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    static long leapt;
    static unsigned readings;
    int result = REAL(clock_gettime)(clock, now);
    if (result == 0 && clock == CLOCK_REALTIME)
        now->tv_sec += jump();
    if (result == 0 && clock == CLOCK_MONOTONIC)
        now->tv_sec += leapt += readings++ % 16 == 15 ? 60 : 0;
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    int result = REAL(gettimeofday)(now, zone);
    if (result == 0)
        now->tv_sec += jump();
    return result;
}

time_t time(time_t *out)
{
    struct timespec now;
    REAL(clock_gettime)(CLOCK_REALTIME, &now);
    now.tv_sec += jump();
    if (out)
        *out = now.tv_sec;
    return now.tv_sec;
}
