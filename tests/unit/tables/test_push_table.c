/* tables/push_table: roles and points of pushes, and cells that are wrong. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/tables/push_table.h"
#include "tests/support/walker.h"

static Status read_text(const char *text, Pushes *out, Error *err)
{
    Skeleton s;
    char path[] = "/tmp/kane_table_XXXXXX";
    walker_skeleton(&s);
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    Status status = pushes_read(path, &s, out, err);
    unlink(path);
    skeleton_free(&s);
    return status;
}

TEST(rows_name_roles_and_may_have_points)
{
    Pushes p;
    assert_int_equal(read_text("joint\tnewton\tdirection\tstart\tseconds\tx\ty\tz\n"
                               "chest\t200\tback\t1\t0.2\t\t\t\nLeftLeg\t50\t-X\t0\t0.1\t0\t-0.2\t0.1\n", &p, NULL),
                     STATUS_OK);
    assert_int_equal(p.count, 2);
    assert_int_equal(p.push[0].joint, 10);
    assert_int_equal(p.push[0].has_point, 0);
    assert_near(p.push[0].direction.axis.z, -1, 0);
    assert_int_equal(p.push[1].joint, 2);
    assert_vec3_near(p.push[1].point, vec3(0, -0.2, 0.1), 0);
    assert_near(p.push[1].direction.axis.x, -1, 0);
    free(p.push);
}

TEST(wrong_cells_are_named)
{
    const char *row[] = {"nose\t200\tback\t1\t0.2\n", "chest\t200\taside\t1\t0.2\n", "chest\t-200\tback\t1\t0.2\n",
                         "chest\t200\tback\t1\t0\n", "chest\tx\tback\t1\t1\n"};
    const char *said[] = {"\"nose\"", "\"aside\"", "positive", "positive", "\"x\""};
    for (int i = 0; i < 5; i++) {
        Pushes p;
        Error err = {0};
        char text[256];
        snprintf(text, sizeof text, "joint\tnewton\tdirection\tstart\tseconds\n%s", row[i]);
        assert_int_equal(read_text(text, &p, &err), STATUS_BAD_INPUT);
        assert_non_null(strstr(err.text, said[i]));
        assert_int_equal(err.line, 2);
        assert_null(p.push);
    }
}
