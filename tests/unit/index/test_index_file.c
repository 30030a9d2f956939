/* formats/index/index_file: an index of another version is recognised, prints the rebuild command, and is unchanged
 * byte for byte until the new one is complete. */
#include "tests/support/test.h"

#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/base/bytes.h"
#include "formats/base/database.h"
#include "formats/index/index.h"
#include "formats/index/index_file.h"
#include "formats/index/index_schema.h"
#include "tests/support/database_number.h"
#include "tests/support/hinge_clip.h"
#include "tests/support/old_index.h"
#include "tests/support/test_folder.h"

/* An index with one more column but the same INDEX_SCHEMA: as written by a build with another column table. */
#define OTHER_TABLES "ALTER TABLE clip ADD COLUMN shoe_size REAL; UPDATE meta SET value = '0123456789abcdef'"

static const char *const paths[] = {"a.bvh.h5", "b.bvh.h5"};

static void put(Index *index, int clip)
{
    ClipStats stats;
    Error err = {0};
    Clip c = hinge_clip(60, 10 + clip);
    assert_int_equal(clip_stats_init(&stats, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    if (index_put_clip(index, paths[clip], &stats, &err))
        fail_msg("%s", err.text);
    clip_stats_free(&stats);
    clip_free(&c);
}

/* Two clips and a failure. */
static void make_index(const char *path)
{
    Index *index = NULL;
    assert_int_equal(index_open(path, &index, NULL), STATUS_OK);
    put(index, 0);
    put(index, 1);
    assert_int_equal(index_put_failure(index, "c.h5", 0, "import", "no", NULL), STATUS_OK);
    assert_int_equal(index_finish(index, NULL), STATUS_OK);
    index_close(index);
}

typedef struct Bytes {
    char *bytes;
    size_t size;
} Bytes;

static Bytes read_bytes(const char *path)
{
    Bytes b;
    assert_int_equal(bytes_read_path(path, &b.bytes, &b.size, NULL), STATUS_OK);
    return b;
}

static void assert_untouched(const char *path, Bytes before)
{
    Bytes now = read_bytes(path);
    assert_int_equal(now.size, before.size);
    assert_memory_equal(now.bytes, before.bytes, now.size);
    free(now.bytes);
}

static int is_beside(const char *path)
{
    char name[600];
    struct stat info;
    snprintf(name, sizeof name, "%s.rebuild", path);
    return stat(name, &info) == 0;
}

/* Reading reports its version and the rebuild command, and changes nothing. */
static void assert_not_read(const char *path, const char *maker, const char *remedy)
{
    sqlite3 *db = NULL;
    Error err = {0};
    assert_int_equal(index_file_read(path, &db, &err), STATUS_BAD_INPUT);
    assert_null(db);
    assert_non_null(strstr(err.text, maker));
    assert_non_null(strstr(err.text, remedy));
    assert_non_null(strstr(err.text, path));
}

/* An interrupted rebuild leaves the old index; a complete one leaves the whole new index. */
static void is_replaced_when_whole(const char *path, const char *maker)
{
    Index *index = NULL;
    const char *const *listed;
    size_t count;
    Bytes before = read_bytes(path);
    assert_int_equal(index_open(path, &index, NULL), STATUS_OK);
    assert_string_equal(index_outdated(index, &listed, &count), maker);
    put(index, 0);
    assert_int_equal(index_commit(index, NULL), STATUS_OK);
    assert_true(is_beside(path));
    assert_untouched(path, before);
    index_close(index);
    assert_false(is_beside(path));
    assert_untouched(path, before);
    assert_int_equal(index_open(path, &index, NULL), STATUS_OK);
    put(index, 0);
    put(index, 1);
    assert_untouched(path, before);
    assert_int_equal(index_finish(index, NULL), STATUS_OK);
    index_close(index);
    free(before.bytes);
    assert_false(is_beside(path));
    assert_int_equal(database_number(path, "SELECT count(*) FROM clip_summary"), 2);
    /* not read again, so it is kept */
    assert_int_equal(database_number(path, "SELECT count(*) FROM failure"), 1);
    assert_int_equal(database_number(path, "SELECT count(*) FROM clip_text WHERE clip_text MATCH 'a'"), 1);
}

TEST(other_tables_with_equal_version_are_reported)
{
    TestFolder folder = test_folder_make();
    char path[512];
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    make_index(path);
    old_index_make(path, 0, OTHER_TABLES);
    assert_not_read(path, "another kane made it", "kane index ");
    is_replaced_when_whole(path, "another kane");
    sqlite3 *db = NULL;
    assert_int_equal(index_file_read(path, &db, NULL), STATUS_OK);
    database_close(&db);
    test_folder_remove(&folder);
}

TEST(version_0_1_is_reported)
{
    TestFolder folder = test_folder_make();
    char path[512];
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    old_index_make(path, 1, "");
    assert_not_read(path, "an older kane made it (schema 4,", "kane index ");
    is_replaced_when_whole(path, "an older kane");
    assert_int_equal(database_number(path, "SELECT count(*) FROM tag"), 1); /* of the clips that are read again */
    assert_int_equal(database_number(path, "SELECT count(*) FROM tag JOIN clip ON clip_id = id WHERE path = 'a.bvh.h5' "
                                           "AND name = 'actor' AND value = 'Anna'"), 1);
    test_folder_remove(&folder);
}

/* Content of a newer version is only replaced on request. */
TEST(newer_index_is_refused_unless_rebuilt)
{
    TestFolder folder = test_folder_make();
    char path[512];
    Index *index = NULL;
    Error err = {0};
    const char *const *listed;
    size_t count;
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    make_index(path);
    old_index_make(path, 0, OTHER_TABLES "; PRAGMA user_version = 99");
    Bytes before = read_bytes(path);
    assert_not_read(path, "made by a newer kane (schema 99,", "kane index --rebuild ");
    assert_int_equal(index_open(path, &index, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "made by a newer kane"));
    assert_null(index);
    assert_int_equal(index_open_anew(path, &index, NULL), STATUS_OK);
    index_outdated(index, &listed, &count);
    assert_int_equal(count, 0);
    put(index, 0);
    assert_untouched(path, before);
    assert_int_equal(index_finish(index, NULL), STATUS_OK);
    index_close(index);
    assert_int_equal(database_number(path, "SELECT count(*) FROM clip"), 1);
    assert_int_equal(database_number(path, "SELECT count(*) FROM failure"), 1); /* in no clip file */
    assert_int_equal(database_number(path, "PRAGMA user_version"), INDEX_SCHEMA);
    free(before.bytes);
    test_folder_remove(&folder);
}

/* A second writer is rejected, and does not affect the first one's work. */
TEST(second_writer_is_refused)
{
    TestFolder folder = test_folder_make();
    char path[512];
    Index *index = NULL, *other = NULL;
    Error err = {0};
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    old_index_make(path, 1, "");
    assert_int_equal(index_open(path, &index, NULL), STATUS_OK);
    put(index, 0);
    assert_int_equal(index_open(path, &other, &err), STATUS_IO);
    assert_non_null(strstr(err.text, "another process"));
    assert_true(is_beside(path));
    assert_int_equal(index_finish(index, NULL), STATUS_OK);
    index_close(index);
    assert_int_equal(database_number(path, "SELECT count(*) FROM clip"), 1);
    test_folder_remove(&folder);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* Remains of a killed process do not enter the next index, files of others stay; file mode and symbolic links are
 * preserved. */
TEST(mode_and_links_are_kept_and_leftovers_excluded)
{
    TestFolder folder = test_folder_make();
    char path[512], link[512], beside[600];
    Index *index = NULL;
    struct stat info;
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    snprintf(link, sizeof link, "%s/link.db", folder.path);
    snprintf(beside, sizeof beside, "%s.rebuild", path);
    old_index_make(path, 1, "");
    write_file(beside, "notes of mine, which are no index of kane's but as long as the header of a database: "
                       "100 bytes");
    assert_int_equal(index_open(path, &index, NULL), STATUS_BAD_INPUT);
    assert_true(is_beside(path));
    assert_int_equal(unlink(beside), 0);
    make_index(beside);
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(symlink("index.db", link), 0);
    assert_int_equal(index_open(link, &index, NULL), STATUS_OK);
    put(index, 0);
    assert_int_equal(index_finish(index, NULL), STATUS_OK);
    index_close(index);
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 07777, 0640);
    assert_int_equal(database_number(path, "SELECT count(*) FROM clip"), 1);
    assert_false(is_beside(path));
    test_folder_remove(&folder);
}

/* An index with an unfinished transaction is recovered before it is replaced: its journal must not apply to the new
 * one. */
TEST(index_with_open_transaction_is_replaced)
{
    TestFolder folder = test_folder_make();
    char path[512];
    const char *const *listed;
    size_t count;
    Index *index = NULL;
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    old_index_make(path, 1, "PRAGMA journal_mode = WAL; DELETE FROM tag; DELETE FROM clip WHERE id > 3");
    assert_int_equal(index_open(path, &index, NULL), STATUS_OK);
    assert_string_equal(index_outdated(index, &listed, &count), "an older kane");
    assert_int_equal(count, 3);
    put(index, 0);
    assert_int_equal(index_finish(index, NULL), STATUS_OK);
    index_close(index);
    assert_int_equal(database_number(path, "SELECT count(*) FROM clip"), 1);
    test_folder_remove(&folder);
}

/* The fingerprint is that of the schema text; it depends on the tables only and is stored in the file. */
TEST(fingerprint_follows_from_the_tables)
{
    TestFolder folder = test_folder_make();
    char path[512], sql[256];
    IndexSchema one, two;
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    make_index(path);
    assert_int_equal(index_schema_init(&one, NULL), STATUS_OK);
    assert_int_equal(index_schema_init(&two, NULL), STATUS_OK);
    assert_string_equal(one.fingerprint, two.fingerprint);
    assert_int_equal(strspn(one.fingerprint, "0123456789abcdef"), 16);
    snprintf(sql, sizeof sql, "SELECT count(*) FROM meta WHERE name = 'schema' AND value = '%s'", one.fingerprint);
    assert_int_equal(database_number(path, sql), 1);
    for (int t = 0; t < TABLE_COUNT; t++)
        for (int c = 0; c < one.count[t]; c++) {
            const Column *column = &one.column[t][c];
            snprintf(sql, sizeof sql, "  %s %s", column->name, column->type);
            assert_non_null(strstr(one.text, sql));
        }
    index_schema_free(&one);
    index_schema_free(&two);
    test_folder_remove(&folder);
}
