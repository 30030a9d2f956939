/* formats/query/query_output: numbers that read back, text that is safe for any reader. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "formats/query/query.h"

/* One column "c" with one cell, in a format; owned by the caller. */
static char *write_cell(QueryFormat format, Cell cell)
{
    static const char *const names[] = {"c"};
    QueryOutput *output;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(query_output_open(format, 1, names, out, &output, NULL), STATUS_OK);
    assert_int_equal(query_output_row(output, &cell, NULL), STATUS_OK);
    assert_int_equal(query_output_close(output, NULL), STATUS_OK);
    fclose(out);
    return text;
}

static void expect(QueryFormat format, Cell cell, const char *expected)
{
    char *text = write_cell(format, cell);
    assert_string_equal(text, expected);
    free(text);
}

static Cell text_cell(const char *text)
{
    return (Cell){.kind = CELL_TEXT, .bytes = text, .size = strlen(text)};
}

TEST(doubles_round_trip)
{
    static const double values[] = {0.1, 1.0 / 3, -2.5e-308, 1.7976931348623157e308, 123456789.123456789, 4.9e-324};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char *text = write_cell(QUERY_TSV, (Cell){.kind = CELL_REAL, .real = values[i]});
        assert_near(strtod(text + 2, NULL), values[i], 0);
        free(text);
    }
    expect(QUERY_CSV, (Cell){.kind = CELL_INTEGER, .integer = INT64_MIN}, "c\r\n-9223372036854775808\r\n");
    expect(QUERY_JSONL, (Cell){.kind = CELL_REAL, .real = -INFINITY}, "{\"c\": -1e999}\n");
    expect(QUERY_TABLE, (Cell){.kind = CELL_REAL, .real = 1.0 / 3}, "                 c\n0.3333333333333333\n");
}

TEST(text_is_escaped)
{
    expect(QUERY_TSV, text_cell("a\tb\\\r\n"), "c\na\\tb\\\\\\r\\n\n");
    expect(QUERY_CSV, text_cell("a\"b"), "c\r\n\"a\"\"b\"\r\n");
    expect(QUERY_CSV, text_cell("plain"), "c\r\nplain\r\n");
    expect(QUERY_JSONL, text_cell("\"\\\x01\xc3\xa9"), "{\"c\": \"\\\"\\\\\\u0001\xc3\xa9\"}\n");
    /* file names must not control a terminal */
    expect(QUERY_TABLE, text_cell("\x1b[31m\xc2\x9b"), "c\n\\x1b[31m\\xc2\\x9b\n");
    expect(QUERY_JSONL, (Cell){.kind = CELL_BLOB, .bytes = "\x00\xff", .size = 2}, "{\"c\": \"00ff\"}\n");
}

TEST(invalid_utf8_is_replaced_in_json)
{
    /* truncated, overlong, surrogate, above U+10FFFF */
    Cell cut = text_cell("a\xc3\xa9"); /* ends within a character */
    cut.size = 2;
    expect(QUERY_JSONL, cut, "{\"c\": \"a\\ufffd\"}\n");
    expect(QUERY_JSONL, text_cell("\xc3"), "{\"c\": \"\\ufffd\"}\n");
    expect(QUERY_JSONL, text_cell("\xc0\xaf"), "{\"c\": \"\\ufffd\\ufffd\"}\n");
    expect(QUERY_JSONL, text_cell("\xed\xa0\x80"), "{\"c\": \"\\ufffd\\ufffd\\ufffd\"}\n");
    expect(QUERY_JSONL, text_cell("\xf4\x90\x80\x80"), "{\"c\": \"\\ufffd\\ufffd\\ufffd\\ufffd\"}\n");
    expect(QUERY_JSONL, text_cell("\xf0\x9f\x8f\x83"), "{\"c\": \"\xf0\x9f\x8f\x83\"}\n");
}

TEST(formats_have_names)
{
    QueryFormat format = QUERY_TABLE;
    for (int f = 0; f < QUERY_FORMAT_COUNT; f++) {
        assert_true(query_format_from_name(query_format_name((QueryFormat)f), &format));
        assert_int_equal(format, f);
    }
    assert_false(query_format_from_name("xml", &format));
    assert_null(query_format_name(QUERY_FORMAT_COUNT));
}

TEST(full_disk_is_an_error)
{
    static const char *const names[] = {"c"};
    QueryOutput *output;
    FILE *full = fopen("/dev/full", "w");
    if (!full) {
        print_message("skipped: no /dev/full\n");
        return;
    }
    assert_int_equal(query_output_open(QUERY_CSV, 1, names, full, &output, NULL), STATUS_OK);
    assert_int_equal(query_output_close(output, NULL), STATUS_IO);
    fclose(full);
}
