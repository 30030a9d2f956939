/* See report_answer.h. */
#include "formats/report/report_answer.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/bytes.h"
#include "formats/base/json.h"

/* A quoted string in the JSON of the rows. */
typedef struct Quoted {
    const char *at;
    size_t size;
} Quoted;

/* State while links are written. */
typedef struct Links {
    Json *json;
    ReportPageTest has_page;
    void *context;
    Quoted *path; /* [path_count] paths in the rows, sorted; owned */
    int path_count;
} Links;

static int compare_quoted(const void *a, const void *b)
{
    const Quoted *x = a, *y = b;
    int order = memcmp(x->at, y->at, x->size < y->size ? x->size : y->size);
    return order ? order : (x->size > y->size) - (x->size < y->size);
}

/* Returns the string up to the next unescaped quote. */
static Quoted quoted_at(const char *at, const char *end)
{
    const char *c = at + 1;
    while (c < end && *c != '"')
        c += *c == '\\' ? 2 : 1;
    return (Quoted){at, c < end ? (size_t)(c - at) + 1 : (size_t)(end - at)};
}

/* Collects and sorts the paths of the result. There are few of them; the index may have many clips. */
static Status find_paths(const ReportAnswer *answer, Links *links, Error *err)
{
    static const char key[] = "\"path\": \"";
    const char *end = answer->rows + answer->size, *at = answer->rows;
    while (at && (at = memmem(at, (size_t)(end - at), key, sizeof key - 1))) {
        if (!array_grow(&links->path, links->path_count, sizeof *links->path))
            return error_no_memory(err);
        links->path[links->path_count++] = quoted_at(at + sizeof key - 2, end);
        at += sizeof key - 1;
    }
    if (links->path_count)
        qsort(links->path, (size_t)links->path_count, sizeof *links->path, compare_quoted);
    return STATUS_OK;
}

static void put_pair(Links *links, Quoted path, const char *name)
{
    json_print(links->json, "%.*s:", (int)path.size, path.at);
    json_put_text(links->json->stream, name);
}

/* Writes "PATH":"clips/NAME.html" if a row has this path and the page exists. */
static Status put_link(void *context, const char *path, Error *err)
{
    Links *links = context;
    char *text = NULL, *name = NULL;
    size_t size = 0;
    FILE *quoted = open_memstream(&text, &size);
    if (!quoted)
        return error_no_memory(err);
    json_put_text(quoted, path);
    if (fclose(quoted))
        return error_no_memory(err);
    Quoted wanted = {text, size};
    Status status = STATUS_OK;
    if (links->path_count && bsearch(&wanted, links->path, (size_t)links->path_count, sizeof wanted, compare_quoted))
        status = report_clip_page_name(path, &name, err);
    if (name && !status && links->has_page(links->context, name))
        put_pair(links, wanted, name);
    free(name);
    free(text);
    return status;
}

static Status put_answer(Json *json, const ReportAnswer *answer, ReportPageTest has_page, void *context, Error *err)
{
    Links links = {.json = json, .has_page = has_page, .context = context};
    report_json_begin(json, "answer");
    json_member_text(json, "question", answer->question);
    json_member_text(json, "folder", answer->folder ? answer->folder : "");
    json_member_open(json, "pages", '{');
    Status status = find_paths(answer, &links, err);
    if (!status)
        status = report_library_visit(answer->database, put_link, &links, err);
    free(links.path);
    json_close(json, '}');
    json_key(json, "rows");
    fwrite(answer->rows, 1, answer->size, json->stream);
    return status;
}

Status report_answer_write(const ReportPage *page, const ReportAnswer *answer, ReportPageTest has_page, void *context,
                           FILE *stream, Error *err)
{
    char *text = NULL;
    size_t size = 0;
    SeriesBlock none = {0};
    Json json = json_compact(open_memstream(&text, &size));
    if (!json.stream)
        return error_no_memory(err);
    Status status = report_json_end(&json, put_answer(&json, answer, has_page, context, err), err);
    if (!status)
        status = report_page_write(page, text, size, &none, stream, err);
    free(text);
    return status;
}
