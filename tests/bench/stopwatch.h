/* Common to benchmarks: two clocks and the median over rounds. */
#ifndef KANE_TESTS_STOPWATCH_H
#define KANE_TESTS_STOPWATCH_H

#include <stdlib.h>
#include <time.h>

static inline double stopwatch_read(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Wall time, s. */
static inline double wall_seconds(void)
{
    return stopwatch_read(CLOCK_MONOTONIC);
}

/* CPU time of this process, s: less variable on a shared machine. */
static inline double processor_seconds(void)
{
    return stopwatch_read(CLOCK_PROCESS_CPUTIME_ID);
}

static inline int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values in place. */
static inline double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return values[count / 2];
}

#endif
