/* analysis/clip/clip: what is unsure is named, what is not known is not. */
#include "tests/support/assert_near.h"

#include "analysis/clip/clip.h"

static void what_is_unsure_is_named(void **state)
{
    (void)state;
    Decisions d = {.unit = 0.79, .up_axis = 0.8, .frame_rate = 0, .root_offset = 1, .positions = 1,
                   .first_frame = 0.99};
    char text[DECISIONS_TEXT_SIZE];
    decisions_unsure(&d, text);
    assert_string_equal(text, "unit, frame rate");
    assert_near(decisions_least(&d), 0, 0);
    d.unit = d.frame_rate = 1;
    decisions_unsure(&d, text);
    assert_string_equal(text, "");
    assert_near(decisions_least(&d), 0.8, 0);
}

/* All at once fit into the text. */
static void everything_may_be_unsure(void **state)
{
    (void)state;
    Decisions d = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
    char text[DECISIONS_TEXT_SIZE];
    decisions_unsure(&d, text);
    assert_string_equal(text, "unit, up axis, frame rate, root offset, positions, first frame");
}

static void what_is_not_known_is_not_unsure(void **state)
{
    (void)state;
    Decisions d = {0};
    char text[DECISIONS_TEXT_SIZE];
    decisions_unsure(&d, text);
    assert_string_equal(text, "");
    assert_true(isnan(decisions_least(&d)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_unsure_is_named),
        cmocka_unit_test(everything_may_be_unsure),
        cmocka_unit_test(what_is_not_known_is_not_unsure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
