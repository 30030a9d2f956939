/* See batch_progress.h. */
#include "pipeline/cli/batch/batch_progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double terminal_interval = 0.1; /* s between updates of the bar */
static const double plain_interval = 10;     /* s between lines */
enum { BAR_WIDTH = 24 };

/* Seconds of a monotonic clock. */
double batch_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void batch_progress_start(BatchProgress *p, size_t total)
{
    double now = batch_clock();
    *p = (BatchProgress){.total = total, .start = now, .shown = now, .terminal = isatty(STDERR_FILENO)};
}

/* Formats "1:02:03", "2:03" or "4.5 s". */
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

/* Formats "0.033", "2" or "250": two digits below 10. */
static void format_rate(double rate, char *text, size_t size)
{
    if (rate < 10)
        snprintf(text, size, "%.2g", rate);
    else
        snprintf(text, size, "%.0f", rate);
}

/* Formats ", 1200 frames/s" after separator; "" before the first frame. */
static void format_speed(const BatchProgress *p, double elapsed, const char *separator, char *text, size_t size)
{
    *text = 0;
    if (p->frames > 0 && elapsed > 0)
        snprintf(text, size, "%s%.0f frames/s", separator, (double)p->frames / elapsed);
}

static void show_bar(const BatchProgress *p, const char *rate, double elapsed, const char *left, const char *within)
{
    char bar[BAR_WIDTH + 1], speed[48];
    size_t filled = p->total ? p->done * BAR_WIDTH / p->total : BAR_WIDTH;
    for (size_t i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[BAR_WIDTH] = 0;
    format_speed(p, elapsed, "  ", speed, sizeof speed);
    fprintf(stderr, "\r[%s] %zu/%zu  %s clips/s%s  %s left%s%s\033[K", bar, p->done, p->total, rate, speed,
            left, *within ? "  " : "", within);
}

/* Shows the progress if it is due: on a terminal a bar with rate and remaining time, otherwise a line. */
void batch_progress_show(BatchProgress *p, const char *within)
{
    double now = batch_clock(), elapsed = now - p->start;
    char left[32] = "?", rate[32], speed[48];
    if (now - p->shown < (p->terminal ? terminal_interval : plain_interval))
        return;
    p->shown = now;
    if (p->done)
        format_duration(elapsed * (double)(p->total - p->done) / (double)p->done, left, sizeof left);
    format_rate((double)p->done / elapsed, rate, sizeof rate);
    format_speed(p, elapsed, ", ", speed, sizeof speed);
    if (p->terminal)
        show_bar(p, rate, elapsed, left, within);
    else
        fprintf(stderr, "kane batch: %zu of %zu, %s clips/s%s, %s left%s%s\n", p->done, p->total, rate, speed,
                left, *within ? "; " : "", within);
}

/* Clears the bar for a message; batch_progress_show draws it again. */
void batch_progress_clear(BatchProgress *p)
{
    if (p->terminal) {
        fputs("\r\033[K", stderr);
        p->shown = 0;
    }
}

void batch_progress_finish(BatchProgress *p, size_t unchanged, const BatchRemarks *remarks, const char *stopped)
{
    double elapsed = batch_clock() - p->start;
    batch_progress_clear(p);
    batch_remarks_tell(remarks);
    if (stopped)
        fprintf(stderr, "kane batch: stopped by %s: %zu of %zu not done; run the same command to resume\n", stopped,
                p->total - p->done, p->total);
    fprintf(stderr, "kane batch: %zu done", p->done - p->failed);
    if (remarks->warned)
        fprintf(stderr, ", %zu with warnings", remarks->warned);
    if (remarks->unsure)
        fprintf(stderr, ", %zu uncertain", remarks->unsure);
    fprintf(stderr, ", %zu unchanged, %zu failed", unchanged, p->failed);
    if (p->frames)
        fprintf(stderr, "; %lld frames in %.2f s, %.0f frames/s", p->frames, elapsed, (double)p->frames / elapsed);
    fputc('\n', stderr);
}
