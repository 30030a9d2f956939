/* See report_program.h. */
#include "formats/report/report_program.h"

#include <stdio.h>
#include <string.h>

#include "formats/base/bytes.h"

static const char opening[] = "<script>", closing[] = "</script>", policy[] = "script-src 'sha256-";

static const char *find_last(const char *text, size_t size, const char *word)
{
    const char *found = NULL, *end = text + size;
    size_t length = strlen(word);
    for (const char *at = text; (at = memmem(at, (size_t)(end - at), word, length)); at += length)
        found = at;
    return found;
}

Status report_program_find(const ReportPage *page, ReportProgram *out, Error *err)
{
    char digest[DIGEST_SIZE];
    const char *begin = find_last(page->text, page->size, opening), *end = find_last(page->text, page->size, closing);
    *out = (ReportProgram){0};
    const char *rule = memmem(page->text, page->size, policy, sizeof policy - 1);
    if (!begin || !end || begin > end || begin < page->mark || !rule)
        return STATUS_OK;
    out->text = begin + sizeof opening - 1;
    out->size = (size_t)(end - out->text);
    Status status = digest_bytes(out->text, out->size, digest, err);
    snprintf(out->name, sizeof out->name, "kane-%.8s.js", digest);
    return status;
}

/* Replaces the digest of the inline script in the content security policy by 'self' file: pages opened as files have no
 * host. */
static void put_head(const ReportPage *page, const char *script, FILE *stream)
{
    const char *rule = memmem(page->text, page->size, policy, sizeof policy - 1);
    const char *rest = rule + strcspn(rule, ";\"");
    fwrite(page->text, 1, (size_t)(rule - page->text), stream);
    fputs("script-src 'self' file:", stream);
    fwrite(rest, 1, (size_t)(script - rest), stream);
}

Status report_program_link(const ReportPage *page, const ReportProgram *program, ReportPage *out, Error *err)
{
    const char *script = program->text - (sizeof opening - 1), *rest = program->text + program->size;
    *out = (ReportPage){0};
    FILE *stream = open_memstream(&out->own, &out->size);
    if (!stream)
        return error_no_memory(err);
    put_head(page, script, stream);
    fprintf(stream, "<script src=\"../%s\">", program->name);
    fwrite(rest, 1, page->size - (size_t)(rest - page->text), stream);
    int failed = ferror(stream);
    if (fclose(stream) || failed) {
        report_page_free(out);
        return error_no_memory(err);
    }
    out->text = out->own;
    out->mark = memmem(out->text, out->size, REPORT_PAGE_MARK, sizeof REPORT_PAGE_MARK - 1);
    return STATUS_OK;
}
