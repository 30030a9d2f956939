#include "formats/report/report_answer.h"

#include <stdlib.h>

#include "analysis/base/version.h"
#include "formats/base/text.h"

/* Links while they are written. */
typedef struct Links {
    FILE *json;
    ReportPageTest has_page;
    void *context;
    int count;
} Links;

/* "PATH":"clips/NAME.html" where there is that page. */
static Status put_link(void *context, const char *path, Error *err)
{
    Links *links = context;
    char *name = NULL;
    Status status = report_clip_page_name(path, &name, err);
    if (!status && links->has_page(links->context, name)) {
        if (links->count++)
            putc(',', links->json);
        json_put_text(links->json, path);
        putc(':', links->json);
        json_put_text(links->json, name);
    }
    free(name);
    return status;
}

static Status put_answer(FILE *json, const ReportAnswer *answer, ReportPageTest has_page, void *context, Error *err)
{
    Links links = {json, has_page, context, 0};
    fputs("{\"kind\":\"answer\",\"version\":\"" KANE_VERSION "\",\"question\":", json);
    json_put_text(json, answer->question);
    fputs(",\"folder\":", json);
    json_put_text(json, answer->folder ? answer->folder : "");
    fputs(",\"pages\":{", json);
    Status status = report_library_visit(answer->database, put_link, &links, err);
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
