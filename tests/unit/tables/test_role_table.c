/* formats/tables/role_table: roles of joints, printed and read. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/tables/role_table.h"
#include "tests/support/skeleton_rows.h"

static Status read_text(const char *text, RoleMap *out, Error *err)
{
    char path[] = "/tmp/kane_roles_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    Status status = role_table_read(path, out, err);
    unlink(path);
    return status;
}

TEST(printed_table_is_read_again)
{
    char *text = NULL;
    size_t size;
    double likelihood[ROLE_COUNT] = {[ROLE_HIPS] = 0.9876};
    Skeleton s;
    RoleMap map;
    skeleton_from_rows(&s, humanoid_rows, HUMANOID_JOINTS);
    s.role[0] = ROLE_HIPS;
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(role_table_write(&s, likelihood, stream, NULL), STATUS_OK);
    fclose(stream);
    assert_non_null(strstr(text, "joint\trole\tlikelihood\nHips\thips\t0.988\nSpine\t-\t\n"));
    assert_int_equal(read_text(text, &map, NULL), STATUS_OK);
    assert_int_equal(map.count, HUMANOID_JOINTS);
    assert_string_equal(map.row[0].joint, "Hips");
    assert_int_equal(map.row[0].role, ROLE_HIPS);
    assert_int_equal(map.row[1].role, ROLE_NONE);
    role_map_free(&map);
    free(text);
    skeleton_free(&s);
}

TEST(errors_have_a_position)
{
    RoleMap map;
    Error err = {0};
    assert_int_equal(read_text("joint\trole\nHips\tpelvis\n", &map, &err), STATUS_BAD_INPUT);
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 6);
    assert_non_null(strstr(err.text, "unknown role \"pelvis\""));
    assert_int_equal(read_text("joint\trole\nA\thips\nB\thips\n", &map, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "role hips has a row already, in line 2"));
    assert_int_equal(read_text("joint\tpart\nA\thips\n", &map, &err), STATUS_BAD_INPUT);
}
