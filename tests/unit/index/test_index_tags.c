/* formats/index/index_tags: tags belong to a clip, are removed with it, follow it through a merge and survive a
 * rebuild. */
#include "tests/support/test.h"

#include <sqlite3.h>
#include <string.h>

#include "formats/index/index.h"
#include "formats/index/index_tags.h"
#include "tests/support/index_case.h"
#include "tests/support/sample_stats.h"
#include "tests/support/test_folder.h"

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

enum { JOINTS = 5, FRAMES = 20, TEXT_SIZE = 1024 };

static void put_clips(Index *index, int first, int last)
{
    ClipStats stats = sample_stats(FRAMES, JOINTS);
    for (int i = first; i < last; i++) {
        char name[32];
        snprintf(name, sizeof name, "takes/%02d.h5", i);
        assert_int_equal(index_put_clip(index, name, &stats, NULL), STATUS_OK);
    }
    clip_stats_free(&stats);
}

/* Clips 0 to 2, two of them with tags. */
static void make_tagged(const char *path)
{
    IndexTag two[] = {{"actor", "Anna"}, {"show", "One"}};
    Index *index = NULL;
    int changed;
    assert_int_equal(index_open(path, &index, NULL), STATUS_OK);
    put_clips(index, 0, 3);
    assert_int_equal(index_put_tags(index, "takes/00.h5", two, 2, &changed, NULL), STATUS_OK);
    assert_int_equal(index_put_tags(index, "takes/02.h5", two, 1, &changed, NULL), STATUS_OK);
    assert_int_equal(index_finish(index, NULL), STATUS_OK);
    index_close(index);
}

static void execute(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static int print_row(void *text, int columns, char **value, char **name)
{
    (void)name;
    for (int c = 0; c < columns; c++) {
        size_t used = strlen(text);
        snprintf((char *)text + used, TEXT_SIZE - used, "%s%c", value[c], c + 1 < columns ? '|' : ' ');
    }
    return 0;
}

static void expect(const char *path, const char *sql, const char *expected)
{
    char text[TEXT_SIZE] = "";
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, print_row, text, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_string_equal(text, expected);
}

#define TAGS "SELECT path, name, value FROM clip JOIN tag ON clip_id = id ORDER BY 1, 2"

/* Without clip files. */
TEST(tags_survive_a_rebuild)
{
    TestFolder folder = test_folder_make();
    const char *path = test_folder_file(&folder, "index.db");
    Index *index = NULL;
    (void)state;
    make_tagged(path);
    expect(path, TAGS, "takes/00.h5|actor|Anna takes/00.h5|show|One takes/02.h5|actor|Anna ");
    assert_int_equal(index_open_anew(path, &index, NULL), STATUS_OK);
    put_clips(index, 2, 4); /* clip 0 is missing, and its tags are meaningless without it */
    put_clips(index, 1, 2);
    assert_int_equal(index_finish(index, NULL), STATUS_OK);
    index_close(index);
    expect(path, TAGS, "takes/02.h5|actor|Anna ");
    expect(path, "SELECT count(*) FROM clip", "3 ");
    test_folder_remove(&folder);
}

TEST(tags_survive_another_version)
{
    TestFolder folder = test_folder_make();
    const char *path = test_folder_file(&folder, "index.db");
    const char *const *outdated;
    size_t count;
    Index *index = NULL;
    (void)state;
    make_tagged(path);
    execute(path, "ALTER TABLE clip ADD COLUMN more TEXT; UPDATE meta SET value = 'other' WHERE name = 'schema'");
    assert_int_equal(index_open(path, &index, NULL), STATUS_OK);
    assert_non_null(index_outdated(index, &outdated, &count));
    put_clips(index, 0, 3);
    assert_int_equal(index_finish(index, NULL), STATUS_OK);
    index_close(index);
    expect(path, TAGS, "takes/00.h5|actor|Anna takes/00.h5|show|One takes/02.h5|actor|Anna ");
    execute(path, "DROP TABLE tag; UPDATE meta SET value = 'older'"); /* a version without tags */
    assert_int_equal(index_open_anew(path, &index, NULL), STATUS_OK);
    put_clips(index, 0, 3);
    assert_int_equal(index_finish(index, NULL), STATUS_OK);
    index_close(index);
    expect(path, "SELECT count(*) FROM tag", "0 ");
    test_folder_remove(&folder);
}

/* Content that cannot be kept is reported: the old file stays. */
TEST(unreadable_tags_stop_a_rebuild)
{
    TestFolder folder = test_folder_make();
    const char *path = test_folder_file(&folder, "index.db");
    Index *index = NULL;
    (void)state;
    make_tagged(path);
    execute(path, "ALTER TABLE tag RENAME COLUMN value TO words");
    assert_int_equal(index_open_anew(path, &index, NULL), STATUS_OK);
    put_clips(index, 0, 3);
    assert_int_equal(index_finish(index, NULL), STATUS_BAD_INPUT);
    index_close(index);
    expect(path, "SELECT words FROM tag ORDER BY clip_id, name", "Anna One Anna ");
    test_folder_remove(&folder);
}
