/* analysis/quality/artifact_repeats: rows repeated at regular intervals are found with their mean number, rows repeated
 * at random are not. */
#include "tests/support/test.h"

#include "analysis/quality/artifacts.h"
#include "analysis/quality/artifacts_internal.h"
#include "tests/support/planted_shake.h"
#include "tests/support/walker.h"

enum { FRAMES = 480, FPS = 120 };

/* The number of rows per pose that is found; 0: none. */
static double found_repeats(const Motion *m)
{
    Skeleton skeleton;
    Artifacts found = {0};
    walker_skeleton(&skeleton);
    assert_int_equal(artifact_repeats_find(&skeleton, m, &found, NULL), STATUS_OK);
    assert_true(found.count < 2);
    double size = found.count ? found.artifact[0].size : 0;
    skeleton_free(&skeleton);
    artifacts_free(&found);
    return size;
}

static void walk(Motion *sound, Motion *m)
{
    walker_motion(sound, FRAMES, FPS);
    assert_int_equal(motion_copy(m, sound, NULL), STATUS_OK);
}

TEST(every_nth_row_repeated_is_found)
{
    for (int each = 1; each <= 10; each++) {
        Motion sound, m;
        walk(&sound, &m);
        shake_repeat(&sound, each, 0, &m);
        assert_near(found_repeats(&m), 1 + 1.0 / each, 0.01);
        motion_free(&sound);
        motion_free(&m);
    }
}

TEST(rows_of_a_lower_rate_are_found)
{
    static const double rows[] = {2.4, 2.5, 4, 4.8, 5};
    for (int i = 0; i < 5; i++) {
        Motion sound, m;
        walk(&sound, &m);
        shake_repeat(&sound, FRAMES, 1 / rows[i], &m);
        assert_near(found_repeats(&m), rows[i], 0.03);
        motion_free(&sound);
        motion_free(&m);
    }
}

TEST(rows_repeated_at_random_have_no_lower_rate)
{
    Motion sound, m;
    unsigned seed = 7;
    walk(&sound, &m);
    for (int f = 0, row = 0; f < FRAMES; f++) {
        shake_copy_frame(&sound, row, &m, f);
        row += random_number(&seed) > -0.6; /* repeats one row of five */
    }
    assert_near(found_repeats(&m), 0, 0);
    motion_free(&sound);
    motion_free(&m);
}
