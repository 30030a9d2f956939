#include "pipeline/cli/batch/batch_progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "pipeline/cli/interrupt.h"

static const double terminal_interval = 0.1; /* s, from bar to bar */
static const double plain_interval = 10;     /* s, from line to line */
enum { BAR_WIDTH = 24 };

/* Seconds of a clock that only goes forward. */
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

static void show_bar(const BatchProgress *p, double elapsed, const char *left, const char *within)
{
    char bar[BAR_WIDTH + 1];
    size_t filled = p->total ? p->done * BAR_WIDTH / p->total : BAR_WIDTH;
    for (size_t i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[BAR_WIDTH] = 0;
    fprintf(stderr, "\r[%s] %zu/%zu  %.0f clips/s  %.0f frames/s  %s left%s%s\033[K", bar, p->done, p->total,
            (double)p->done / elapsed, (double)p->frames / elapsed, left, *within ? "  " : "", within);
}

/* Shows where things stand, if it is time: a bar with rate and time left on a terminal, a plain line now and then
 * elsewhere. */
void batch_progress_show(BatchProgress *p, const char *within)
{
    double now = batch_clock(), elapsed = now - p->start;
    char left[32] = "?";
    if (now - p->shown < (p->terminal ? terminal_interval : plain_interval))
        return;
    p->shown = now;
    if (p->done)
        format_duration(elapsed * (double)(p->total - p->done) / (double)p->done, left, sizeof left);
    if (p->terminal)
        show_bar(p, elapsed, left, within);
    else
        fprintf(stderr, "kane batch: %zu of %zu, %.0f clips/s, %.0f frames/s, %s left%s%s\n", p->done, p->total,
                (double)p->done / elapsed, (double)p->frames / elapsed, left, *within ? "; " : "", within);
}

/* Takes the bar off the terminal, so that a message can be printed; the next batch_progress_show draws it again. */
void batch_progress_clear(BatchProgress *p)
{
    if (p->terminal) {
        fputs("\r\033[K", stderr);
        p->shown = 0;
    }
}

/* One last line. */
void batch_progress_finish(BatchProgress *p, size_t unchanged, const BatchRemarks *remarks)
{
    double elapsed = batch_clock() - p->start;
    batch_progress_clear(p);
    batch_remarks_tell(remarks);
    if (interrupt_noted())
        fprintf(stderr, "kane batch: stopped by %s: %zu of %zu are not done; what is done stands, and the next call "
                "goes on with the rest\n", interrupt_name(interrupt_noted()), p->total - p->done, p->total);
    fprintf(stderr, "kane batch: %zu done", p->done - p->failed);
    if (remarks->warned)
        fprintf(stderr, ", %zu with warnings", remarks->warned);
    if (remarks->unsure)
        fprintf(stderr, ", %zu unsure", remarks->unsure);
    fprintf(stderr, ", %zu unchanged, %zu failed", unchanged, p->failed);
    if (p->frames)
        fprintf(stderr, "; %lld frames in %.2f s, %.0f frames/s", p->frames, elapsed, (double)p->frames / elapsed);
    fputc('\n', stderr);
}
