/* formats/base/text: UTF-8 as written by a separate encoder, and nothing that RFC 3629 forbids; valid JSON (RFC 8259)
 * with numbers that read back; a name distance that is a metric on short words and large for unrelated ones. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/status.h"
#include "formats/base/text.h"
#include "formats/base/json.h"

/* The bytes of a code point (RFC 3629, section 3); their number. */
static int encoded(unsigned code, unsigned char *p)
{
    int length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (int i = length - 1; i > 0; i--, code >>= 6)
        p[i] = (unsigned char)(0x80 | (code & 0x3F));
    p[0] = (unsigned char)(lead[length] | code);
    return length;
}

TEST(every_code_point_has_its_length)
{
    for (unsigned code = 1; code < 0x120000; code++) {
        unsigned char p[4];
        int length = encoded(code, p), is_surrogate = code >= 0xD800 && code < 0xE000;
        assert_int_equal(utf8_length(p, (size_t)length), is_surrogate || code > 0x10FFFF ? 0 : length);
        if (length > 1)
            assert_int_equal(utf8_length(p, (size_t)length - 1), 0);
    }
}

TEST(invalid_utf8_has_length_0)
{
    static const char *const bad[] = {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF",
                                      "\xF5\x80\x80\x80", "\xFF", "\xC3(", "\xE2\x82(", "\xF0\x9F\x98("};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(utf8_length((const unsigned char *)bad[i], strlen(bad[i])), 0);
}

/* Terminal control characters are ASCII below 0x20, DEL and U+0080 to U+009F; all others are printed unchanged. */
TEST(control_characters_are_escaped)
{
    static const char text[] = "a\x1b[2J\n\x7f\xc2\x9b\xff\xc3\xa9";
    char shown[80];
    FILE *stream = fmemopen(shown, sizeof shown, "w");
    assert_non_null(stream);
    assert_int_equal(utf8_put_shown(stream, text, strlen(text)), 29);
    fclose(stream);
    assert_string_equal(shown, "a\\x1b[2J\\x0a\\x7f\\xc2\\x9b\\xff\xc3\xa9");
}

/* Unicode Standard Annex 9, "Directional Formatting Characters"; letters of right-to-left scripts are shown. */
TEST(shown_text_does_not_change_direction)
{
    static const char text[] = "a\u202eb\u2066c\u200fd\u061ce\u05d0";
    char shown[80];
    FILE *stream = fmemopen(shown, sizeof shown, "w");
    assert_non_null(stream);
    assert_int_equal(utf8_put_shown(stream, text, strlen(text)), 5 + 4 * 6 + 1);
    fclose(stream);
    assert_string_equal(shown, "a\\u202eb\\u2066c\\u200fd\\u061ce\u05d0");
}

/* "CSV injection" of OWASP: a spreadsheet computes cells that begin with = + - @. */
TEST(csv_cell_is_no_formula)
{
    static const char *const cells[][2] = {
        {"=1+2", "'=1+2"}, {"+a", "'+a"}, {"-a", "'-a"}, {"@a", "'@a"}, {"-", "'-"}, {"=\"a\"", "\"'=\"\"a\"\"\""},
        {"-1.5e-3", "-1.5e-3"}, {"+2", "+2"}, {"-1+2", "'-1+2"}, {"a=b", "a=b"}, {"a,b", "\"a,b\""}, {"", ""},
    };
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        char shown[80] = "";
        FILE *stream = fmemopen(shown, sizeof shown, "w");
        assert_non_null(stream);
        csv_put_text(stream, cells[i][0], strlen(cells[i][0]));
        fclose(stream);
        assert_string_equal(shown, cells[i][1]);
    }
}

static void assert_text(const char *text, const char *expected)
{
    char *json = NULL;
    size_t size;
    FILE *stream = open_memstream(&json, &size);
    json_put_text(stream, text);
    fclose(stream);
    assert_string_equal(json, expected);
    free(json);
}

TEST(text_is_escaped)
{
    assert_text("", "\"\"");
    assert_text("a\"b\\c/d", "\"a\\\"b\\\\c/d\"");
    assert_text("\t\n\r\x01\x1f", "\"\\t\\n\\r\\u0001\\u001f\"");
    assert_text("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80",
                "\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80\"");
}

TEST(invalid_utf8_is_replaced)
{
    assert_text("a\xff" "b", "\"a\\ufffdb\"");
    assert_text("\xe2\x82", "\"\\ufffd\\ufffd\"");
    assert_text("\xc3\"", "\"\\ufffd\\\"\"");
}

TEST(json_numbers_round_trip_or_are_null)
{
    static const double numbers[] = {0, -0.0, 0.1, 1e300, -2.5e-310, 3};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char *json = NULL;
        size_t size;
        FILE *stream = open_memstream(&json, &size);
        json_put_number(stream, numbers[i]);
        json_put_number(stream, NAN);
        fclose(stream);
        char *end;
        assert_true(strtod(json, &end) == numbers[i]);
        assert_string_equal(end, "null");
        free(json);
    }
}

TEST(distance_counts_edits)
{
    assert_int_equal(edit_distance("knee", "knee"), 0);
    assert_int_equal(edit_distance("knee", "KNEE"), 0);
    assert_int_equal(edit_distance("kitten", "sitting"), 3);
    assert_int_equal(edit_distance("nkee", "knee"), 1);
    assert_int_equal(edit_distance("", "knee"), 4);
    assert_int_equal(edit_distance("knee", ""), 4);
}

TEST(distance_is_symmetric_and_satisfies_triangle)
{
    static const char *const words[] = {"hip", "hips", "left_hip", "left_toe", "toe", "t", ""};
    enum { COUNT = sizeof words / sizeof *words };
    for (int a = 0; a < COUNT; a++)
        for (int b = 0; b < COUNT; b++) {
            assert_int_equal(edit_distance(words[a], words[b]), edit_distance(words[b], words[a]));
            for (int c = 0; c < COUNT; c++)
                assert_true(edit_distance(words[a], words[c]) <=
                            edit_distance(words[a], words[b]) + edit_distance(words[b], words[c]));
        }
}

TEST(suggestions_are_sorted_by_distance)
{
    static const char *const names[] = {"path", "right_knee_rom_rad", "left_knee_rom_rad", "left_knee_rom", "fps"};
    char text[96], small[8];
    near_names("left_kne_rom", names, 5, text, sizeof text);
    assert_string_equal(text, "left_knee_rom");
    near_names("knee", names, 5, text, sizeof text);
    assert_string_equal(text, "right_knee_rom_rad, left_knee_rom_rad, left_knee_rom");
    near_names("zzzzzzzz", names, 5, text, sizeof text);
    assert_string_equal(text, "");
    did_you_mean("left_kne_rom", names, 5, text, sizeof text);
    assert_string_equal(text, "; did you mean left_knee_rom?");
    did_you_mean("knee", names, 5, text, sizeof text);
    assert_string_equal(text, "; did you mean right_knee_rom_rad, left_knee_rom_rad or left_knee_rom?");
    did_you_mean("zzzzzzzz", names, 5, text, sizeof text);
    assert_string_equal(text, "");
    did_you_mean_role("left_nee", text, sizeof text);
    assert_string_equal(text, "; did you mean left_knee?");
    near_names("left_kne_rom", names, 5, small, sizeof small);
    assert_string_equal(small, "left_kn");
}

/* An invalid Status has a name and an exit code too. */
TEST(every_status_has_a_name_and_a_code)
{
    assert_string_equal(status_name(STATUS_OK), "ok");
    assert_string_equal(status_name((Status)(STATUS_COUNT - 1)), "internal error");
    assert_string_equal(status_name((Status)STATUS_COUNT), "unknown status");
    static const int codes[STATUS_COUNT] = {0, 1, 1, 1, 1, 1, 2, 3}; /* 1: an input failed, 2: usage, 3: a defect */
    for (int i = 0; i < STATUS_COUNT; i++)
        assert_int_equal(status_exit_code((Status)i), codes[i]);
    assert_int_equal(status_exit_code(STATUS_USAGE), 2);
    assert_int_equal(status_exit_code((Status)STATUS_COUNT), 3);
    assert_int_equal(status_exit_code((Status)-1), 3);
}

static void write_sample(Json json)
{
    json_open(&json, '{');
    json_member_text(&json, "a\"b", NULL);
    json_member_open(&json, "none", '[');
    json_close(&json, ']');
    json_line(&json, " ");
    json_member_open(&json, "list", '[');
    json_open(&json, '{');
    json_close(&json, '}');
    json_vector(&json, vec3(1, -0.5, NAN));
    json_print(&json, "%.3f", 0.25);
    json_close(&json, ']');
    json_member_integer(&json, "n", -3);
    json_line(&json, "");
    json_close(&json, '}');
}

/* Commas only between elements, at each depth; line breaks where requested. */
TEST(nested_json_has_its_commas)
{
    char text[256];
    (void)state;
    FILE *stream = fmemopen(text, sizeof text, "w");
    write_sample(json_compact(stream));
    fclose(stream);
    assert_string_equal(text, "{\"a\\\"b\":null,\"none\":[],\n \"list\":[{},[1,-0.5,null],0.250],\"n\":-3\n}");
    stream = fmemopen(text, sizeof text, "w");
    write_sample(json_spaced(stream));
    fclose(stream);
    assert_string_equal(text,
                        "{\"a\\\"b\": null, \"none\": [],\n \"list\": [{}, [1, -0.5, null], 0.250], \"n\": -3\n}");
}
