/* formats/index: tags belong to a clip, are removed with it and follow it through a merge. */
#include "tests/support/test.h"

#include "formats/index/index.h"
#include "tests/support/index_case.h"

static void put_tags(Index *index, int clip, const IndexTag *tags, int count, int is_news)
{
    int changed = 0;
    assert_int_equal(index_put_tags(index, index_case_path[clip], tags, count, &changed, NULL), STATUS_OK);
    assert_int_equal(changed, is_news);
}

/* Tags are not part of the content, so they are queried separately. */
static void expect_tags(const char *path, const char *expected)
{
    sqlite3 *db = NULL;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    index_case_print(db, "SELECT path, name AS n, value FROM tag JOIN clip ON clip.id = clip_id ORDER BY 1, 2", out);
    index_case_print(db, "SELECT count(*) FROM tag WHERE clip_id NOT IN (SELECT id FROM clip)", out);
    fclose(out);
    sqlite3_close(db);
    assert_string_equal(text, expected);
    free(text);
}

TEST(tags_follow_the_clip)
{
    TestFolder folder = test_folder_make();
    const IndexTag two[] = {{"actor", "Anna"}, {"show", "One"}}, other = {"actor", "Ben"};
    char path[600];
    snprintf(path, sizeof path, "%s", test_folder_file(&folder, "tagged.db"));
    Index *index = index_case_open(path);
    for (int c = 0; c < 3; c++)
        index_case_put(index, c);
    put_tags(index, 0, two, 2, 1);
    put_tags(index, 0, two, 2, 0);
    put_tags(index, 1, two, 2, 1);
    put_tags(index, 1, &other, 1, 1);
    put_tags(index, 2, two, 1, 1);
    put_tags(index, 4, two, 1, 0); /* no such clip */
    index_case_put(index, 0);
    assert_int_equal(index_remove(index, index_case_path[2], NULL), STATUS_OK);
    index_case_finish(index);
    expect_tags(path, "a.bvh.h5|actor|Anna|\na.bvh.h5|show|One|\nb/walkFast01.bvh.h5|actor|Ben|\n--\n0|\n--\n");

    const char *const shards[] = {path};
    char merged[600];
    snprintf(merged, sizeof merged, "%s", test_folder_file(&folder, "merged.db"));
    for (int again = 0; again < 2; again++) {
        index = index_case_open(merged);
        assert_int_equal(index_merge(index, shards, 1, NULL), STATUS_OK);
        index_case_finish(index);
        expect_tags(merged, "a.bvh.h5|actor|Anna|\na.bvh.h5|show|One|\nb/walkFast01.bvh.h5|actor|Ben|\n--\n0|\n--\n");
    }
    index = index_case_open(path);
    put_tags(index, 1, NULL, 0, 1);
    assert_int_equal(index_put_failure(index, index_case_path[0], 1, "import", "no", NULL), STATUS_OK);
    index_case_finish(index);
    expect_tags(path, "--\n0|\n--\n");
    index = index_case_open(merged);
    assert_int_equal(index_merge(index, shards, 1, NULL), STATUS_OK);
    index_case_finish(index);
    expect_tags(merged, "--\n0|\n--\n");
    assert_true(index_has_column("path") && index_has_column("Left_Knee_torque_peak_nm"));
    assert_false(index_has_column("actor"));
    test_folder_remove(&folder);
}
