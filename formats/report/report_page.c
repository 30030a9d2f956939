/* See report_page.h. */
#define ZLIB_CONST /* makes zlib input pointers const */
#include "formats/report/report_page.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "analysis/base/version.h"
#include "formats/base/bytes.h"

#define MAX_BYTES ((size_t)1 << 26) /* of a page template: 64 MB */

/* ---- The page ---- */

/* Returns the page that was in the build folder when the program was built, or NULL. */
#ifdef KANE_PAGE /* path of the page, from the Makefile */

__asm__(".section .rodata\n"
        "kane_page_begin: .incbin \"" KANE_PAGE "\"\n"
        "kane_page_end: .byte 0\n"
        ".previous");

extern const char kane_page_begin[] __attribute__((visibility("hidden")));
extern const char kane_page_end[] __attribute__((visibility("hidden")));

static const char *page_built_in(size_t *size)
{
    *size = (size_t)(kane_page_end - kane_page_begin);
    return kane_page_begin;
}

#else

static const char *page_built_in(size_t *size)
{
    *size = 0;
    return NULL;
}

#endif

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
    Status status = bytes_read_path_max(path, MAX_BYTES, &out->own, &out->size, &cause);
    if (status)
        return error_set(err, status, "%s: %s", path, cause.text);
    out->text = out->own;
    return find_mark(out, path, err);
}

/* Builds a path relative to the folder of the program; "" if that is unknown. */
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
    static const char *const paths[] = {"report.html", "../share/kane/report.html"};
    char found[4200];
    *out = (ReportPage){0};
    if (path)
        return load(path, out, err);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        beside_program(paths[i], found, sizeof found);
        if (*found && access(found, R_OK) == 0)
            return load(found, out, err);
    }
    out->text = page_built_in(&out->size);
    if (out->text)
        return find_mark(out, "the page in the program", err);
    return error_set(err, STATUS_IO,
                     "the page is not built: run `make page` first");
}

void report_page_free(ReportPage *page)
{
    if (!page)
        return;
    free(page->own);
    *page = (ReportPage){0};
}

/* ---- Data as text inside a page ----
 *
 * Deflated (RFC 1950), then base64 (RFC 4648). The characters A-Z a-z 0-9 + / = cannot end the enclosing HTML element,
 * whatever a clip or an index contains. */

enum { PAGE_LEVEL = 7 }; /* of deflate; 9 takes four times as long and saves .4 % more */
enum { CHUNK = 1 << 16, MAX_AT_ONCE = 1 << 30 };

/* Incremental base64: up to two bytes wait for the third. */
typedef struct Base64 {
    FILE *stream;
    unsigned char waiting[3];
    int count;
} Base64;

static void put_group(Base64 *out)
{
    static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned bits = (unsigned)out->waiting[0] << 16 | (unsigned)out->waiting[1] << 8 | out->waiting[2];
    for (int i = 0; i < 4; i++)
        putc_unlocked(i <= out->count ? letter[bits >> (18 - 6 * i) & 63] : '=', out->stream);
    *out = (Base64){.stream = out->stream};
}

static void put_bytes(Base64 *out, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        out->waiting[out->count++] = bytes[i];
        if (out->count == 3)
            put_group(out);
    }
}

/* Compresses the available input; flush is Z_FINISH at the end. Returns 0 if zlib fails. */
static int deflate_ready(z_stream *z, Base64 *out, int flush)
{
    unsigned char chunk[CHUNK];
    do {
        z->next_out = chunk;
        z->avail_out = sizeof chunk;
        if (deflate(z, flush) == Z_STREAM_ERROR)
            return 0;
        put_bytes(out, chunk, sizeof chunk - z->avail_out);
    } while (z->avail_out == 0);
    return 1;
}

/* A part of the input of compression. */
typedef struct ByteSpan {
    const void *bytes;
    size_t size;
} ByteSpan;

/* Writes the concatenated parts, compressed and as base64. The caller checks ferror(stream). */
static Status write_packed(const ByteSpan *span, int count, FILE *stream, Error *err)
{
    z_stream z = {0};
    Base64 out = {.stream = stream};
    if (deflateInit(&z, PAGE_LEVEL) != Z_OK)
        return error_no_memory(err);
    int is_fine = 1;
    for (int i = 0; i < count; i++)
        for (size_t done = 0, part; is_fine && done < span[i].size; done += part) {
            part = span[i].size - done < MAX_AT_ONCE ? span[i].size - done : MAX_AT_ONCE;
            z.next_in = (const Bytef *)span[i].bytes + done;
            z.avail_in = (uInt)part;
            is_fine = deflate_ready(&z, &out, Z_NO_FLUSH);
        }
    is_fine = is_fine && deflate_ready(&z, &out, Z_FINISH);
    deflateEnd(&z);
    if (out.count > 0)
        put_group(&out);
    return is_fine ? STATUS_OK : error_set(err, STATUS_INTERNAL, "deflate failed");
}

void report_json_begin(Json *json, const char *kind)
{
    json_open(json, '{');
    json_member_text(json, "kind", kind);
    json_member_text(json, "version", KANE_VERSION);
}

Status report_json_end(Json *json, Status status, Error *err)
{
    json_close(json, '}');
    int failed = ferror(json->stream);
    failed |= fclose(json->stream) != 0;
    return status || !failed ? status : error_no_memory(err);
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
    Status status = write_packed(span, 4, stream, err);
    if (status)
        return status;
    fwrite(rest, 1, page->size - (size_t)(rest - page->text), stream);
    if (fflush(stream) || ferror(stream))
        return error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return STATUS_OK;
}
