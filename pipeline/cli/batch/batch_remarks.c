/* See batch.h. */
#include "pipeline/cli/batch/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "formats/base/bytes.h"
#include "pipeline/cli/message.h"

/* By sort, then by name. */
static int compare(const RemarkKind *kind, const char *name, RemarkSort sort)
{
    return kind->sort != sort ? (int)kind->sort - (int)sort : strcmp(kind->name, name);
}

/* Returns the kind, inserted in sort order, which does not depend on the order of clips. NULL without memory. */
static RemarkKind *find_kind(BatchRemarks *remarks, const char *words, size_t length, RemarkSort sort)
{
    RemarkKind new_kind = {.sort = sort};
    int at = 0, order = 1;
    snprintf(new_kind.name, sizeof new_kind.name, "%.*s", (int)length, words);
    while (at < remarks->count && (order = compare(&remarks->kind[at], new_kind.name, sort)) < 0)
        at++;
    if (at < remarks->count && order == 0)
        return &remarks->kind[at];
    if (!array_grow(&remarks->kind, remarks->count, sizeof *remarks->kind))
        return NULL;
    memmove(&remarks->kind[at + 1], &remarks->kind[at], (size_t)(remarks->count - at) * sizeof *remarks->kind);
    remarks->count++;
    remarks->kind[at] = new_kind;
    return &remarks->kind[at];
}

/* Returns whether words begins with a position, as in "12:3: message"; the path precedes it. */
static int begins_with_place(const char *words)
{
    size_t line = strspn(words, "0123456789");
    return line > 0 && words[line] == ':' && strspn(words + line + 1, "0123456789") > 0;
}

/* Keeps the first lines in alphabetical order, independent of the order of clips. Takes ownership of line. */
static void keep_line(RemarkKind *kind, char *line)
{
    size_t at = kind->shown;
    while (at > 0 && strcmp(kind->line[at - 1], line) > 0)
        at--;
    if (at == REMARKS_SHOWN) {
        free(line);
        return;
    }
    if (kind->shown == REMARKS_SHOWN)
        free(kind->line[--kind->shown]);
    memmove(&kind->line[at + 1], &kind->line[at], (kind->shown - at) * sizeof *kind->line);
    kind->line[at] = line;
    kind->shown++;
}

/* words has length characters. */
static Status add(BatchRemarks *remarks, RemarkKind *kind, const char *source, const char *words, int length,
                  Error *err)
{
    char *line;
    const char *colon = length == 0 ? "" : begins_with_place(words) ? ":" : ": ";
    if (!kind)
        return error_no_memory(err);
    kind->clips += kind->last != remarks->seen;
    kind->last = remarks->seen;
    if (asprintf(&line, "%s%s%.*s", source, colon, length, words) < 0)
        return error_no_memory(err);
    keep_line(kind, line);
    return STATUS_OK;
}

static void count_unsure(BatchRemarks *remarks, const ClipStats *stats)
{
    remarks->unsure += *stats->metrics.unsure != 0;
    for (int i = 0; i < DECISION_COUNT && *stats->metrics.unsure; i++)
        remarks->unsure_of[i] += decision_value(&stats->confidence, i) < DECISION_UNSURE;
}

Status batch_remarks_add(BatchRemarks *remarks, const char *source, const ClipStats *stats, Error *err)
{
    const char *line = clip_stats_text(stats, stats->warnings), *unsure = stats->metrics.unsure;
    Status status = STATUS_OK;
    remarks->seen++;
    remarks->warned += *line != 0;
    count_unsure(remarks, stats);
    while (*line && !status) {
        size_t length = strcspn(line, "\n");
        const char *words = strstr(line, ": ");
        if (words && words < line + length)
            status = add(remarks, find_kind(remarks, line, (size_t)(words - line), REMARK_WARNING), source,
                         words + 2, (int)(line + length - words - 2), err);
        line += length + (line[length] == '\n');
    }
    if (!status && *unsure)
        status = add(remarks, find_kind(remarks, unsure, strlen(unsure), REMARK_UNSURE), source, "", 0, err);
    return status;
}

Status batch_remarks_fail(BatchRemarks *remarks, const char *source, const char *stage, const char *words, Error *err)
{
    remarks->seen++;
    return add(remarks, find_kind(remarks, stage, strlen(stage), REMARK_FAILURE), source, words, (int)strlen(words),
               err);
}

void batch_remarks_tell(const BatchRemarks *remarks)
{
    for (int i = 0; i < remarks->count; i++) {
        static const char *const words[] = {"warning: ", "warning: uncertain ", "failed in "};
        const RemarkKind *kind = &remarks->kind[i];
        message_note("batch", NULL, "%s%s: %zu %s%s", words[kind->sort], kind->name, kind->clips,
                     kind->clips == 1 ? "clip" : "clips", kind->clips > kind->shown ? ", the first:" : ":");
        for (size_t k = 0; k < kind->shown; k++)
            message_note("batch", NULL, "  %s", kind->line[k]);
    }
}

void batch_remarks_free(BatchRemarks *remarks)
{
    for (int i = 0; i < remarks->count; i++)
        for (size_t k = 0; k < remarks->kind[i].shown; k++)
            free(remarks->kind[i].line[k]);
    free(remarks->kind);
    *remarks = (BatchRemarks){0};
}

/* Progress of a batch. */

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

static void show_bar(const BatchProgress *p, const char *rate, double elapsed, const char *left, const char *within)
{
    char bar[BAR_WIDTH + 1];
    size_t filled = p->total ? p->done * BAR_WIDTH / p->total : BAR_WIDTH;
    for (size_t i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[BAR_WIDTH] = 0;
    fprintf(stderr, "\r[%s] %zu/%zu  %s clips/s  %.0f frames/s  %s left%s%s\033[K", bar, p->done, p->total, rate,
            (double)p->frames / elapsed, left, *within ? "  " : "", within);
}

/* Shows the progress if it is due: on a terminal a bar with rate and remaining time, otherwise a line. */
void batch_progress_show(BatchProgress *p, const char *within)
{
    double now = batch_clock(), elapsed = now - p->start;
    char left[32] = "?", rate[32];
    if (now - p->shown < (p->terminal ? terminal_interval : plain_interval))
        return;
    p->shown = now;
    if (p->done)
        format_duration(elapsed * (double)(p->total - p->done) / (double)p->done, left, sizeof left);
    format_rate((double)p->done / elapsed, rate, sizeof rate);
    if (p->terminal)
        show_bar(p, rate, elapsed, left, within);
    else
        fprintf(stderr, "kane batch: %zu of %zu, %s clips/s, %.0f frames/s, %s left%s%s\n", p->done, p->total, rate,
                (double)p->frames / elapsed, left, *within ? "; " : "", within);
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
