/* analysis/clip/clip: what is unsure is named, what is not known is not. */
#include "tests/support/test.h"

#include "analysis/clip/clip.h"

TEST(what_is_unsure_is_named)
{
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
TEST(everything_may_be_unsure)
{
    Decisions d = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
    char text[DECISIONS_TEXT_SIZE];
    decisions_unsure(&d, text);
    assert_string_equal(text, "unit, up axis, frame rate, root offset, positions, first frame");
}

TEST(what_is_not_known_is_not_unsure)
{
    Decisions d = {0};
    char text[DECISIONS_TEXT_SIZE];
    decisions_unsure(&d, text);
    assert_string_equal(text, "");
    assert_true(isnan(decisions_least(&d)));
}
