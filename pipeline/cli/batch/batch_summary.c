/* See batch_summary.h. */
#include "pipeline/cli/batch/batch_summary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void batch_summary_fail(BatchSummary *s, const BatchJob *job, const char *stage, const Error *cause)
{
    Json *json = &s->failures;
    if (!json->stream) {
        *json = json_spaced(open_memstream(&s->text, &s->size));
        json->depth = 1; /* inside the list */
    }
    if (!json->stream)
        return; /* reported on writing */
    json_line(json, "  ");
    json_open(json, '{');
    json_member_text(json, "source", job->input);
    json_member_text(json, "clip", job->output);
    json_member_text(json, "stage", stage);
    json_member_text(json, "message", cause->text);
    json_member_integer(json, "line", cause->line);
    json_close(json, '}');
}

void batch_summary_add(BatchSummary *s, const BatchJob *job, const BatchReply *reply)
{
    int place = s->slow_count;
    s->written += reply->size;
    while (place > 0 && s->slow[place - 1].seconds < reply->seconds)
        place--;
    if (place == SLOWEST)
        return;
    s->slow_count += s->slow_count < SLOWEST;
    for (int i = s->slow_count - 1; i > place; i--)
        s->slow[i] = s->slow[i - 1];
    s->slow[place] = (SlowClip){job->input, job->output, reply->seconds, reply->frames};
}

static void put_seconds(const char *key, double seconds, Json *json)
{
    json_key(json, key);
    json_print(json, "%.3f", seconds);
}

static void put_slowest(const BatchSummary *s, Json *json)
{
    json_line(json, " ");
    json_member_open(json, "slowest", '[');
    for (int i = 0; i < s->slow_count; i++) {
        json_line(json, "  ");
        json_open(json, '{');
        json_member_text(json, "source", s->slow[i].source);
        json_member_text(json, "clip", s->slow[i].clip);
        put_seconds("processor_seconds", s->slow[i].seconds, json);
        json_member_integer(json, "frames", s->slow[i].frames);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_disk(const BatchSummary *s, const BatchCounts *c, Json *json)
{
    json_line(json, " ");
    json_member_open(json, "disk", '{');
    json_member_integer(json, "written", s->written);
    json_member_integer(json, "index", c->index);
    json_member_integer(json, "free", c->free);
    json_close(json, '}');
}

static void put_warnings(const BatchRemarks *remarks, Json *json)
{
    json_line(json, " ");
    json_member_open(json, "warnings", '{');
    for (int i = 0; i < remarks->count; i++)
        if (remarks->kind[i].sort == REMARK_WARNING)
            json_member_integer(json, remarks->kind[i].name, (long long)remarks->kind[i].clips);
    json_close(json, '}');
}

static void put_unsure(const BatchRemarks *remarks, Json *json)
{
    json_line(json, " ");
    json_member_integer(json, "unsure", (long long)remarks->unsure);
    json_member_open(json, "unsure_decisions", '{');
    for (int i = 0; i < DECISION_COUNT; i++)
        if (remarks->unsure_of[i])
            json_member_integer(json, decision_name(i), (long long)remarks->unsure_of[i]);
    json_close(json, '}');
}

static void put_counts(const BatchSummary *s, const BatchCounts *c, FILE *stream)
{
    Json json = json_spaced(stream);
    json_open(&json, '{');
    json_member_integer(&json, "done", (long long)c->done);
    json_member_integer(&json, "with_warnings", (long long)c->remarks->warned);
    json_member_integer(&json, "unchanged", (long long)c->unchanged);
    json_member_integer(&json, "failed", (long long)c->failed);
    json_member_integer(&json, "stale", s->stale);
    json_member_integer(&json, "lost", (long long)s->lost);
    json_member_integer(&json, "pruned", (long long)s->pruned);
    json_member_integer(&json, "frames", c->frames);
    put_seconds("seconds", c->seconds, &json);
    put_warnings(c->remarks, &json);
    put_unsure(c->remarks, &json);
    put_slowest(s, &json);
    put_disk(s, c, &json);
    json_line(&json, " ");
    json_key(&json, "failures");
    json_print(&json, "[%s]", s->failures.stream ? s->text : "");
    json_line(&json, " ");
    json_key(&json, "last");
    json_print(&json, "%s", s->last ? s->last : "null");
    json_close(&json, '}');
    putc('\n', stream);
}

/* Reads the summary of the previous call without the one nested in it. The caller frees it; NULL: none. */
static char *last_summary(const char *path)
{
    enum { MAX = 1 << 22 };
    static const char begin[] = "{\"done\": ", older[] = ",\n \"last\": ";
    struct stat info;
    FILE *file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "re") : NULL;
    char *text = file ? calloc(MAX + 1, 1) : NULL;
    size_t size = text ? fread(text, 1, MAX, file) : 0;
    if (file)
        fclose(file);
    char *cut = size < MAX && text && !strncmp(text, begin, strlen(begin)) ? strstr(text, older) : NULL;
    if (!cut) { /* not a summary, or written by a version that did not nest them */
        free(text);
        return NULL;
    }
    strcpy(cut, "}");
    return text;
}

/* Writes the summary under a temporary name. */
static Status make(const BatchSummary *s, const BatchCounts *c, const OutputCall *call, const char *path,
                   OutputFile *file, Error *err)
{
    FILE *stream = NULL;
    Status status = output_file_open(call, path, FILE_JSON, NULL, file, err);
    if (!status)
        status = new_file_stream(&file->file, &stream, err);
    if (status)
        return status;
    put_counts(s, c, stream);
    if (fclose(stream))
        status = error_set(err, STATUS_IO, "%s: cannot write: %s", path, strerror(errno));
    return status;
}

Status batch_summary_write(BatchSummary *s, const BatchCounts *c, const OutputCall *call, const char *path, Error *err)
{
    if (s->failures.stream && (fflush(s->failures.stream) || ferror(s->failures.stream)))
        return error_no_memory(err);
    OutputFile file = OUTPUT_FILE_NONE;
    s->last = last_summary(path);
    Status status = make(s, c, call, path, &file, err);
    if (!status)
        status = output_file_commit(&file, err);
    output_file_discard(&file);
    return status;
}

Status batch_summary_check(const OutputCall *call, const char *path, Error *err)
{
    struct stat there;
    const BatchRemarks none = {0};
    const BatchSummary empty = {0};
    const BatchCounts counts = {.remarks = &none};
    OutputFile file = OUTPUT_FILE_NONE;
    if (lstat(path, &there) || !S_ISREG(there.st_mode))
        return STATUS_OK;
    Status status = make(&empty, &counts, call, path, &file, err);
    if (!status)
        status = output_file_verify(&file, err);
    output_file_discard(&file);
    return status;
}

void batch_summary_free(BatchSummary *s)
{
    if (s->failures.stream)
        fclose(s->failures.stream);
    free(s->text);
    free(s->last);
    *s = (BatchSummary){0};
}
