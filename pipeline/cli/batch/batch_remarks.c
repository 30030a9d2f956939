/* See batch_remarks.h. */
#include "pipeline/cli/batch/batch_remarks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
