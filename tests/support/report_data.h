/* Decodes the data of a kane report page: base64, deflate, JSON and series (formats/report/report_page.h). Implemented
 * from the format description, independently of the encoder. */
#ifndef KANE_TESTS_REPORT_DATA_H
#define KANE_TESTS_REPORT_DATA_H

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "formats/report/report_page.h"

#define REPORT_BEFORE "<script>"
#define REPORT_BEHIND "</script>"

/* A page template with only the data marker between two tags. */
static inline ReportPage report_small_page(void)
{
    static const char text[] = REPORT_BEFORE REPORT_PAGE_MARK REPORT_BEHIND;
    return (ReportPage){.text = text, .size = sizeof text - 1, .mark = text + sizeof REPORT_BEFORE - 1};
}

typedef struct ReportData {
    unsigned char *bytes; /* [size] owned */
    size_t size;
    char *json;           /* owned */
    const unsigned char *series; /* low bytes, then high bytes */
    size_t series_count;
} ReportData;

static inline int report_letter(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decodes base64 text; fails the test at any other character. */
static inline size_t report_from_base64(const char *text, size_t length, unsigned char *out)
{
    size_t size = 0;
    assert_int_equal(length % 4, 0);
    for (size_t i = 0; i < length; i += 4) {
        unsigned bits = 0;
        int padding = 0;
        for (size_t k = 0; k < 4; k++) {
            int letter = report_letter(text[i + k]);
            if (letter < 0) {
                assert_true(text[i + k] == '=' && i + 4 == length && k >= 2);
                padding++;
                letter = 0;
            }
            bits = bits << 6 | (unsigned)letter;
        }
        for (int k = 0; k < 3 - padding; k++)
            out[size++] = (unsigned char)(bits >> (16 - 8 * k));
    }
    return size;
}

/* Decodes a page made by report_small_page. */
static inline ReportData report_data_read(const char *text, size_t size)
{
    ReportData data = {0};
    size_t before = sizeof REPORT_BEFORE - 1, behind = sizeof REPORT_BEHIND - 1;
    assert_true(size > before + behind);
    assert_memory_equal(text, REPORT_BEFORE, before);
    assert_memory_equal(text + size - behind, REPORT_BEHIND, behind);
    unsigned char *packed = malloc(size);
    data.size = 64u << 20;
    data.bytes = malloc(data.size);
    assert_true(packed && data.bytes);
    size_t packed_size = report_from_base64(text + before, size - before - behind, packed);
    assert_int_equal(uncompress(data.bytes, &data.size, packed, packed_size), Z_OK);
    free(packed);
    size_t json_size = 0;
    for (int i = 0; i < 4; i++)
        json_size |= (size_t)data.bytes[i] << 8 * i;
    assert_true(4 + json_size <= data.size);
    data.json = strndup((const char *)data.bytes + 4, json_size);
    data.series = data.bytes + 4 + json_size;
    data.series_count = (data.size - 4 - json_size) / 2;
    return data;
}

static inline void report_data_free(ReportData *data)
{
    free(data->bytes);
    free(data->json);
    *data = (ReportData){0};
}

/* Reads count values from offset place; NaN if unknown. */
static inline void report_series_read(const unsigned char *low, const unsigned char *high, size_t count, double min,
                                      double step, double *value)
{
    int code = 0;
    for (size_t i = 0; i < count; i++) {
        int folded = low[i] + 256 * high[i];
        code = (code + (folded % 2 ? -(folded + 1) / 2 : folded / 2)) & 0xffff;
        value[i] = code == 0 ? NAN : min + (code - 1) * step;
    }
}

#endif
