/* formats/tables/strength_table: the curves of one subject, and impossible values. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/tables/strength_table.h"

#define HEADER "motion\ttorque_max\tspeed_max\tangle\twidth\teccentric\thalf\tpassive_zero\tpassive_one\n"

static Status read_text(const char *text, PersonCurve **curves, int *count, Error *err)
{
    char path[] = "/tmp/kane_strength_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    Status status = strength_table_read(path, curves, count, err);
    unlink(path);
    return status;
}

/* data/strength_athlete.tsv equals the compiled table strength_athlete. */
TEST(athlete_table_equals_built_in_athlete)
{
    PersonCurve *curves;
    int count;
    Error err;
    assert_int_equal(strength_table_read("data/strength_athlete.tsv", &curves, &count, &err), STATUS_OK);
    assert_int_equal(count, strength_athlete_count);
    for (int i = 0; i < count; i++) {
        int same = 0; /* compiled in another order */
        while (same < count - 1 && strength_athlete[same].motion != curves[i].motion)
            same++;
        const double *mine = &curves[i].torque_max, *compiled = &strength_athlete[same].torque_max;
        assert_int_equal(curves[i].motion, strength_athlete[same].motion);
        for (int v = 0; v < 8; v++)
            assert_near(mine[v], compiled[v], 0);
    }
    free(curves);
}

TEST(columns_are_found_by_name)
{
    PersonCurve *curves;
    int count;
    Error err;
    assert_int_equal(read_text("# mine\nhalf\twho\tmotion\ttorque_max\tspeed_max\tangle\twidth\teccentric\t"
                               "passive_zero\tpassive_one\r\n0.2\tme\tknee_flexion\t90\t15\t-0.5\t1.1\t1\t0\t-0.17\r\n",
                               &curves, &count, &err), STATUS_OK);
    assert_int_equal(count, 1);
    assert_int_equal(curves[0].motion, STRENGTH_KNEE_FLEXION);
    assert_near(curves[0].torque_max, 90, 0);
    assert_near(curves[0].speed_max, 15, 0);
    assert_near(curves[0].angle, -0.5, 0);
    assert_near(curves[0].width, 1.1, 0);
    assert_near(curves[0].eccentric, 1, 0);
    assert_near(curves[0].half, 0.2, 0);
    assert_near(curves[0].passive_zero, 0, 0);
    assert_near(curves[0].passive_one, -0.17, 0);
    free(curves);
}

TEST(invalid_rows_are_reported)
{
    static const struct {
        const char *text, *words;
        int line, column;
    } cases[] = {
        {HEADER "tail_flexion\t1\t1\t0\t1\t1\t0.2\t0\t1\n", "unknown motion \"tail_flexion\"", 2, 1},
        {HEADER "hip_flexion\t0\t1\t0\t1\t1\t0.2\t0\t1\n", "torque_max is not above 0", 2, 13},
        {HEADER "hip_flexion\t1\t-1\t0\t1\t1\t0.2\t0\t1\n", "speed_max is not above 0", 2, 15},
        {HEADER "hip_flexion\t1\t1\t0\t0\t1\t0.2\t0\t1\n", "width is not above 0", 2, 19},
        {HEADER "hip_flexion\t1\t1\t0\t1\t1\t0\t0\t1\n", "half is not above 0", 2, 23},
        {HEADER "hip_flexion\t1\t1\t0\t1\t1\t1\t0\t1\n", "below 1", 2, 23},
        {HEADER "hip_flexion\t1\t1\t0\t1\t0.9\t0.2\t0\t1\n", "eccentric is a gain of 1 or more", 2, 21},
        {HEADER "hip_flexion\t1\t1\t0\t1\t1\t0.2\t1\t1\n", "passive_one equals passive_zero", 2, 29},
        {HEADER "hip_flexion\tx\t1\t0\t1\t1\t0.2\t0\t1\n", "x", 2, 13},
        {"motion\ttorque_max\n", "speed_max", 0, 0},
        {"torque_max\n", "motion", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PersonCurve *curves = (PersonCurve *)&cases;
        int count = 7;
        Error err = {0};
        assert_int_equal(read_text(cases[i].text, &curves, &count, &err), STATUS_BAD_INPUT);
        if (!strstr(err.text, cases[i].words) || (cases[i].line && err.line != cases[i].line) ||
            (cases[i].column && err.column != cases[i].column))
            fail_msg("%s\n-> %d:%d: %s", cases[i].text, err.line, err.column, err.text);
        assert_null(curves);
        assert_int_equal(count, 0);
    }
    PersonCurve *curves;
    int count;
    assert_int_equal(strength_table_read("/no/such/table.tsv", &curves, &count, NULL), STATUS_IO);
    assert_null(curves);
}
