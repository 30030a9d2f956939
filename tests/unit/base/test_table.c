/* formats/base/table: cells by column name; errors with line and column. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/base/table.h"

static Status parse(const char *text, Table *t, Error *err)
{
    *err = (Error){0};
    return table_parse(text, strlen(text), t, err);
}

static void assert_fails(const char *text, int line, int column, const char *words)
{
    Table t;
    Error err;
    assert_int_equal(parse(text, &t, &err), STATUS_BAD_INPUT);
    assert_int_equal(err.line, line);
    assert_int_equal(err.column, column);
    assert_non_null(strstr(err.text, words));
    assert_null(t.cell);
    table_free(&t);
}

TEST(columns_are_found_by_name)
{
    Table t;
    Error err;
    const char *text = "# made by hand\njoint\tmass\tnote\n\n# arm\nleft arm\t 1.5 \tx\nhead\t4e0\t\n";
    assert_int_equal(parse(text, &t, &err), 0);
    assert_int_equal(t.row_count, 2);
    assert_int_equal(t.column_count, 3);
    int mass;
    double value;
    assert_int_equal(table_require(&t, "mass", &mass, &err), STATUS_OK);
    assert_int_equal(table_find(&t, "note"), 2);
    assert_int_equal(table_find(&t, "Mass"), -1);
    assert_string_equal(t.cell[0], "left arm");
    assert_int_equal(table_number(&t, 0, mass, &value, &err), STATUS_OK);
    assert_near(value, 1.5, 0);
    assert_int_equal(table_number(&t, 1, mass, &value, &err), STATUS_OK);
    assert_near(value, 4, 0);
    assert_int_equal(t.line[0], 5);
    assert_int_equal(t.line[1], 6);
    table_free(&t);
}

TEST(line_ends_have_no_effect)
{
    const char *forms[] = {"a\tb\n1\t2\n3\t4", "\xEF\xBB\xBF\x61\tb\r\n1\t2\r\n3\t4\r\n", "a\tb\r1\t2\r3\t4\r",
                           "a\tb\t\n1\t2\t\n3\t4\t\t\n"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        Table t;
        Error err;
        double value;
        assert_int_equal(parse(forms[i], &t, &err), STATUS_OK);
        assert_int_equal(t.row_count, 2);
        assert_int_equal(t.line[1], 3);
        assert_int_equal(table_number(&t, 1, table_find(&t, "b"), &value, &err), STATUS_OK);
        assert_near(value, 4, 0);
        table_free(&t);
    }
}

TEST(header_only_is_an_empty_table)
{
    Table t;
    Error err;
    assert_int_equal(parse("joint\tmass", &t, &err), STATUS_OK);
    assert_int_equal(t.row_count, 0);
    int column;
    assert_int_equal(table_require(&t, "com_x", &column, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "com_x"));
    table_free(&t);
}

TEST(invalid_tables_report_line_and_column)
{
    assert_fails("", 0, 0, "no header row");
    assert_fails("# only a comment\n \t\n", 0, 0, "no header row");
    assert_fails("a\tb\ta\n", 1, 5, "\"a\" appears twice");
    assert_fails("a\tb\n1\t2\n3\n", 3, 1, "row of 1 cells, the header has 2");
    assert_fails("a\tb\n1\t2\t 7\n", 2, 6, "\"7\" is beyond the 2 columns");
    Table t;
    Error err;
    assert_int_equal(table_parse("a\n\0\n", 4, &t, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "NUL"));
}

TEST(invalid_numbers_report_line_and_column)
{
    Table t;
    Error err;
    double value = 7;
    assert_int_equal(parse("# c\njoint\tmass\nhip\t1.5kg\nknee\t nan\nfoot\t\ntoe\t1e999\n", &t, &err), STATUS_OK);
    const int place[] = {5, 7, 6, 5};
    for (int row = 0; row < 4; row++) {
        assert_int_equal(table_number(&t, row, 1, &value, &err), STATUS_BAD_INPUT);
        assert_int_equal(err.line, row + 3);
        assert_int_equal(err.column, place[row]);
        assert_non_null(strstr(err.text, "\"mass\""));
    }
    assert_near(value, 7, 0);
    table_free(&t);
}

TEST(files_are_read_and_missing_files_reported)
{
    char path[] = "/tmp/kane_test_table_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "a\tb\n1\t2\n", 8), 8);
    close(fd);
    Table t;
    Error err;
    assert_int_equal(table_read_path(path, &t, &err), STATUS_OK);
    assert_string_equal(t.cell[1], "2");
    table_free(&t);
    unlink(path);
    assert_int_equal(table_read_path(path, &t, &err), STATUS_IO);
    assert_non_null(strstr(err.text, "No such file"));
}
