/* See batch_clips.h. */
#include "pipeline/cli/batch/batch_clips.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "formats/base/text.h"
#include "pipeline/cli/batch/batch_select.h"

/* Finds the option named by a column, as in `kane run`. */
static const Option *find_option(const char *name, Pipeline *pipeline, size_t *place)
{
    OptionGroup groups[PIPELINE_GROUPS];
    int group_count = pipeline_groups(pipeline, groups);
    for (int g = 0; g < group_count; g++) {
        const Option *option = option_find_prefixed(&groups[g], name);
        *place = option ? (size_t)((char *)groups[g].values + option->offset - (char *)pipeline) : 0;
        if (option)
            return option;
    }
    return NULL;
}

/* Returns whether the name can be a column in queries: an SQL identifier that is not in use. */
static int is_tag(const char *name)
{
    if (!isalpha((unsigned char)*name) && *name != '_')
        return 0;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_')
            return 0;
    return 1;
}

static Status read_tag(BatchClips *clips, int c, Error *err)
{
    const char *name = clips->column[c].tag;
    clips->has_tags = 1;
    if (!is_tag(name))
        return error_set_at(err, STATUS_USAGE, 1, 0, "tag \"%.60s\": expected letters, digits and _", name);
    if (index_has_column(name))
        return error_set_at(err, STATUS_USAGE, 1, 0, "tag \"%.60s\": already a column of clip_summary; choose another "
                                                     "name",
                            name);
    for (int i = 0; i < c; i++)
        if (clips->column[i].tag && strcasecmp(clips->column[i].tag, name) == 0)
            return error_set_at(err, STATUS_USAGE, 1, 0, "duplicate column \"%.60s\"", clips->table.header[c]);
    return STATUS_OK;
}

/* Tags need the prefix "tag:", so that misspelled options are errors. */
static Status read_column(BatchClips *clips, int c, Pipeline *pipeline, Error *err)
{
    static const char tag[] = "tag:";
    const char *name = clips->table.header[c];
    char near[300];
    ClipColumn *column = &clips->column[c];
    if (c == clips->glob)
        return STATUS_OK;
    if (strncmp(name, tag, strlen(tag)) == 0) {
        column->tag = name + strlen(tag);
        return read_tag(clips, c, err);
    }
    column->option = find_option(name, pipeline, &column->place);
    if (column->option)
        return STATUS_OK;
    OptionGroup groups[PIPELINE_GROUPS];
    option_suggest(groups, pipeline_groups(pipeline, groups), name, near, sizeof near);
    return error_set_at(err, STATUS_USAGE, 1, 0, "column \"%.60s\" is not an option of kane run%s%s", name,
                        *near ? near : "; a tag is named tag:", *near ? "" : *name ? name : "NAME");
}

/* Sets an option from a cell; flags are yes or no. */
static Status set_cell(const BatchClips *clips, int row, int c, Pipeline *pipeline, Error *err)
{
    const char *text = table_cell(&clips->table, row, c);
    const Option *option = clips->column[c].option;
    Error cause = {0};
    if (!option || !*text)
        return STATUS_OK;
    void *value = (char *)pipeline + clips->column[c].place;
    if (!option->argument && strcmp(text, "yes") != 0 && strcmp(text, "no") != 0)
        return table_error(&clips->table, row, c, err, "expected yes or no, found \"%s\"", text);
    if (!option->argument) {
        *(int *)value = strcmp(text, "yes") == 0;
        return STATUS_OK;
    }
    if (option->kind->parse(option, text, value, &cause))
        return table_error(&clips->table, row, c, err, "%s: %s", clips->table.header[c], cause.text);
    return STATUS_OK;
}

static Status check_cells(const BatchClips *clips, const Pipeline *base, Error *err)
{
    Status status = STATUS_OK;
    for (int row = 0; row < clips->table.row_count && !status; row++) {
        Pipeline pipeline = *base;
        if (!*table_cell(&clips->table, row, clips->glob))
            status = table_error(&clips->table, row, clips->glob, err, "empty glob");
        for (int c = 0; c < clips->table.column_count && !status; c++)
            status = set_cell(clips, row, c, &pipeline, err);
    }
    return status;
}

static const char *clips_glob(const BatchClips *clips, int row)
{
    return table_cell(&clips->table, row, clips->glob);
}

static int compare_globs(const void *a, const void *b, void *clips)
{
    int order = strcmp(clips_glob(clips, *(const int *)a), clips_glob(clips, *(const int *)b));
    return order ? order : *(const int *)a - *(const int *)b;
}

/* Separates literal names, which are found by binary search, from patterns, so that one row per clip scales. */
static Status sort_rows(BatchClips *clips, Error *err)
{
    clips->literal = array_new((size_t)clips->table.row_count + 1, 1, sizeof *clips->literal);
    clips->pattern = array_new((size_t)clips->table.row_count + 1, 1, sizeof *clips->pattern);
    if (!clips->literal || !clips->pattern)
        return error_no_memory(err);
    for (int row = 0; row < clips->table.row_count; row++) {
        if (strpbrk(clips_glob(clips, row), "*?[\\,"))
            clips->pattern[clips->pattern_count++] = row;
        else
            clips->literal[clips->literal_count++] = row;
    }
    qsort_r(clips->literal, (size_t)clips->literal_count, sizeof *clips->literal, compare_globs, clips);
    return STATUS_OK;
}

Status batch_clips_read(const char *path, const Pipeline *base, BatchClips *out, Error *err)
{
    Pipeline pipeline = *base;
    *out = (BatchClips){0};
    Status status = table_read_path(path, &out->table, err);
    if (status)
        return error_of_file(err, path, status);
    out->column = array_new((size_t)out->table.column_count + 1, 1, sizeof *out->column);
    status = out->column ? table_require(&out->table, "glob", &out->glob, err) : error_no_memory(err);
    for (int c = 0; c < out->table.column_count && !status; c++)
        status = read_column(out, c, &pipeline, err);
    if (!status)
        status = check_cells(out, base, err);
    if (!status)
        status = sort_rows(out, err);
    if (status)
        batch_clips_free(out);
    return error_of_file(err, path, status);
}

void batch_clips_free(BatchClips *clips)
{
    table_free(&clips->table);
    free(clips->column);
    free(clips->literal);
    free(clips->pattern);
    *clips = (BatchClips){0};
}

/* Returns the first index in literal whose name is not before this one. */
static int first_literal(const BatchClips *clips, const char *name)
{
    int low = 0, high = clips->literal_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(clips_glob(clips, clips->literal[middle]), name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int add_literals(const BatchClips *clips, const char *name, int *rows, int count)
{
    for (int i = first_literal(clips, name);
         i < clips->literal_count && !strcmp(clips_glob(clips, clips->literal[i]), name); i++)
        rows[count++] = clips->literal[i];
    return count;
}

static int compare_rows(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int batch_clips_rows(const BatchClips *clips, const char *output, const char *clip, int *rows)
{
    char relative[4352];
    int count = 0;
    if (clips->table.row_count == 0)
        return 0;
    snprintf(relative, sizeof relative, "%.*s", (int)strlen(output) - 3, output);
    const char *slash = strrchr(relative, '/'), *own = relative + (clip - output);
    count = add_literals(clips, relative, rows, count);
    if (slash)
        count = add_literals(clips, slash + 1, rows, count);
    if (own != relative && own != slash + 1)
        count = add_literals(clips, own, rows, count);
    for (int i = 0; i < clips->pattern_count; i++)
        if (batch_select_is_like(clips_glob(clips, clips->pattern[i]), relative) ||
            batch_select_is_like(clips_glob(clips, clips->pattern[i]), own))
            rows[count++] = clips->pattern[i];
    qsort(rows, (size_t)count, sizeof *rows, compare_rows);
    return count;
}

Status batch_clips_apply(const BatchClips *clips, const int *rows, int count, Pipeline *pipeline, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < count; i++)
        for (int c = 0; c < clips->table.column_count && !status; c++)
            status = set_cell(clips, rows[i], c, pipeline, err);
    return status;
}

int batch_clips_tags(const BatchClips *clips, const int *rows, int count, IndexTag *tags)
{
    int found = 0;
    for (int c = 0; c < clips->table.column_count; c++) {
        const char *value = "";
        if (!clips->column[c].tag)
            continue;
        for (int i = 0; i < count; i++)
            value = *table_cell(&clips->table, rows[i], c) ? table_cell(&clips->table, rows[i], c) : value;
        if (*value)
            tags[found++] = (IndexTag){clips->column[c].tag, value};
    }
    return found;
}
