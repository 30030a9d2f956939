/* An untrusted index runs no code, reads and writes no other file, and a damaged page is an error. */
#include "tests/support/test.h"

#include <dirent.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "formats/base/bytes.h"
#include "formats/index/index.h"
#include "formats/query/query.h"
#include "tests/support/database_number.h"
#include "tests/support/hinge_clip.h"
#include "tests/support/test_folder.h"

static const char *const paths[] = {"a.h5", "b.h5"};

/* Status of adding both clips to the file. */
static Status put_clips(const char *path)
{
    Index *index = NULL;
    Status status = index_open(path, &index, NULL);
    for (int i = 0; i < 2 && !status; i++) {
        ClipStats stats;
        Clip clip = hinge_clip(60, 10 + i);
        assert_int_equal(clip_stats_init(&stats, &clip, FRAMES_TRUSTED, NULL), STATUS_OK);
        status = index_put_clip(index, paths[i], &stats, NULL);
        clip_stats_free(&stats);
        clip_free(&clip);
    }
    if (!status)
        status = index_put_failure(index, "c.h5", 0, "import", "no", NULL);
    if (!status)
        status = index_finish(index, NULL);
    index_close(index);
    return status;
}

/* An index of two clips, modified by sql. */
static TestFolder hostile_index(char path[512], const char *sql)
{
    TestFolder folder = test_folder_make();
    sqlite3 *db = NULL;
    char *text = NULL;
    snprintf(path, 512, "%s/index.db", folder.path);
    assert_int_equal(put_clips(path), STATUS_OK);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &text) != SQLITE_OK)
        fail_msg("%s: %s", sql, text);
    sqlite3_close(db);
    return folder;
}

static Status ask(const char *path, const char *where, const char *sql)
{
    QueryDef def = query_default_def();
    Error err = {0};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    def.time_limit = 0.2;
    def.where = where;
    def.sql = sql;
    Status status = query_run(path, &def, out, &err);
    assert_true(status == STATUS_OK || err.text[0]);
    fclose(out);
    free(text);
    return status;
}

static int files_in(const TestFolder *folder)
{
    DIR *open = opendir(folder->path);
    int count = 0;
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open));)
        count += entry->d_name[0] != '.';
    closedir(open);
    return count;
}

TEST(triggers_do_not_run)
{
    char path[512];
    TestFolder folder = hostile_index(path, "CREATE TABLE seen(x);"
                                            "CREATE TRIGGER one AFTER INSERT ON clip BEGIN "
                                            "INSERT INTO seen VALUES (1); END;"
                                            "CREATE TRIGGER two AFTER DELETE ON clip BEGIN "
                                            "INSERT INTO seen VALUES (2); END");
    (void)state;
    assert_int_equal(put_clips(path), STATUS_OK);
    assert_int_equal(database_number(path, "SELECT count(*) FROM seen"), 0);
    /* foreign key cascades still do */
    assert_int_equal(database_number(path, "SELECT count(*) FROM clip_summary"), 2);
    test_folder_remove(&folder);
}

TEST(views_are_refused)
{
    static const char *const bodies[] = {
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) AS path FROM n",
        "SELECT load_extension('./evil') AS path",
        "SELECT hex(zeroblob(1000000000)) AS path",
        "SELECT fts5(1) AS path",
        "SELECT max(torque) AS path FROM kane_frames('a.h5')",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        char path[512], sql[512];
        snprintf(sql, sizeof sql, "DROP TABLE clip_summary; CREATE VIEW clip_summary AS %s", bodies[i]);
        TestFolder folder = hostile_index(path, sql);
        assert_int_not_equal(ask(path, NULL, NULL), STATUS_OK);
        assert_int_not_equal(ask(path, NULL, "SELECT * FROM clip_summary"), STATUS_OK);
        assert_int_equal(put_clips(path), STATUS_BAD_INPUT); /* an error of the file, not of kane */
        test_folder_remove(&folder);
    }
}

/* Columns, checks and indexes with function calls, planted past SQLite's own checks. */
TEST(expressions_of_the_schema_run_no_code)
{
    static const char *const changes[] = {
        "ALTER TABLE clip_summary ADD COLUMN evil TEXT AS (hex(zeroblob(900000000)))",
        "CREATE INDEX evil ON clip(hex(path)) WHERE path > zeroblob(10)",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'tags TEXT NOT NULL',"
        " 'tags TEXT NOT NULL CHECK (load_extension(''./evil'') IS NULL)') WHERE name = 'clip'",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql ="
        " 'CREATE VIRTUAL TABLE clip_text USING evil(path)' WHERE name = 'clip_text'",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 2 WHERE type = 'table' AND rootpage > 2",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE clip(x' WHERE name = 'clip'",
    };
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char path[512];
        TestFolder folder = hostile_index(path, changes[i]);
        ask(path, NULL, NULL);
        ask(path, "evil IS NOT NULL", NULL);
        ask(path, NULL, "SELECT * FROM clip_text WHERE clip_text MATCH 'a'");
        put_clips(path);
        assert_true(files_in(&folder) <= 3); /* its own and two of a journal */
        test_folder_remove(&folder);
    }
}

TEST(other_files_are_not_accessible)
{
    static const char *const statements[] = {
        "ATTACH '/etc/passwd' AS other",
        "SELECT load_extension('./evil')",
        "SELECT readfile('/etc/passwd')",
        "SELECT writefile('out', 'x')",
        "VACUUM INTO 'out'",
        "PRAGMA temp_store_directory = '/tmp'",
        "CREATE TEMP TABLE t(x)",
        "SELECT fts3_tokenizer('simple', x'00')",
        "SELECT * FROM pragma_journal_mode('delete')",
    };
    char path[512];
    TestFolder folder = hostile_index(path, "SELECT 1");
    (void)state;
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        assert_int_equal(ask(path, NULL, statements[i]), STATUS_USAGE);
    assert_int_equal(files_in(&folder), 1);
    test_folder_remove(&folder);
}

static void write_file(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* Each byte of the file header and page headers, and a sample of the rest: each with three other values. */
TEST(damaged_pages_are_errors)
{
    char path[512], *bytes;
    size_t size, count = 0;
    TestFolder folder = hostile_index(path, "SELECT 1");
    (void)state;
    assert_int_equal(bytes_read_path(path, &bytes, &size, NULL), STATUS_OK);
    for (size_t at = 0; at < size; at += at < 100 ? 3 : at % 8192 < 12 ? 1 : 1361, count++) {
        char kept = bytes[at];
        bytes[at] = (char)(count % 3 == 0 ? ~kept : count % 3 == 1 ? kept ^ 1 : 0x7f);
        write_file(path, bytes, size);
        ask(path, NULL, NULL);
        if (count % 8 == 0)
            put_clips(path);
        bytes[at] = kept;
        unlink(test_folder_file(&folder, "index.db-wal"));
        unlink(test_folder_file(&folder, "index.db-shm"));
        unlink(test_folder_file(&folder, "index.db-journal"));
    }
    for (size_t cut = 0; cut < size; cut += 8192 / 2 + 1) {
        write_file(path, bytes, cut);
        ask(path, NULL, NULL);
        put_clips(path);
        unlink(test_folder_file(&folder, "index.db-wal"));
        unlink(test_folder_file(&folder, "index.db-shm"));
        unlink(path);
    }
    write_file(path, bytes, size);
    assert_int_equal(ask(path, NULL, NULL), STATUS_OK);
    free(bytes);
    test_folder_remove(&folder);
}
