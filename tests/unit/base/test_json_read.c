/* JSON texts as tables of values: members, numbers, escapes, and errors with line and column. */
#include "tests/support/test.h"

#include <string.h>

#include "formats/base/json_read.h"

static JsonText parse(const char *text)
{
    JsonText json;
    Error err = {0};
    if (json_parse(text, strlen(text), &json, &err))
        fail_msg("%s: %s", text, err.text);
    return json;
}

TEST(members_and_elements_are_found)
{
    JsonText json = parse("\xEF\xBB\xBF {\"a\": [1, -2.5e1, true, null], \"b\": {\"c\": {\"d\": 7}}, \"e\": {}} ");
    int a = json_find(&json, 0, "a"), item[8];
    double pair[2] = {9, 9};
    (void)state;
    assert_int_equal(json_count(&json, a), 4);
    assert_int_equal(json_items(&json, a, item, 8), 4);
    assert_near(json_value(&json, item[1], 0), -25, 0);
    assert_int_equal(json.value[item[2]].type, JSON_TRUE);
    assert_int_equal(json.value[item[3]].type, JSON_NULL);
    assert_near(json_value(&json, json_find_path(&json, 0, "b/c/d"), 0), 7, 0);
    assert_int_equal(json_find_path(&json, 0, "b/x/d"), -1);
    assert_int_equal(json_find(&json, a, "a"), -1);
    assert_int_equal(json_count(&json, json_find(&json, 0, "e")), 0);
    assert_false(json_numbers(&json, a, pair, 2)); /* four elements */
    assert_near(pair[0], 9, 0);
    json_text_free(&json);
}

TEST(index_is_integer_within_bounds)
{
    JsonText json = parse("{\"a\": 3, \"b\": 3.5, \"c\": -1, \"d\": \"3\"}");
    (void)state;
    assert_int_equal(json_member_index(&json, 0, "a", 3), 3);
    assert_int_equal(json_member_index(&json, 0, "a", 2), -1);
    assert_int_equal(json_member_index(&json, 0, "b", 9), -1);
    assert_int_equal(json_member_index(&json, 0, "c", 9), -1);
    assert_int_equal(json_member_index(&json, 0, "d", 9), -1);
    json_text_free(&json);
}

TEST(strings_are_decoded)
{
    JsonText json = parse("[\"a\\n\\\"\\/\\\\\", \"\\u00e4\\u20AC\\ud83d\\ude00\", \"\\ud83d!\", \"\\u12\"]");
    static const char *const wanted[] = {"a\n\"/\\", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xef\xbf\xbd!", "\\u12"};
    int at = json_first(&json, 0);
    (void)state;
    for (int i = 0; i < 4; i++, at = json.value[at].next) {
        char *text;
        assert_int_equal(json_copy(&json, at, &text, NULL), STATUS_OK);
        assert_string_equal(text, wanted[i]);
        free(text);
    }
    json_text_free(&json);
}

TEST(damaged_texts_have_line_and_column)
{
    static const struct { const char *text; int line, column; } rows[] = {
        {"{\"a\": 1\n \"b\": 2}", 2, 2}, {"[1, 2", 1, 6}, {"{\"a\" 1}", 1, 6}, {"[1] 2", 1, 5}, {"[\n\n nul]", 3, 2},
        {"{\"a", 1, 4}, {"[\"\n\"]", 1, 3}, {"", 1, 1}, {"[1,]", 1, 4}, {"{a: 1}", 1, 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        JsonText json;
        Error err = {0};
        assert_int_equal(json_parse(rows[i].text, strlen(rows[i].text), &json, &err), STATUS_BAD_INPUT);
        if (err.line != rows[i].line || err.column != rows[i].column)
            fail_msg("%s: %d:%d %s", rows[i].text, err.line, err.column, err.text);
        assert_null(json.value);
    }
}

TEST(brackets_have_a_limit)
{
    char text[JSON_DEPTH_MAX + 2];
    JsonText json;
    (void)state;
    memset(text, '[', sizeof text);
    assert_int_equal(json_parse(text, sizeof text, &json, NULL), STATUS_BAD_INPUT);
}
