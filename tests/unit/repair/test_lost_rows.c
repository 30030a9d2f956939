/* analysis/repair/lost_rows: lost rows come back where they were. */
#include "tests/support/test.h"

#include <stdlib.h>

#include "analysis/math/elementary.h"
#include "analysis/repair/lost_rows.h"

enum { ROWS = 60 };
static const double dt = 0.01;

/* A pose of two joints at a time: a swinging and turning chain. */
static void pose(double t, Vec3 *root, Quat rotation[2], Vec3 *translation)
{
    *root = vec3(elementary_sin(3 * t), t, elementary_cos(5 * t));
    rotation[0] = quat_from_axis_angle(vec3(0, 1, 0), 7 * t);
    rotation[1] = quat_mul(quat_from_axis_angle(vec3(1, 0, 0), elementary_sin(6 * t)),
                           quat_from_axis_angle(vec3(0, 0, 1), 4 * t));
    *translation = vec3(0, 0.3 + 0.1 * elementary_sin(8 * t), 0);
}

/* The rows of `all` frames without those that are lost; fills missing. */
static Motion make_motion(int all, const char *is_lost, int *missing)
{
    Motion m;
    int count = 0, lost = 0;
    for (int f = 0; f < all; f++)
        count += !is_lost[f];
    assert_int_equal(motion_init(&m, count, 2, dt, 1, NULL), STATUS_OK);
    for (int f = 0, row = 0; f < all; f++) {
        if (is_lost[f]) {
            lost++;
            continue;
        }
        pose(f * dt, &m.root_position[row], &m.rotation[2 * row], &m.translation[2 * row + 1]);
        if (f % 7 == 3) /* the other sign of the same rotation */
            m.rotation[2 * row] = (Quat){-m.rotation[2 * row].w, -m.rotation[2 * row].x, -m.rotation[2 * row].y,
                                         -m.rotation[2 * row].z};
        missing[row++] = lost;
        lost = 0;
    }
    return m;
}

static double largest_error(const Motion *m)
{
    double worst = 0;
    for (int f = 0; f < m->frame_count; f++) {
        Vec3 root, translation;
        Quat rotation[2];
        pose(f * dt, &root, rotation, &translation);
        worst = fmax(worst, vec3_distance(root, m->root_position[f]));
        worst = fmax(worst, vec3_distance(translation, m->translation[2 * f + 1]));
        for (int j = 0; j < 2; j++)
            worst = fmax(worst, sqrt(fmax(0, 1 - fabs(quat_dot(rotation[j], m->rotation[2 * f + j])))));
    }
    return worst;
}

static void assert_filled(const char *is_lost, double tolerance)
{
    int missing[ROWS] = {0};
    FilledFrame *frame;
    Motion m = make_motion(ROWS, is_lost, missing);
    int rows = m.frame_count;
    assert_int_equal(motion_fill_lost_rows(&m, missing, &frame, NULL), STATUS_OK);
    assert_int_equal(m.frame_count, ROWS);
    for (int f = 0, row = 0; f < ROWS; f++) {
        assert_int_equal(frame[f].is_filled, is_lost[f]);
        assert_int_equal(frame[f].row, row);
        row += !is_lost[f];
    }
    assert_int_equal(frame[ROWS - 1].row, rows - 1);
    assert_near(m.time[ROWS - 1], (ROWS - 1) * dt, 1e-12);
    if (!(largest_error(&m) < tolerance))
        print_error("error %g, at most %g\n", largest_error(&m), tolerance);
    assert_true(largest_error(&m) < tolerance);
    free(frame);
    motion_free(&m);
}

TEST(lost_rows_come_back_in_place)
{
    char single[ROWS] = {[20] = 1}, tenth[ROWS] = {0}, three[ROWS] = {[31] = 1, [32] = 1, [33] = 1};
    char at_ends[ROWS] = {[1] = 1, [ROWS - 2] = 1};
    for (int f = 9; f < ROWS - 1; f += 10)
        tenth[f] = 1;
    assert_filled(single, 1e-5);
    assert_filled(tenth, 1e-5);
    assert_filled(three, 1e-4);
    assert_filled(at_ends, 1e-3);
}

TEST(motion_without_gap_is_left_alone)
{
    char none[ROWS] = {0};
    int missing[ROWS] = {0};
    FilledFrame *frame;
    Motion m = make_motion(ROWS, none, missing);
    const Quat *before = m.rotation;
    assert_int_equal(motion_fill_lost_rows(&m, missing, &frame, NULL), STATUS_OK);
    assert_null(frame);
    assert_ptr_equal(m.rotation, before);
    motion_free(&m);
}
