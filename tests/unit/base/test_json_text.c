/* formats/base/json_text: text that any reader takes (RFC 8259), numbers that return. */
#include "tests/support/assert_near.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/json_text.h"

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

static void text_is_escaped(void **state)
{
    (void)state;
    assert_text("", "\"\"");
    assert_text("a\"b\\c/d", "\"a\\\"b\\\\c/d\"");
    assert_text("\t\n\r\x01\x1f", "\"\\t\\n\\r\\u0001\\u001f\"");
    assert_text("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80",
                "\"gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80\"");
}

static void bytes_that_are_no_text_are_replaced(void **state)
{
    (void)state;
    assert_text("a\xff" "b", "\"a\\ufffdb\"");
    assert_text("\xe2\x82", "\"\\ufffd\\ufffd\"");
    assert_text("\xc3\"", "\"\\ufffd\\\"\"");
}

static void numbers_return_or_are_null(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_escaped),
        cmocka_unit_test(bytes_that_are_no_text_are_replaced),
        cmocka_unit_test(numbers_return_or_are_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
