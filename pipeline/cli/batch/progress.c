#include "pipeline/cli/batch/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 24 };

static const double terminal_interval = 0.1; /* s */
static const double plain_interval = 10;     /* s */

double progress_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_start(Progress *p, const char *verb, size_t total)
{
    double now = progress_clock();
    *p = (Progress){.verb = verb, .total = total, .start = now, .shown = now, .terminal = isatty(STDERR_FILENO)};
}

/* "1:02:03", "2:03", "4.5 s" */
static void format_duration(double seconds, char *text, size_t size)
{
    long whole = (long)seconds;
    if (seconds < 60)
        snprintf(text, size, "%.1f s", seconds);
    else if (seconds < 3600)
        snprintf(text, size, "%ld:%02ld", whole / 60, whole % 60);
    else
        snprintf(text, size, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
}

static void show_bar(const Progress *p, double elapsed, const char *left)
{
    char bar[BAR_WIDTH + 1];
    size_t filled = p->total ? p->done * BAR_WIDTH / p->total : BAR_WIDTH;
    for (size_t i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[BAR_WIDTH] = 0;
    fprintf(stderr, "\r[%s] %zu/%zu  %.0f clips/s  %.0f frames/s  %s left\033[K", bar, p->done, p->total,
            (double)p->done / elapsed, (double)p->frames / elapsed, left);
}

void progress_show(Progress *p)
{
    double now = progress_clock(), elapsed = now - p->start;
    char left[32] = "?";
    if (now - p->shown < (p->terminal ? terminal_interval : plain_interval))
        return;
    p->shown = now;
    if (p->done)
        format_duration(elapsed * (double)(p->total - p->done) / (double)p->done, left, sizeof left);
    if (p->terminal)
        show_bar(p, elapsed, left);
    else
        fprintf(stderr, "kane %s: %zu of %zu, %.0f clips/s, %.0f frames/s, %s left\n", p->verb, p->done, p->total,
                (double)p->done / elapsed, (double)p->frames / elapsed, left);
}

void progress_clear(Progress *p)
{
    if (p->terminal) {
        fputs("\r\033[K", stderr);
        p->shown = 0;
    }
}

void progress_finish(Progress *p, size_t unchanged)
{
    double elapsed = progress_clock() - p->start;
    progress_clear(p);
    fprintf(stderr, "kane %s: %zu done, %zu unchanged, %zu failed", p->verb, p->done - p->failed, unchanged, p->failed);
    if (p->frames)
        fprintf(stderr, "; %lld frames in %.2f s, %.0f frames/s", p->frames, elapsed, (double)p->frames / elapsed);
    fputc('\n', stderr);
}
