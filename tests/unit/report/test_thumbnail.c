/* formats/report/thumbnail: a pose as a thumbnail; a standing person is taller than wide, a lying one is not. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/stats/motion_features.h"
#include "formats/report/thumbnail.h"

/* A person with straight legs and hanging arms; up in trunk axes. */
static void straight_sample(unsigned char *sample, Vec3 up)
{
    static const double limb[SKETCH_LIMBS][3] = {{.2, .3, 0}, {-.2, .3, 0},  {.2, 0, .1}, {-.2, 0, .1},
                                                 {.1, -.5, 0}, {-.1, -.5, 0}, {.1, -1, 0}, {-.1, -1, 0}};
    memset(sample, 0, SKETCH_VALUES);
    for (int i = 0; i < 3 * SKETCH_LIMBS; i++)
        sample[i] = (unsigned char)(SKETCH_ORIGIN + (int)floor(limb[i / 3][i % 3] / SKETCH_LEGS + 0.5));
    const double half[3] = {0.5 * up.x, 0.5 * up.y, 0.5 * up.z};
    for (int k = 0; k < 3; k++)
        sample[3 * SKETCH_LIMBS + k] = (unsigned char)(SKETCH_ORIGIN + (int)floor(half[k] / SKETCH_LEGS + 0.5));
}

/* Extent of the points after M and L, as x, y; all must be in the square. */
static void extent(const char *path, double size[2])
{
    double min[2] = {1e9, 1e9}, max[2] = {-1e9, -1e9};
    for (const char *at = path; *at; at++) {
        if (*at != 'M' && *at != 'L')
            continue;
        char *next;
        double p[2];
        p[0] = strtod(at + 1, &next);
        p[1] = strtod(next, NULL);
        for (int k = 0; k < 2; k++) {
            assert_true(p[k] >= 0 && p[k] <= POSTER_SIZE);
            min[k] = fmin(min[k], p[k]);
            max[k] = fmax(max[k], p[k]);
        }
    }
    size[0] = max[0] - min[0];
    size[1] = max[1] - min[1];
}

TEST(standing_figure_is_tall_and_lying_figure_wide)
{
    unsigned char sample[SKETCH_VALUES];
    char text[POSTER_TEXT];
    double standing[2], prone[2], handstand[2];
    straight_sample(sample, vec3(0, 1, 0));
    assert_in_range(thumbnail_draw(sample, text), 60, 400);
    int strokes = 0;
    for (const char *at = text; *at; at++)
        strokes += *at == 'M';
    assert_int_equal(strokes, 6); /* two arms, two legs, trunk, head */
    extent(text, standing);
    assert_true(standing[1] > 80 && standing[0] < 40);
    straight_sample(sample, vec3(0, 0, -1)); /* prone: the front of the trunk is down */
    assert_true(thumbnail_draw(sample, text) > 0);
    extent(text, prone);
    assert_true(prone[0] > 70 && prone[1] < 40);
    straight_sample(sample, vec3(0, -1, 0));
    assert_true(thumbnail_draw(sample, text) > 0);
    extent(text, handstand);
    assert_near(handstand[1], standing[1], 2);
}

/* Without wrists the arms end at the elbows; without legs there is no drawing. */
TEST(unknown_limbs_are_not_drawn)
{
    unsigned char sample[SKETCH_VALUES];
    char whole[POSTER_TEXT], text[POSTER_TEXT];
    straight_sample(sample, vec3(0, 1, 0));
    int length = thumbnail_draw(sample, whole);
    memset(sample + 6, SKETCH_UNKNOWN, 6);
    int shorter = thumbnail_draw(sample, text);
    assert_true(shorter > 0 && shorter < length);
    memset(sample + 12, SKETCH_UNKNOWN, 12);
    assert_int_equal(thumbnail_draw(sample, text), 0);
    assert_string_equal(text, "");
}

TEST(nearest_valid_sample_is_drawn)
{
    unsigned char samples[5 * SKETCH_VALUES] = {0};
    straight_sample(samples + SKETCH_VALUES, vec3(0, 1, 0));
    straight_sample(samples + (size_t)4 * SKETCH_VALUES, vec3(0, 1, 0));
    assert_ptr_equal(thumbnail_sample(samples, 5, 0.26), samples + SKETCH_VALUES);
    assert_ptr_equal(thumbnail_sample(samples, 5, 9), samples + (size_t)4 * SKETCH_VALUES);
    assert_ptr_equal(thumbnail_sample(samples, 5, NAN), samples + SKETCH_VALUES);
    assert_null(thumbnail_sample(samples, 1, 0));
    assert_null(thumbnail_sample(NULL, 0, 0));
}
