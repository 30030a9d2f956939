/* formats/index: what a rebuilt index keeps of the old one, and how a new one is filled from others. */
#include "tests/support/test.h"

#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/index/index.h"
#include "tests/support/sample_stats.h"
#include "tests/support/test_folder.h"

enum { CLIPS = 60, JOINTS = 5, FRAMES = 20, TEXT_SIZE = 1024 };

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

/* A merge into a new file writes pages directly, one into an older file to its write-ahead log, so that the file is
 * unchanged until the end. */
TEST(merge_into_a_new_index_writes_no_log)
{
    TestFolder folder = test_folder_make();
    char shard[512], merged[512], log[520];
    Index *index = NULL;
    struct stat info;
    (void)state;
    snprintf(shard, sizeof shard, "%s", test_folder_file(&folder, "shard.db"));
    snprintf(merged, sizeof merged, "%s", test_folder_file(&folder, "merged.db"));
    snprintf(log, sizeof log, "%s-wal", merged);
    assert_int_equal(index_open(shard, &index, NULL), STATUS_OK);
    put_clips(index, 0, CLIPS);
    assert_int_equal(index_finish(index, NULL), STATUS_OK);
    index_close(index);
    for (int is_new = 1; is_new >= 0; is_new--) {
        assert_int_equal(index_open(merged, &index, NULL), STATUS_OK);
        assert_int_equal(index_merge(index, (const char *const[]){shard}, 1, NULL), STATUS_OK);
        assert_int_equal(stat(log, &info) == 0, !is_new);
        assert_int_equal(index_finish(index, NULL), STATUS_OK);
        index_close(index);
        expect(merged, "SELECT count(*) FROM clip; PRAGMA journal_mode; PRAGMA integrity_check", "60 delete ok ");
    }
    test_folder_remove(&folder);
}
