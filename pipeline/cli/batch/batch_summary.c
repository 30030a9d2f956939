#include "pipeline/cli/batch/batch_summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/base/text.h"

void batch_summary_fail(BatchSummary *s, const char *input, const char *stage, const Error *cause)
{
    if (!s->failures)
        s->failures = open_memstream(&s->text, &s->size);
    if (!s->failures)
        return; /* told when it is written */
    fputs(ftell(s->failures) > 0 ? ",\n  {\"source\": " : "\n  {\"source\": ", s->failures);
    json_put_text(s->failures, input);
    fputs(", \"stage\": ", s->failures);
    json_put_text(s->failures, stage);
    fputs(", \"message\": ", s->failures);
    json_put_text(s->failures, cause->text);
    fprintf(s->failures, ", \"line\": %d}", cause->line);
}

static void put_warnings(const BatchRemarks *remarks, FILE *stream)
{
    int count = 0;
    fputs(" \"warnings\": {", stream);
    for (int i = 0; i < remarks->count; i++) {
        const RemarkKind *kind = &remarks->kind[i];
        if (!kind->is_warning)
            continue;
        fputs(count++ ? ", " : "", stream);
        json_put_text(stream, kind->name);
        fprintf(stream, ": %zu", kind->clips);
    }
    fputs("},\n", stream);
}

static void put_unsure(const BatchRemarks *remarks, FILE *stream)
{
    int count = 0;
    fprintf(stream, " \"unsure\": %zu, \"unsure_decisions\": {", remarks->unsure);
    for (int i = 0; i < DECISION_COUNT; i++)
        if (remarks->unsure_of[i])
            fprintf(stream, "%s\"%s\": %zu", count++ ? ", " : "", decision_name(i), remarks->unsure_of[i]);
    fputs("},\n", stream);
}

static void put_counts(const BatchSummary *s, const BatchCounts *c, FILE *stream)
{
    fprintf(stream, "{\"done\": %zu, \"with_warnings\": %zu, \"unchanged\": %zu, \"failed\": %zu, "
                    "\"frames\": %lld, \"seconds\": %.3f,\n", c->done, c->remarks->warned, c->unchanged, c->failed,
            c->frames, c->seconds);
    put_warnings(c->remarks, stream);
    put_unsure(c->remarks, stream);
    fprintf(stream, " \"failures\": [%s]}\n", s->failures ? s->text : "");
}

/* Under its temporary name. */
static Status make(const BatchSummary *s, const BatchCounts *c, const OutputCall *call, const char *path,
                   OutputFile *file, Error *err)
{
    FILE *stream = NULL;
    Status status = output_file_open(call, path, FILE_JSON, NULL, file, err);
    if (status == STATUS_OK)
        status = new_file_stream(&file->file, &stream, err);
    if (status == STATUS_OK) {
        put_counts(s, c, stream);
        if (fclose(stream))
            status = error_set(err, STATUS_IO, "%s: %s", path, strerror(errno));
    }
    return status;
}

Status batch_summary_write(BatchSummary *s, const BatchCounts *c, const OutputCall *call, const char *path, Error *err)
{
    if (s->failures && (fflush(s->failures) || ferror(s->failures)))
        return error_no_memory(err);
    OutputFile file = OUTPUT_FILE_NONE;
    Status status = make(s, c, call, path, &file, err);
    if (status == STATUS_OK)
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
    if (status == STATUS_OK)
        status = output_file_verify(&file, err);
    output_file_discard(&file);
    return status;
}

void batch_summary_free(BatchSummary *s)
{
    if (s->failures)
        fclose(s->failures);
    free(s->text);
    *s = (BatchSummary){0};
}
