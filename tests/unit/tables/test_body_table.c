/* formats/tables/body_table: tables that replace the body, and errors. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/tables/body_table.h"
#include "tests/support/skeleton_rows.h"

#define HEADER "joint\tmass\tcom_x\tcom_y\tcom_z\tIxx\tIyy\tIzz\tIxy\tIxz\tIyz\n"

static const JointRow rows[] = {
    {"Upper", NULL, {0, 0, 0}, 0, {0, 0, 0}},
    {"Lower arm", "Upper", {0, -0.3, 0}, 0, {0, 0, 0}},
    {"Tip", "Lower arm", {0, -0.3, 0}, 0, {0, 0, 0}},
};

static Status read_text(const char *text, Body *b, Error *err)
{
    char path[] = "/tmp/kane_segments_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    Skeleton s;
    skeleton_from_rows(&s, rows, 3);
    Status status = segments_read(path, &s, b, err);
    skeleton_free(&s);
    unlink(path);
    return status;
}

TEST(rows_become_segments)
{
    Body b;
    Error err;
    assert_int_equal(read_text("# a comment\nnote\t" HEADER
                               "x\tLower arm\t1.54\t0\t-0.15\t0\t0.012\t0.00094\t0.0125\t0.001\t-0.002\t0.0001\r\n"
                               "y\tUpper\t2\t0.1\t0.2\t0.3\t1\t1\t3\t0\t0\t0\n", /* violates the triangle inequality */
                               &b, &err),
                     STATUS_OK);
    assert_near(b.mass[0], 2, 0);
    assert_near(b.mass[1], 1.54, 0);
    assert_near(b.mass[2], 0, 0); /* no row */
    assert_near(b.total_mass, 3.54, 1e-15);
    assert_vec3_near(b.com[1], vec3(0, -0.15, 0), 0);
    assert_near(b.inertia[1].xz, -0.002, 0);
    assert_near(b.inertia[0].zz, 3, 0);
    assert_string_equal(b.model, "segments");
    body_free(&b);
}

/* Round trip to the last digit; massless joints have no row. */
TEST(body_round_trip_is_exact)
{
    Skeleton s;
    Body b, back;
    char *text = NULL;
    size_t size;
    skeleton_from_rows(&s, rows, 3);
    assert_int_equal(body_init(&b, 3, NULL), STATUS_OK);
    b.mass[1] = 1.0 / 3;
    b.com[1] = vec3(0.1, -0.2, 1e-9);
    b.inertia[1] = (Sym3){.xx = 0.3, .yy = 0.2, .zz = 0.4, .xy = 0.01, .xz = -0.02, .yz = 1e-7};
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(segments_write(&s, &b, stream, NULL), STATUS_OK);
    fclose(stream);
    assert_int_equal(read_text(text, &back, NULL), STATUS_OK);
    assert_near(back.mass[1], b.mass[1], 0);
    assert_near(back.mass[0] + back.mass[2], 0, 0);
    assert_vec3_near(back.com[1], b.com[1], 0);
    assert_memory_equal(&back.inertia[1], &b.inertia[1], sizeof b.inertia[1]);
    free(text);
    body_free(&b);
    body_free(&back);
    skeleton_free(&s);
}

TEST(invalid_rows_report_line_and_column)
{
    static const struct {
        const char *text, *words;
        int line, column;
    } cases[] = {
        {HEADER "Foot\t1\t0\t0\t0\t1\t1\t1\t0\t0\t0\n", "unknown joint or role \"Foot\"", 2, 1},
        {HEADER "Tip\t1\t0\t0\t0\t1\t1\t1\t0\t0\t0\nTip\t1\t0\t0\t0\t1\t1\t1\t0\t0\t0\n", "line 2", 3, 1},
        {HEADER "Tip\t-1\t0\t0\t0\t1\t1\t1\t0\t0\t0\n", "negative", 2, 5},
        {HEADER "Tip\t1\t0\t0\t0\t1\t1\t1\t2\t0\t0\n", "semi-definite", 2, 0},
        {HEADER "Tip\t1\t0\t0\t0\t1\t-1\t1\t0\t0\t0\n", "semi-definite", 2, 0},
        {HEADER "Tip\t1\t0\tx\t0\t1\t1\t1\t0\t0\t0\n", "x", 2, 9},
        {HEADER "Tip\t1\t0\tnan\t0\t1\t1\t1\t0\t0\t0\n", "nan", 2, 9},
        {HEADER, "no segment has a mass", 0, 0},
        {"joint\tmass\nTip\t1\n", "com_x", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Body b;
        Error err = {0};
        assert_int_equal(read_text(cases[i].text, &b, &err), STATUS_BAD_INPUT);
        if (!strstr(err.text, cases[i].words))
            print_error("%s\n", err.text);
        assert_non_null(strstr(err.text, cases[i].words));
        if (cases[i].line) {
            assert_int_equal(err.line, cases[i].line);
            assert_int_equal(err.column, cases[i].column);
        }
        assert_null(b.mass);
    }
}

TEST(missing_file_is_an_io_error)
{
    Skeleton s;
    Body b;
    Error err;
    skeleton_from_rows(&s, rows, 3);
    assert_int_equal(segments_read("no/such/file.tsv", &s, &b, &err), STATUS_IO);
    skeleton_free(&s);
}
