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

#include "formats/base/bytes.h"

/* The script of a page as a separate file. */

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

/* Time series of 16 bits per value, as web/report/decode.js reads them. */

#define LARGEST_KNOWN 1e30 /* well below the largest 32-bit float, which the page computes with */
#define LARGEST_CODE 65535

static int is_known(double value)
{
    return fabs(value) <= LARGEST_KNOWN; /* false for NaN */
}

static SeriesScale series_scale(const double *value, size_t count)
{
    double min = INFINITY, largest = -INFINITY;
    for (size_t i = 0; i < count; i++)
        if (is_known(value[i])) {
            min = fmin(min, value[i]);
            largest = fmax(largest, value[i]);
        }
    if (min > largest)
        return (SeriesScale){0, 0};
    return (SeriesScale){min, (largest - min) / (LARGEST_CODE - 1)};
}

static uint16_t series_code(double value, SeriesScale scale)
{
    if (!is_known(value))
        return 0;
    if (!(scale.step > 0))
        return 1;
    return (uint16_t)fmin(1 + nearbyint((value - scale.min) / scale.step), LARGEST_CODE);
}

/* Zigzag code: 0, -1, 1, -2 ... to 0, 1, 2, 3 ... */
static uint16_t fold(uint16_t difference)
{
    return (uint16_t)(difference << 1 ^ (difference & 0x8000 ? 0xffff : 0));
}

static int make_room(SeriesBlock *block, size_t count)
{
    size_t wanted;
    if (__builtin_add_overflow(block->count, count, &wanted))
        return 0;
    if (wanted <= block->capacity)
        return 1;
    wanted = wanted > 2 * block->capacity ? wanted : 2 * block->capacity;
    unsigned char *low = realloc(block->low, wanted);
    if (!low)
        return 0;
    block->low = low;
    unsigned char *high = realloc(block->high, wanted);
    if (!high)
        return 0;
    block->high = high;
    block->capacity = wanted;
    return 1;
}

Status series_append_scaled(SeriesBlock *block, const double *value, size_t count, SeriesScale scale, Error *err)
{
    if (!make_room(block, count + !count))
        return error_no_memory(err);
    uint16_t before = 0;
    for (size_t i = 0; i < count; i++) {
        uint16_t code = series_code(value[i], scale), folded = fold((uint16_t)(code - before));
        block->low[block->count + i] = (unsigned char)folded;
        block->high[block->count + i] = (unsigned char)(folded >> 8);
        before = code;
    }
    block->count += count;
    return STATUS_OK;
}

Status series_append(SeriesBlock *block, const double *value, size_t count, SeriesScale *scale, Error *err)
{
    *scale = series_scale(value, count);
    return series_append_scaled(block, value, count, *scale, err);
}

void series_free(SeriesBlock *block)
{
    free(block->low);
    free(block->high);
    *block = (SeriesBlock){0};
}


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
    Status status = bytes_read_path(path, &out->own, &out->size, &cause);
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
    static const char *const paths[] = {"page.html", "../share/kane/page.html"};
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
                     "the page is not built: run `make page` (requires npm) first");
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
    if (deflateInit(&z, Z_DEFAULT_COMPRESSION) != Z_OK)
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
