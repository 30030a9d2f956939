/* formats/base/relative_path: a relative path refers to the same file from another folder. */
#include "tests/support/test.h"

#include <string.h>
#include <sys/stat.h>

#include "formats/base/relative_path.h"
#include "tests/support/test_folder.h"

static void expect(TestFolder *folder, const char *file, const char *database, const char *expected)
{
    char from[512], to[512], *out = NULL;
    snprintf(from, sizeof from, "%s/%s", folder->path, file);
    snprintf(to, sizeof to, "%s/%s", folder->path, database);
    assert_int_equal(relative_path(from, to, &out, NULL), STATUS_OK);
    assert_string_equal(out, expected);
    free(out);
}

TEST(path_is_relative_to_the_index_folder)
{
    TestFolder folder = test_folder_make();
    mkdir(test_folder_file(&folder, "a"), 0777);
    mkdir(test_folder_file(&folder, "a/b"), 0777);
    mkdir(test_folder_file(&folder, "ab"), 0777);
    expect(&folder, "x.h5", "index.db", "x.h5");
    expect(&folder, "a/b/x.h5", "index.db", "a/b/x.h5");
    expect(&folder, "x.h5", "a/b/index.db", "../../x.h5");
    expect(&folder, "ab/x.h5", "a/index.db", "../ab/x.h5");
    expect(&folder, "a/../a/./b//x.h5", "a/index.db", "b/x.h5");
    assert_int_equal(symlink("a/b", test_folder_file(&folder, "link")), 0);
    expect(&folder, "link/x.h5", "a/index.db", "b/x.h5");
    test_folder_remove(&folder);
}

TEST(path_is_rebased_between_indexes)
{
    TestFolder folder = test_folder_make();
    char one[512], two[512], *there = NULL, *back = NULL;
    mkdir(test_folder_file(&folder, "a"), 0777);
    snprintf(one, sizeof one, "%s/index.db", folder.path);
    snprintf(two, sizeof two, "%s/a/index.db", folder.path);
    /* the folder of the clip need not exist */
    PathMove to_two, to_one;
    assert_int_equal(path_move_init(&to_two, one, two, NULL), STATUS_OK);
    assert_int_equal(path_move_init(&to_one, two, one, NULL), STATUS_OK);
    assert_int_equal(path_move(&to_two, "takes/x.h5", &there, NULL), STATUS_OK);
    assert_string_equal(there, "../takes/x.h5");
    assert_int_equal(path_move(&to_one, there, &back, NULL), STATUS_OK);
    path_move_free(&to_two);
    path_move_free(&to_one);
    assert_string_equal(back, "takes/x.h5");
    free(there);
    free(back);
    test_folder_remove(&folder);
}

TEST(missing_folder_is_an_error)
{
    char *out = "what stood there";
    Error err;
    assert_int_equal(relative_path("/nonexistent/x.h5", "index.db", &out, &err), STATUS_IO);
    assert_non_null(strstr(err.text, "/nonexistent"));
    assert_null(out);
}
