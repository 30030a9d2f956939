#include "formats/report/report_answer.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/version.h"
#include "formats/base/grow.h"
#include "formats/base/text.h"

/* A quoted text in the rows. */
typedef struct Quoted {
    const char *at;
    size_t size;
} Quoted;

/* Links while they are written. */
typedef struct Links {
    FILE *json;
    ReportPageTest has_page;
    void *context;
    int count;
    Quoted *path; /* [path_count] of the rows, sorted; owned */
    int path_count;
} Links;

static int compare_quoted(const void *a, const void *b)
{
    const Quoted *x = a, *y = b;
    int order = memcmp(x->at, y->at, x->size < y->size ? x->size : y->size);
    return order ? order : (x->size > y->size) - (x->size < y->size);
}

/* From one quote to the next that is not escaped. */
static Quoted quoted_at(const char *at, const char *end)
{
    const char *c = at + 1;
    while (c < end && *c != '"')
        c += *c == '\\' ? 2 : 1;
    return (Quoted){at, c < end ? (size_t)(c - at) + 1 : (size_t)(end - at)};
}

/* An answer tells of few clips, a library has many. */
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
    if (links->count++)
        putc(',', links->json);
    fwrite(path.at, 1, path.size, links->json);
    putc(':', links->json);
    json_put_text(links->json, name);
}

/* "PATH":"clips/NAME.html" where a row is of that clip and there is that page. */
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

static Status put_answer(FILE *json, const ReportAnswer *answer, ReportPageTest has_page, void *context, Error *err)
{
    Links links = {.json = json, .has_page = has_page, .context = context};
    fputs("{\"kind\":\"answer\",\"version\":\"" KANE_VERSION "\",\"question\":", json);
    json_put_text(json, answer->question);
    fputs(",\"folder\":", json);
    json_put_text(json, answer->folder ? answer->folder : "");
    fputs(",\"pages\":{", json);
    Status status = find_paths(answer, &links, err);
    if (!status)
        status = report_library_visit(answer->database, put_link, &links, err);
    free(links.path);
    fputs("},\"rows\":", json);
    fwrite(answer->rows, 1, answer->size, json);
    putc('}', json);
    return status;
}

Status report_answer_write(const ReportPage *page, const ReportAnswer *answer, ReportPageTest has_page, void *context,
                           FILE *stream, Error *err)
{
    char *text = NULL;
    size_t size = 0;
    SeriesBlock none = {0};
    FILE *json = open_memstream(&text, &size);
    if (!json)
        return error_no_memory(err);
    Status status = put_answer(json, answer, has_page, context, err);
    int failed = ferror(json);
    if ((fclose(json) || failed) && !status)
        status = error_no_memory(err);
    if (!status)
        status = report_page_write(page, text, size, &none, stream, err);
    free(text);
    return status;
}
