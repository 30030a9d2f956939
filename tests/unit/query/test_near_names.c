/* formats/query/near_names: a distance is a metric on short words, and what is far stays away. */
#include "tests/support/assert_near.h"

#include "formats/query/near_names.h"

static void distance_counts_edits(void **state)
{
    (void)state;
    assert_int_equal(edit_distance("knee", "knee"), 0);
    assert_int_equal(edit_distance("knee", "KNEE"), 0);
    assert_int_equal(edit_distance("kitten", "sitting"), 3);
    assert_int_equal(edit_distance("nkee", "knee"), 1);
    assert_int_equal(edit_distance("", "knee"), 4);
    assert_int_equal(edit_distance("knee", ""), 4);
}

static void distance_is_symmetric_and_keeps_the_triangle(void **state)
{
    (void)state;
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

static void near_ones_come_nearest_first(void **state)
{
    (void)state;
    static const char *const names[] = {"path", "right_knee_rom_rad", "left_knee_rom_rad", "left_knee_rom", "fps"};
    char text[64], small[8];
    near_names("left_kne_rom", names, 5, text, sizeof text);
    assert_string_equal(text, "left_knee_rom, left_knee_rom_rad");
    near_names("knee", names, 5, text, sizeof text);
    assert_string_equal(text, "right_knee_rom_rad, left_knee_rom_rad, left_knee_rom");
    near_names("zzzzzzzz", names, 5, text, sizeof text);
    assert_string_equal(text, "");
    near_names("left_kne_rom", names, 5, small, sizeof small);
    assert_string_equal(small, "left_kn");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distance_counts_edits),
        cmocka_unit_test(distance_is_symmetric_and_keeps_the_triangle),
        cmocka_unit_test(near_ones_come_nearest_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
