/* kane for JavaScript: processes one clip stage by stage as `kane run` does, then provides its arrays, the data of its
 * report page and its exports. Messages are those of the program, on standard error. web/kane.js calls these
 * functions. */
#include <emscripten.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/base/version.h"
#include "analysis/clip/clip_schema.h"
#include "analysis/stats/clip_stats.h"
#include "analysis/stats/verdict.h"
#include "formats/base/text.h"
#include "formats/container/container.h"
#include "formats/export/export.h"
#include "formats/index/index.h"
#include "formats/index/index_rows.h"
#include "formats/query/query.h"
#include "formats/query/query_presets.h"
#include "formats/report/page_verdict.h"
#include "formats/report/report_clips.h"
#include "pipeline/cli/message.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/pipeline.h"

static const char command[] = "run";

typedef struct WebClip {
    Pipeline pipeline;
    char *options; /* owned; option values point into it */
    char *path;    /* owned */
    Clip clip;
    Notes notes;      /* of the stages */
    int next;         /* index of the next stage in the pipeline */
    int code;         /* exit code, as of kane run */
    char *text;       /* owned: text or bytes that the last function returned */
    size_t text_size;
    ReportClipsData page;
} WebClip;

static Status set_option(Pipeline *pipeline, const char *name, const char *value, Error *err)
{
    OptionGroup groups[PIPELINE_GROUPS];
    int count = pipeline_groups(pipeline, groups);
    Error cause = {0};
    for (int i = 0; i < count; i++) {
        const Option *option = option_find_prefixed(&groups[i], name);
        if (option && option->kind->parse(option, value, (char *)groups[i].values + option->offset, &cause))
            return error_set(err, STATUS_USAGE, "%s: %s", name, cause.text);
        if (option)
            return STATUS_OK;
    }
    char near[200];
    option_suggest(groups, count, name, near, sizeof near);
    return error_set(err, STATUS_USAGE, "unknown option %s%s", name, near);
}

/* Parses option lines such as "body-mass=62"; a flag has no value. */
static Status set_options(WebClip *web, Error *err)
{
    Status status = STATUS_OK;
    char *rest;
    for (char *line = strtok_r(web->options, "\n", &rest); line && !status; line = strtok_r(NULL, "\n", &rest)) {
        char *value = strchr(line, '=');
        if (value)
            *value++ = 0;
        status = set_option(&web->pipeline, line, value ? value : "", err);
    }
    return status;
}

/* Imports a BVH file with the given options and prints the notes of import. The caller closes the result with
 * kane_web_close; NULL if memory runs out. */
EMSCRIPTEN_KEEPALIVE WebClip *kane_web_open(const char *path, const char *options)
{
    WebClip *web = calloc(1, sizeof *web);
    Notes notes = {0};
    Error err = {0};
    if (!web)
        return NULL;
    web->pipeline = pipeline_defaults();
    web->options = strdup(options);
    web->path = strdup(path);
    Status status = web->options && web->path ? set_options(web, &err) : error_no_memory(&err);
    const char *named = status == STATUS_USAGE ? NULL : web->path;
    if (!status)
        status = pipeline_import(&web->pipeline, web->path, &web->clip, &notes, &err);
    message_notes(command, web->path, &notes, NULL, 0);
    if (status)
        web->code = message_error(command, named, &err);
    notes_free(&notes);
    return web;
}

EMSCRIPTEN_KEEPALIVE int kane_web_code(const WebClip *web)
{
    return web->code;
}

/* Returns the name of the stage that kane_web_step runs next; NULL after the last stage or a failure. */
EMSCRIPTEN_KEEPALIVE const char *kane_web_stage(const WebClip *web)
{
    return web->code || web->next >= web->pipeline.length ? NULL : pipeline_stages[web->next]->command.name;
}

/* Runs the next stage; prints the notes of all stages after the last one. */
EMSCRIPTEN_KEEPALIVE void kane_web_step(WebClip *web)
{
    Error err = {0};
    if (!kane_web_stage(web))
        return;
    Status status = pipeline_run_stage(&web->pipeline, web->next++, &web->clip, &web->notes, &err);
    if (status)
        web->code = message_error(command, web->path, &err);
    else if (web->next == web->pipeline.length)
        message_notes(command, web->path, &web->notes, &web->clip, 0);
}

EMSCRIPTEN_KEEPALIVE void kane_web_close(WebClip *web)
{
    if (!web)
        return;
    clip_free(&web->clip);
    notes_free(&web->notes);
    report_clips_data_free(&web->page);
    free(web->options);
    free(web->path);
    free(web->text);
    free(web);
}

/* ---- Text and bytes, owned by the clip and valid until the next call of this kind ---- */

EMSCRIPTEN_KEEPALIVE size_t kane_web_size(const WebClip *web)
{
    return web->text_size;
}

static FILE *begin_text(WebClip *web)
{
    free(web->text);
    web->text = NULL;
    return open_memstream(&web->text, &web->text_size);
}

static const char *end_text(WebClip *web, FILE *stream, Status status, Error *err)
{
    int failed = ferror(stream);
    failed |= fclose(stream) != 0;
    if (!status && failed)
        status = error_no_memory(err);
    if (status)
        web->code = message_error(command, web->path, err);
    return status ? NULL : web->text;
}

/* ---- Description of the clip by the schema of clip files ---- */

static void put_attribute(Json *json, const Clip *clip, const SchemaAttribute *attribute)
{
    const char *member = (const char *)clip + attribute->member, *group = schema_groups[attribute->group].name;
    const double *number = (const double *)member;
    char path[96];
    snprintf(path, sizeof path, "%s/%s", group, attribute->name);
    json_key(json, path);
    if (attribute->kind != ATTRIBUTE_NUMBER) {
        json_text(json, attribute->kind == ATTRIBUTE_OWNED ? *(const char *const *)(const void *)member : member);
        return;
    }
    if (attribute->size > 1)
        json_open(json, '[');
    for (size_t i = 0; i < attribute->size; i++)
        json_number(json, number[i]);
    if (attribute->size > 1)
        json_close(json, ']');
}

static void put_dataset(Json *json, const Clip *clip, const SchemaDataset *dataset)
{
    static const char *const type[] = {[ELEMENT_DOUBLE] = "float64", [ELEMENT_INT] = "int32", [ELEMENT_BYTE] = "uint8",
                                       [ELEMENT_BITS] = "uint32"};
    char path[96];
    int is_text = schema_is_text(dataset->element);
    schema_path(dataset, path, sizeof path);
    json_open(json, '{');
    json_member_text(json, "path", path);
    json_member_open(json, "old_paths", '[');
    for (int which = 0; which < SCHEMA_OLD_PATHS; which++)
        if (schema_old_path(dataset, which, path, sizeof path))
            json_text(json, path);
    json_close(json, ']');
    json_member_text(json, "type", is_text ? "text" : type[dataset->element]);
    json_member_text(json, "units", dataset->units ? dataset->units : "");
    json_member_text(json, "about", dataset->long_name ? dataset->long_name : "");
    json_member_open(json, "dims", '[');
    for (int d = 0; d < schema_rank(dataset); d++)
        json_text(json, schema_dimensions[dataset->dim[d]].name);
    json_close(json, ']');
    json_member_open(json, "shape", '[');
    for (int d = 0; d < schema_rank(dataset); d++)
        json_integer(json, (long long)schema_dim_size(clip, dataset->dim[d]));
    json_close(json, ']');
    json_member_integer(json, "at", (long long)(size_t)schema_array(clip, dataset));
    if (is_text) {
        json_member_open(json, "text", '[');
        for (size_t i = 0; i < schema_count(clip, dataset); i++)
            json_text(json, schema_label(clip, dataset, i));
        json_close(json, ']');
    }
    json_close(json, '}');
}

/* Returns JSON: {"version", "attributes": {"provenance/title": ..}, "datasets": [{"path", "old_paths", "type", "units",
 * "about", "dims", "shape", "at", "text"} ..]}. at: address of the array, valid until the clip is run or closed. */
EMSCRIPTEN_KEEPALIVE const char *kane_web_describe(WebClip *web)
{
    Error err = {0};
    Json json = json_compact(begin_text(web));
    if (!json.stream)
        return NULL;
    json_open(&json, '{');
    json_member_text(&json, "version", KANE_VERSION);
    json_member_open(&json, "attributes", '{');
    for (int i = 0; i < SCHEMA_ATTRIBUTE_COUNT; i++)
        if (schema_has_group(&web->clip, schema_attributes[i].group))
            put_attribute(&json, &web->clip, &schema_attributes[i]);
    json_close(&json, '}');
    json_member_open(&json, "datasets", '[');
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        if (schema_has_dataset(&web->clip, &schema_datasets[i]))
            put_dataset(&json, &web->clip, &schema_datasets[i]);
    json_close(&json, ']');
    json_close(&json, '}');
    return end_text(web, json.stream, STATUS_OK, &err);
}

/* ---- The page and the exports ---- */

/* Returns the JSON of the viewer for one clip, or for two side by side (other may be NULL). kane_web_size is its
 * length. */
EMSCRIPTEN_KEEPALIVE const char *kane_web_page(WebClip *web, const WebClip *other)
{
    ReportSide side[REPORT_ACTORS] = {{.clip = &web->clip}, {.clip = other ? &other->clip : NULL}};
    Error err = {0};
    report_clips_data_free(&web->page);
    Status status = report_clips_data(side, other ? 2 : 1, &web->page, &err);
    if (status)
        web->code = message_error(command, web->path, &err);
    web->text_size = web->page.json_size;
    return web->page.json;
}

/* Returns the verdict as JSON (formats/report/page_verdict.h). */
EMSCRIPTEN_KEEPALIVE const char *kane_web_verdict(WebClip *web)
{
    Error err = {0};
    ClipVerdict verdict;
    Json json = json_compact(begin_text(web));
    if (!json.stream)
        return NULL;
    Status status = clip_verdict_find(&web->clip, NULL, NULL, &verdict, &err);
    if (!status)
        page_verdict_put(&verdict, &web->clip.skeleton, &json);
    return end_text(web, json.stream, status, &err);
}

/* The series of that page, each value split into two bytes: [kane_web_series_count] low bytes (0) or high bytes (1). */
EMSCRIPTEN_KEEPALIVE const unsigned char *kane_web_series(const WebClip *web, int high)
{
    return high ? web->page.series.high : web->page.series.low;
}

EMSCRIPTEN_KEEPALIVE size_t kane_web_series_count(const WebClip *web)
{
    return web->page.series.count;
}

/* Encodes the clip file that `kane run` writes. */
static const char *clip_file(WebClip *web)
{
    ContainerDef def = container_default_def();
    ContainerImage image;
    Error err = {0};
    if (container_encode(&web->clip, &def, &image, &err))
        web->code = message_error(command, web->path, &err);
    free(web->text);
    web->text = (char *)image.bytes;
    web->text_size = image.size;
    return web->text;
}

/* Returns the clip as a clip file ("h5") or in a format of `kane export` ("csv", "bvh", "glb" ..). On failure prints a
 * message and returns NULL. */
EMSCRIPTEN_KEEPALIVE const char *kane_web_export(WebClip *web, const char *format)
{
    if (strcmp(format, "h5") == 0)
        return clip_file(web);
    ExportDef def = export_default_def();
    Error err = {0};
    FILE *stream = begin_text(web);
    if (!stream)
        return NULL;
    Status status = export_format_from_name(format, &def.format)
                        ? export_clip(&web->clip, &def, stream, &err)
                        : error_set(&err, STATUS_USAGE, "unknown format \"%s\"", format);
    return end_text(web, stream, status, &err);
}

/* ---- The index as SQL text (web/sqlite.c) ---- */

/* Returns the SQL that creates the tables of an index; the caller frees it. NULL if memory runs out. */
EMSCRIPTEN_KEEPALIVE char *kane_web_schema(void)
{
    char *text = NULL;
    size_t size;
    Error err = {0};
    IndexSchema schema;
    Status status = index_schema_init(&schema, &err);
    sqlite3 db = {.script = status ? NULL : open_memstream(&text, &size)};
    if (db.script)
        status = index_schema_create(&schema, &db, &err);
    if (db.script)
        fclose(db.script);
    index_schema_free(&schema);
    return text;
}

/* Returns the presets as JSON, [{"name", "help", "sql"} ..]; the caller frees it. NULL if memory runs out. */
EMSCRIPTEN_KEEPALIVE char *kane_web_presets(void)
{
    char *text = NULL, sql[2048];
    size_t size;
    Json json = json_compact(open_memstream(&text, &size));
    if (!json.stream)
        return NULL;
    json_open(&json, '[');
    for (int i = 0; i < QUERY_PLAIN_PRESETS; i++) {
        const QueryPreset *preset = &query_plain_presets[i];
        snprintf(sql, sizeof sql, "%s ORDER BY %s LIMIT %lld", preset->select, preset->order, preset->limit);
        json_open(&json, '{');
        json_member_text(&json, "name", preset->name);
        json_member_text(&json, "help", preset->help);
        json_member_text(&json, "sql", sql);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    fclose(json.stream);
    return text;
}

static Status put_rows(const Clip *clip, const char *path, sqlite3_int64 id, sqlite3 *db, Error *err)
{
    ClipStats stats;
    IndexSchema schema;
    IndexRows rows = {0};
    Status status = index_schema_init(&schema, err);
    if (status)
        return status;
    status = clip_stats_init(&stats, clip, FRAMES_SOUND, err);
    if (!status) {
        status = index_rows_prepare(&rows, &schema, db, err);
        if (!status)
            status = index_rows_insert(&rows, &id, path, &stats, err);
        index_rows_finalize(&rows);
        clip_stats_free(&stats);
    }
    index_schema_free(&schema);
    return status;
}

/* Returns the SQL that inserts the rows of the clip. id and path must not be in the index yet. */
EMSCRIPTEN_KEEPALIVE const char *kane_web_rows(WebClip *web, int id, const char *path)
{
    Error err = {0};
    sqlite3 db = {.script = begin_text(web)};
    if (!db.script)
        return NULL;
    Status status = put_rows(&web->clip, path, id, &db, &err);
    return end_text(web, db.script, status, &err);
}

/* Returns the SQL that inserts a failed file into the table of failures; the caller frees it. */
EMSCRIPTEN_KEEPALIVE char *kane_web_failure(const char *path, const char *stage, const char *message)
{
    char *text = NULL;
    size_t size;
    Error err = {0};
    IndexSchema schema;
    IndexRows rows = {0};
    FailureRow failure = {path, stage, message};
    sqlite3 db = {.script = open_memstream(&text, &size)};
    Status status = db.script ? index_schema_init(&schema, &err) : error_no_memory(&err);
    if (!status) {
        status = index_rows_prepare(&rows, &schema, &db, &err);
        if (!status)
            status = index_rows_insert_failure(&rows, &failure, &err);
        index_rows_finalize(&rows);
        index_schema_free(&schema);
    }
    if (db.script)
        fclose(db.script);
    return text;
}

/* ---- Reading of clip files: not available without libhdf5 ---- */

int container_is_at(const char *path)
{
    (void)path;
    return 0;
}

static Status no_reader(Error *err)
{
    return error_set(err, STATUS_BAD_INPUT, "clip files cannot be read in a browser");
}

Status container_next(FILE *stream, ContainerImage *image, Error *err)
{
    (void)stream;
    (void)image;
    return no_reader(err);
}

Status container_decode_guarded(const ContainerImage *image, Clip *out, char *warning, size_t warning_size, Error *err)
{
    (void)image;
    (void)out;
    (void)warning;
    (void)warning_size;
    return no_reader(err);
}
