/* See batch_request.h. */
#include "pipeline/cli/batch/batch_request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"

static Status refuse_target(const BatchRequest *request, const char *path, Error *err)
{
    Pipeline pipeline;
    size_t place = (size_t)((char *)pipeline_target(&pipeline) - (char *)&pipeline);
    for (int c = 0; c < request->clips.table.column_count; c++)
        if (request->targets->files.count > 0 && request->clips.column[c].option &&
            request->clips.column[c].place == place)
            return error_set(err, STATUS_USAGE, "%s: column \"%.60s\" beside a list of targets in --retarget-to; "
                             "remove one of them", path, request->clips.table.header[c]);
    return STATUS_OK;
}

Status batch_request_init(BatchRequest *request, const Pipeline *pipeline, const BatchSelect *select,
                          const BatchTargets *targets, Error *err)
{
    *request = (BatchRequest){.pipeline = *pipeline, .store = select->store, .targets = targets};
    Status status = select->clips ? batch_clips_read(select->clips, pipeline, &request->clips, err) : STATUS_OK;
    if (!status)
        status = refuse_target(request, select->clips, err);
    if (status)
        return status;
    size_t rows = (size_t)request->clips.table.row_count, columns = (size_t)request->clips.table.column_count;
    request->row = array_new(rows + 1, 1, sizeof *request->row);
    request->other = array_new(rows + 1, 1, sizeof *request->other);
    request->tag = array_new(columns + 1, 1, sizeof *request->tag);
    return request->row && request->other && request->tag ? STATUS_OK : error_no_memory(err);
}

void batch_request_free(BatchRequest *request)
{
    batch_clips_free(&request->clips);
    free(request->row);
    free(request->other);
    free(request->tag);
    free(request->text);
    *request = (BatchRequest){0};
}

static int find_rows(const BatchRequest *request, const char *output)
{
    return batch_clips_rows(&request->clips, output, batch_targets_clip(request->targets, output), request->other);
}

static const FoundFile *start(const BatchRequest *request, const char *output, Pipeline *pipeline)
{
    const FoundFile *target = batch_targets_find(request->targets, output);
    *pipeline = request->pipeline;
    if (target)
        *pipeline_target(pipeline) = target->path;
    return target;
}

Status batch_request_pipeline(BatchRequest *request, const char *output, Pipeline *pipeline, Error *err)
{
    start(request, output, pipeline);
    int count = find_rows(request, output);
    return batch_clips_apply(&request->clips, request->other, count, pipeline, err);
}

static Status describe(BatchRequest *request, const Pipeline *pipeline, Error *err)
{
    char *text = NULL;
    Status status = pipeline_describe(pipeline, &text, err);
    free(request->text);
    request->text = text;
    if (status || request->store == STORE_FULL)
        return status;
    if (asprintf(&request->text, "%s\nstore %s", text, batch_store_name(request->store)) < 0) {
        request->text = NULL;
        status = error_no_memory(err);
    }
    free(text);
    return status;
}

/* Reuses the text if the target is the same and the same rows match as before, as for most adjacent clips, because
 * option files must be hashed. */
Status batch_request_text(BatchRequest *request, const char *output, const char **text, Error *err)
{
    Pipeline pipeline;
    const FoundFile *target = start(request, output, &pipeline);
    int count = find_rows(request, output), *row = request->other;
    int is_same = request->text && count == request->row_count && target == request->target &&
                  !memcmp(row, request->row, (size_t)count * sizeof *row);
    Status status = STATUS_OK;
    if (!is_same) {
        request->target = target;
        request->other = request->row;
        request->row = row;
        request->row_count = count;
        status = batch_clips_apply(&request->clips, row, count, &pipeline, err);
        if (!status)
            status = describe(request, &pipeline, err);
    }
    *text = request->text;
    return status;
}

Status batch_request_tag(BatchRequest *request, Index *index, const char *output, int *changed, Error *err)
{
    const BatchClips *clips = &request->clips;
    if (!clips->has_tags)
        return STATUS_OK;
    int rows = find_rows(request, output);
    int count = batch_clips_tags(clips, request->other, rows, request->tag);
    return index_put_tags(index, output, request->tag, count, changed, err);
}

Status batch_request_unused(BatchRequest *request, const FoundFiles *files, int *unused, int *line, Error *err)
{
    const BatchClips *clips = &request->clips;
    unsigned char *used = array_new((size_t)clips->table.row_count + 1, 1, 1);
    *unused = *line = 0;
    if (!used)
        return error_no_memory(err);
    for (size_t i = 0; i < files->count; i++) {
        int rows = find_rows(request, files->file[i].relative);
        while (rows-- > 0)
            used[request->other[rows]] = 1;
    }
    for (int row = clips->table.row_count; row-- > 0;)
        if (!used[row]) {
            ++*unused;
            *line = clips->table.line[row];
        }
    free(used);
    return STATUS_OK;
}
