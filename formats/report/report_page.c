#include "formats/report/report_page.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/base/bytes.h"
#include "formats/report/packed_text.h"
#include "formats/report/page_built_in.h"

static Status find_mark(ReportPage *page, const char *name, Error *err)
{
    size_t length = sizeof REPORT_PAGE_MARK - 1;
    page->mark = memmem(page->text, page->size, REPORT_PAGE_MARK, length);
    const char *rest = page->mark ? page->mark + length : NULL;
    if (page->mark && !memmem(rest, page->size - (size_t)(rest - page->text), REPORT_PAGE_MARK, length))
        return STATUS_OK;
    report_page_free(page);
    return error_set(err, STATUS_BAD_INPUT, "%s: is no page of kane report: the mark " REPORT_PAGE_MARK
                     " does not stand in it once", name);
}

static Status load(const char *path, ReportPage *out, Error *err)
{
    Error cause = {0};
    Status status = bytes_read_path(path, &out->own, &out->size, &cause);
    if (status)
        return error_set(err, status, "%s: %s", path, cause.text);
    out->text = out->own;
    return find_mark(out, path, err);
}

/* Path of a file that lies so from the folder of the program; "" where that is not known. */
static void beside_program(const char *relative, char *path, size_t size)
{
    char program[4096];
    path[0] = 0;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return;
    program[length] = 0;
    char *slash = strrchr(program, '/');
    if (slash)
        snprintf(path, size, "%.*s%s", (int)(slash + 1 - program), program, relative);
}

Status report_page_find(const char *path, ReportPage *out, Error *err)
{
    static const char *const places[] = {"page.html", "../share/kane/page.html"};
    char place[4200];
    *out = (ReportPage){0};
    if (path)
        return load(path, out, err);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        beside_program(places[i], place, sizeof place);
        if (*place && access(place, R_OK) == 0)
            return load(place, out, err);
    }
    out->text = page_built_in(&out->size);
    if (out->text)
        return find_mark(out, "the page in the program", err);
    return error_set(err, STATUS_IO,
                     "the page is not built: `make page` builds it (it needs npm), then run this again");
}

void report_page_free(ReportPage *page)
{
    if (!page)
        return;
    free(page->own);
    *page = (ReportPage){0};
}

Status report_page_write(const ReportPage *page, const char *json, size_t json_size, const SeriesBlock *series,
                         FILE *stream, Error *err)
{
    if (json_size > UINT32_MAX)
        return error_set(err, STATUS_LIMIT, "too much for one page");
    unsigned char length[4];
    for (int i = 0; i < 4; i++)
        length[i] = (unsigned char)(json_size >> 8 * i);
    const ByteSpan span[] = {{length, sizeof length}, {json, json_size}, {series->low, series->count},
                             {series->high, series->count}};
    const char *rest = page->mark + sizeof REPORT_PAGE_MARK - 1;
    fwrite(page->text, 1, (size_t)(page->mark - page->text), stream);
    Status status = packed_text_write(span, 4, stream, err);
    if (status)
        return status;
    fwrite(rest, 1, page->size - (size_t)(rest - page->text), stream);
    if (fflush(stream) || ferror(stream))
        return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return STATUS_OK;
}
