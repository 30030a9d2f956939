/* analysis/clip/decisions: uncertain decisions are listed, unknown ones are not. */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "analysis/clip/clip.h"

TEST(uncertain_decisions_are_listed)
{
    Decisions d = {.unit = 0.79, .up_axis = 0.8, .frame_rate = 0, .root_offset = 1, .positions = 1,
                   .first_frame = 0.99};
    char text[DECISIONS_TEXT_SIZE];
    decisions_unsure(&d, text);
    assert_string_equal(text, "unit, frame rate");
    assert_near(decisions_min(&d), 0, 0);
    d.unit = d.frame_rate = 1;
    decisions_unsure(&d, text);
    assert_string_equal(text, "");
    assert_near(decisions_min(&d), 0.8, 0);
}

/* All together fit into the text. */
TEST(all_decisions_may_be_uncertain)
{
    Decisions d = {0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
    char text[DECISIONS_TEXT_SIZE];
    decisions_unsure(&d, text);
    assert_string_equal(text, "unit, up axis, frame rate, root offset, positions, first frame");
}

TEST(undefined_decisions_are_not_uncertain)
{
    Decisions d = {0};
    char text[DECISIONS_TEXT_SIZE];
    decisions_unsure(&d, text);
    assert_string_equal(text, "");
    assert_true(isnan(decisions_min(&d)));
}

/* One line each up to the limit of a kind, then a line with the number of others; each kind has its own count. */
TEST(warnings_of_a_kind_are_limited)
{
    Clip clip = {0};
    char text[32], expected[4096] = "";
    size_t used = 0;
    for (int i = 0; i < WARNINGS_OF_A_KIND + 3; i++) {
        snprintf(text, sizeof text, "in frame %d", i);
        assert_int_equal(clip_add_warning(&clip, "held", text, NULL), STATUS_OK);
        if (i <= WARNINGS_OF_A_KIND)
            used += (size_t)snprintf(expected + used, sizeof expected - used, "%sheld: %s", i ? "\n" : "",
                                     i < WARNINGS_OF_A_KIND ? text : "and more of this kind");
    }
    snprintf(expected + used, sizeof expected - used, "\nheld-long: of two\n lines");
    expected[used + sizeof "\nheld-long: of two" - 1] = ' ';
    assert_int_equal(clip_add_warning(&clip, "held-long", "of two\n lines", NULL), STATUS_OK);
    assert_string_equal(clip.provenance.warnings, expected);
    clip_free(&clip);
}
