/* formats/index: the content depends on the clips, not on order, interruption or shards; strangers are refused. */
#include "tests/support/assert_near.h"

#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/index/index.h"
#include "tests/support/hinge_clip.h"
#include "tests/support/old_index.h"
#include "tests/support/test_folder.h"

#define CLIPS 6

static const char *const paths[CLIPS] = {"a.bvh.h5", "b/walkFast01.bvh.h5", "b/x.h5", "c.h5", "d.h5", "e.h5"};

static ClipStats stats_of(int clip)
{
    ClipStats stats;
    Clip c = hinge_clip(60 + 10 * clip, 10 + clip);
    assert_int_equal(clip_stats_init(&stats, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    clip_free(&c);
    return stats;
}

static Index *open_index(const char *path)
{
    Index *index = NULL;
    Error err = {0};
    if (index_open(path, &index, &err))
        fail_msg("%s", err.text);
    return index;
}

static void put(Index *index, int clip)
{
    ClipStats stats = stats_of(clip);
    Error err = {0};
    if (index_put_clip(index, paths[clip], &stats, &err))
        fail_msg("%s", err.text);
    clip_stats_free(&stats);
}

static void finish(Index *index)
{
    Error err = {0};
    if (index_finish(index, &err))
        fail_msg("%s", err.text);
    index_close(index);
}

/* The rows of an answer: a name as it stands, anything else so that no digit is lost. Ids are no content. */
static void print_rows(sqlite3 *db, const char *question, FILE *out)
{
    sqlite3_stmt *rows = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, question, -1, &rows, NULL), SQLITE_OK);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        for (int c = 0; c < sqlite3_column_count(rows); c++) {
            const char *name = sqlite3_column_name(rows, c);
            const unsigned char *cell = sqlite3_column_text(rows, c);
            int is_blob = sqlite3_column_type(rows, c) == SQLITE_BLOB;
            for (int i = 0; is_blob && i < sqlite3_column_bytes(rows, c); i++)
                fprintf(out, "%02x", ((const unsigned char *)sqlite3_column_blob(rows, c))[i]);
            if (strcmp(name, "id") != 0 && strcmp(name, "clip_id") != 0 && !is_blob)
                fprintf(out, "%s|", cell ? (const char *)cell : "NULL");
        }
        fputc('\n', out);
    }
    sqlite3_finalize(rows);
    fputs("--\n", out);
}

/* Called for a row that must not be. */
static int is_damaged(void *context, int count, char **value, char **name)
{
    (void)context;
    (void)name;
    return count > 0 && value[0] != NULL;
}

/* The content: every table by path, and what the text search finds. */
static char *dump(const char *path)
{
    static const char *const of_clip[] = {"joint", "joint_stat", "window", "torque_peak", "foot_contact", "flight",
                                          "profile", "trace", "clip_summary"};
    char *text = NULL;
    size_t size;
    sqlite3 *db = NULL;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    print_rows(db, "SELECT * FROM clip ORDER BY path", out);
    for (size_t t = 0; t < sizeof of_clip / sizeof *of_clip; t++) {
        char *question = sqlite3_mprintf("SELECT c.path, t.* FROM %s t JOIN clip c ON c.id = t.clip_id"
                                         " ORDER BY 1, 3, 4", of_clip[t]);
        print_rows(db, question, out);
        sqlite3_free(question);
    }
    print_rows(db, "SELECT * FROM failure ORDER BY path", out);
    print_rows(db, "SELECT path FROM clip_text WHERE clip_text MATCH 'fast' ORDER BY 1", out);
    assert_int_equal(sqlite3_exec(db, "SELECT 1 FROM pragma_integrity_check WHERE integrity_check <> 'ok'", is_damaged,
                                  NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    fclose(out);
    return text;
}

static long long integer(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    long long value = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    sqlite3_close(db);
    return value;
}

/* All clips but the third, which failed, put in their order. */
static char *expected_dump(TestFolder *folder)
{
    const char *path = test_folder_file(folder, "expected.db");
    Index *index = open_index(path);
    for (int i = 0; i < CLIPS; i++)
        if (i != 2)
            put(index, i);
    assert_int_equal(index_put_failure(index, paths[2], 0, "import", "x.bvh:1:1: no", NULL), STATUS_OK);
    finish(index);
    return dump(path);
}

static void same(TestFolder *folder, const char *path)
{
    char *expected = expected_dump(folder), *actual = dump(path);
    assert_string_equal(actual, expected);
    free(expected);
    free(actual);
}

static void rows_say_what_the_clip_is(void **state)
{
    (void)state;
    TestFolder folder = test_folder_make();
    char *text = expected_dump(&folder);
    assert_non_null(strstr(text, "b/walkFast01.bvh.h5|hinge.bvh|b walk fast 01|"));
    assert_non_null(strstr(text, "b/x.h5|import|x.bvh:1:1: no|"));
    assert_non_null(strstr(text, "--\nb/walkFast01.bvh.h5|\n--\n")); /* the text search */
    free(text);
    const char *path = test_folder_file(&folder, "expected.db");
    assert_int_equal(integer(path, "SELECT count(*) FROM clip WHERE path = 'e.h5' AND frames = 110"), 1);
    assert_int_equal(integer(path, "SELECT count(*) FROM clip_summary WHERE path = 'a.bvh.h5'"
                                   " AND left_knee_torque_peak_nm = 10"
                                   " AND left_knee_torque_peak_frame = 25 AND torque_peak_role = 'left_knee'"
                                   " AND right_knee_torque_peak_nm IS NULL AND flight_s IS NULL"), 1);
    test_folder_remove(&folder);
}

static void order_of_completion_does_not_matter(void **state)
{
    (void)state;
    static const int orders[][CLIPS] = {{5, 4, 3, 2, 1, 0}, {2, 0, 5, 1, 4, 3}, {3, 4, 5, 2, 0, 1}};
    TestFolder folder = test_folder_make();
    for (int o = 0; o < 3; o++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%d.db", folder.path, o);
        Index *index = open_index(path);
        for (int i = 0; i < CLIPS; i++) {
            int clip = orders[o][i];
            if (clip == 2)
                assert_int_equal(index_put_failure(index, paths[2], 0, "import", "x.bvh:1:1: no", NULL), STATUS_OK);
            else
                put(index, clip);
            assert_int_equal(index_commit(index, NULL), STATUS_OK);
        }
        finish(index);
        same(&folder, path);
    }
    test_folder_remove(&folder);
}

static void an_interrupted_run_is_taken_up(void **state)
{
    (void)state;
    TestFolder folder = test_folder_make();
    char path[512];
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    Index *index = open_index(path);
    put(index, 4);
    put(index, 1);
    assert_int_equal(index_commit(index, NULL), STATUS_OK);
    put(index, 0); /* lost */
    index_close(index);
    assert_int_equal(integer(path, "SELECT count(*) FROM clip"), 2);
    index = open_index(path);
    put(index, 0);
    put(index, 3);
    put(index, 5);
    assert_int_equal(index_put_failure(index, paths[2], 0, "import", "x.bvh:1:1: no", NULL), STATUS_OK);
    finish(index);
    same(&folder, path);
    struct stat info;
    assert_int_not_equal(stat(test_folder_file(&folder, "index.db-wal"), &info), 0);
    test_folder_remove(&folder);
}

static void clips_come_and_go_between_others(void **state)
{
    (void)state;
    TestFolder folder = test_folder_make();
    char path[512];
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    Index *index = open_index(path);
    put(index, 4);
    put(index, 1);
    put(index, 2);
    ClipStats stats = stats_of(0);
    assert_int_equal(index_put_clip(index, "b/gone.h5", &stats, NULL), STATUS_OK);
    clip_stats_free(&stats);
    finish(index);
    long long id = integer(path, "SELECT id FROM clip WHERE path = 'd.h5'");
    assert_int_equal(integer(path, "SELECT max(id) FROM clip WHERE path = 'b/gone.h5'"), 4);
    index = open_index(path);
    assert_int_equal(index_remove(index, "b/gone.h5", NULL), STATUS_OK);
    put(index, 5);
    put(index, 0);
    put(index, 3);
    finish(index);
    /* and what once failed comes good, what was good fails */
    index = open_index(path);
    assert_int_equal(index_put_failure(index, paths[2], 0, "import", "x.bvh:1:1: no", NULL), STATUS_OK);
    assert_int_equal(index_put_failure(index, paths[0], 0, "import", "for now", NULL), STATUS_OK);
    finish(index);
    assert_int_equal(integer(path, "SELECT id FROM clip WHERE path = 'd.h5'"), id);   /* it keeps its id */
    assert_int_equal(integer(path, "SELECT count(*) FROM clip WHERE id IN (3, 4)"), 0); /* no id is given twice */
    index = open_index(path);
    put(index, 0);
    finish(index);
    same(&folder, path);
    test_folder_remove(&folder);
}

static void merged_shards_equal_one_run(void **state)
{
    (void)state;
    TestFolder folder = test_folder_make();
    char one[512], two[512], merged[512];
    snprintf(one, sizeof one, "%s/1.db", folder.path);
    snprintf(two, sizeof two, "%s/b/2.db", folder.path);
    snprintf(merged, sizeof merged, "%s/index.db", folder.path);
    assert_int_equal(mkdir(test_folder_file(&folder, "b"), 0777), 0);
    /* the second shard lies in the folder b: its paths start there */
    const char *in_b[] = {"../a.bvh.h5", "walkFast01.bvh.h5", "../d.h5"};
    const int clip_in_b[] = {0, 1, 4};
    Index *index = open_index(one);
    put(index, 3);
    put(index, 5);
    put(index, 1);
    assert_int_equal(index_put_failure(index, paths[2], 0, "import", "x.bvh:1:1: no", NULL), STATUS_OK);
    finish(index);
    index = open_index(two);
    for (int i = 0; i < 3; i++) {
        ClipStats stats = stats_of(clip_in_b[i]);
        assert_int_equal(index_put_clip(index, in_b[i], &stats, NULL), STATUS_OK);
        clip_stats_free(&stats);
    }
    finish(index);
    const char *shards[] = {one, two};
    index = open_index(merged);
    assert_int_equal(index_merge(index, shards, 2, NULL), STATUS_OK);
    finish(index);
    same(&folder, merged);
    test_folder_remove(&folder);
}

/* An index of the clips and failures that shard lists: positive a clip + 1, negative a failure. */
static void make_shard(const char *path, const int *shard)
{
    Index *index = NULL;
    assert_int_equal(index_open_anew(path, &index, NULL), STATUS_OK);
    for (; *shard; shard++)
        if (*shard > 0)
            put(index, *shard - 1);
        else
            assert_int_equal(index_put_failure(index, paths[-*shard - 1], 1, "import", "no", NULL), STATUS_OK);
    finish(index);
}

static char *merge_again(const char *merged, const char *const *shards)
{
    Index *index = open_index(merged);
    Error err = {0};
    if (index_merge(index, shards, 2, &err))
        fail_msg("%s", err.text);
    finish(index);
    return dump(merged);
}

/* Clips and failures that a shard no longer has are gone after the next merge, whatever else stays. */
static void merging_again_follows_the_shards(void **state)
{
    (void)state;
    TestFolder folder = test_folder_make();
    char one[512], two[512], merged[512], fresh[512];
    snprintf(one, sizeof one, "%s/1.db", folder.path);
    snprintf(two, sizeof two, "%s/2.db", folder.path);
    snprintf(merged, sizeof merged, "%s/index.db", folder.path);
    const char *const shards[] = {one, two};
    make_shard(merged, (const int[]){6, 0}); /* e.h5 is its own */
    make_shard(one, (const int[]){1, 2, -3, 0});
    make_shard(two, (const int[]){4, -5, 0});
    char *first = merge_again(merged, shards), *second = merge_again(merged, shards);
    assert_string_equal(first, second);
    long long id = integer(merged, "SELECT id FROM clip WHERE path = 'a.bvh.h5'");
    make_shard(one, (const int[]){1, 3, 0});  /* one vanished, one is mended */
    make_shard(two, (const int[]){-4, 5, 0}); /* one has gone bad, one is mended */
    char *third = merge_again(merged, shards);
    for (int i = 0; i < 2; i++) {
        snprintf(fresh, sizeof fresh, "%s/fresh%d.db", folder.path, i);
        make_shard(fresh, i ? (const int[]){1, 3, -4, 5, 6, 0} : (const int[]){6, 0});
        char *expected = i ? dump(fresh) : merge_again(fresh, shards);
        assert_string_equal(third, expected);
        free(expected);
    }
    assert_int_equal(integer(merged, "SELECT id FROM clip WHERE path = 'a.bvh.h5'"), id);
    free(first);
    free(second);
    free(third);
    test_folder_remove(&folder);
}

static void strangers_are_refused(void **state)
{
    (void)state;
    TestFolder folder = test_folder_make();
    char path[512];
    sqlite3 *db = NULL;
    Index *index = NULL, *other = NULL;
    Error err;
    snprintf(path, sizeof path, "%s/other.db", folder.path);
    sqlite3_open(path, &db);
    sqlite3_exec(db, "CREATE TABLE t(x)", NULL, NULL, NULL);
    sqlite3_close(db);
    assert_int_equal(index_open(path, &index, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "another program"));
    assert_null(index);
    snprintf(path, sizeof path, "%s/text.db", folder.path);
    FILE *text = fopen(path, "w");
    fputs("time\tjoint\tno database at all, but as long as the header of one, which is a hundred bytes long", text);
    fclose(text);
    assert_int_equal(index_open(path, &index, &err), STATUS_BAD_INPUT);
    snprintf(path, sizeof path, "%s/busy.db", folder.path);
    index = open_index(path);
    assert_int_equal(index_open(path, &other, &err), STATUS_IO);
    assert_non_null(strstr(err.text, "another process"));
    finish(index);
    assert_int_equal(index_open("/nonexistent/folder/index.db", &index, &err), STATUS_IO);
    test_folder_remove(&folder);
}

/* The tables are made anew and the caller fills them: the content is that of an index that was never another one. */
static void an_index_of_version_0_1_is_brought_up_to_date(void **state)
{
    (void)state;
    TestFolder folder = test_folder_make();
    char path[512];
    const char *const *listed;
    size_t count;
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    old_index_make(path, 1, "");
    Index *index = open_index(path);
    assert_string_equal(index_outdated(index, &listed, &count), "an older kane");
    assert_int_equal(count, CLIPS - 1);
    for (size_t i = 0; i < count; i++)
        put(index, (int)i + (i >= 2));
    finish(index);
    same(&folder, path);
    index = open_index(path);
    assert_null(index_outdated(index, &listed, &count));
    finish(index);
    test_folder_remove(&folder);
}

static void stamps_tell_what_is_unchanged(void **state)
{
    (void)state;
    TestFolder folder = test_folder_make();
    char path[512];
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    IndexStamp stamp = {.input_size = 10, .input_mtime_ns = 20, .output_size = 30, .output_mtime_ns = 40};
    IndexStamp now = stamp;
    strcpy(stamp.input_sha256, "abc");
    Index *index = open_index(path);
    assert_int_equal(index_compare(index, paths[1], &now, "--mass 70"), INDEX_NEW);
    put(index, 1);
    assert_int_equal(index_put_stamp(index, paths[1], "one.bvh", &stamp, "kane 1\n--mass 70", NULL), STATUS_OK);
    finish(index);
    index = open_index(path);
    assert_int_equal(index_compare(index, paths[1], &now, "kane 1\n--mass 70"), INDEX_UNCHANGED);
    assert_int_equal(index_compare(index, paths[1], &now, "kane 1\n--mass 71"), INDEX_OTHER_OPTIONS);
    assert_int_equal(index_compare(index, paths[1], &now, "kane 2\n--mass 70"), INDEX_OTHER_VERSION);
    assert_int_equal(index_compare(index, paths[2], &now, "kane 1\n--mass 70"), INDEX_NEW);
    now.input_mtime_ns = 21;
    assert_int_equal(index_compare(index, paths[1], &now, "kane 1\n--mass 70"), INDEX_ASK_CONTENT);
    strcpy(now.input_sha256, "abc");
    assert_int_equal(index_compare(index, paths[1], &now, "kane 1\n--mass 70"), INDEX_UNCHANGED);
    strcpy(now.input_sha256, "abd");
    assert_int_equal(index_compare(index, paths[1], &now, "kane 1\n--mass 70"), INDEX_OTHER_CONTENT);
    now = stamp;
    now.output_mtime_ns = 41;
    assert_int_equal(index_compare(index, paths[1], &now, "kane 1\n--mass 70"), INDEX_OTHER_OUTPUT);
    finish(index);
    /* a damaged file of stamps makes work, not errors */
    FILE *damaged = fopen(test_folder_file(&folder, "index.db.batch"), "w");
    for (int i = 0; i < 1000; i++)
        fputs("nonsense", damaged);
    fclose(damaged);
    index = open_index(path);
    assert_int_equal(index_compare(index, paths[1], &stamp, "--mass 70"), INDEX_NEW);
    assert_int_equal(index_put_stamp(index, paths[1], "one.bvh", &stamp, "--mass 70", NULL), STATUS_OK);
    assert_int_equal(index_compare(index, paths[1], &stamp, "--mass 70"), INDEX_UNCHANGED);
    /* no clip, no stamp */
    assert_int_equal(index_remove(index, paths[1], NULL), STATUS_OK);
    assert_int_equal(index_compare(index, paths[1], &stamp, "--mass 70"), INDEX_NEW);
    finish(index);
    test_folder_remove(&folder);
}

static void write_file(TestFolder *folder, const char *name)
{
    FILE *file = fopen(test_folder_file(folder, name), "w");
    assert_non_null(file);
    fclose(file);
}

/* What is still there, what lies elsewhere and what nobody knows the input of stays. */
static void what_lost_its_input_is_pruned(void **state)
{
    (void)state;
    TestFolder folder = test_folder_make(), elsewhere = test_folder_make();
    char path[512], gone[600], other[600];
    size_t removed;
    IndexStamp stamp = {.input_size = 1};
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    snprintf(gone, sizeof gone, "%s/gone.bvh", folder.path);
    snprintf(other, sizeof other, "%s/gone.bvh", elsewhere.path);
    write_file(&folder, "here.bvh");
    Index *index = open_index(path);
    for (int i = 0; i < 2; i++)
        put(index, i);
    assert_int_equal(index_put_failure(index, paths[2], 1, "import", "empty", NULL), STATUS_OK);
    put(index, 3);
    put(index, 4);
    const char *here = test_folder_file(&folder, "here.bvh");
    assert_int_equal(index_put_stamp(index, paths[0], here, &stamp, "", NULL), STATUS_OK);
    assert_int_equal(index_put_stamp(index, paths[1], gone, &stamp, "", NULL), STATUS_OK);
    assert_int_equal(index_put_stamp(index, paths[2], gone, &stamp, "", NULL), STATUS_OK);
    assert_int_equal(index_put_stamp(index, paths[3], other, &stamp, "", NULL), STATUS_OK);
    assert_int_equal(index_prune(index, folder.path, &removed, NULL), STATUS_OK);
    assert_int_equal(removed, 2);
    assert_int_equal(index_prune(index, folder.path, &removed, NULL), STATUS_OK);
    assert_int_equal(removed, 0);
    assert_int_equal(index_prune(index, "no/such/folder", &removed, NULL), STATUS_IO);
    finish(index);
    assert_int_equal(integer(path, "SELECT count(*) FROM clip"), 3);
    assert_int_equal(integer(path, "SELECT count(*) FROM failure"), 0);
    test_folder_remove(&elsewhere);
    test_folder_remove(&folder);
}

static void readers_see_what_is_committed(void **state)
{
    (void)state;
    TestFolder folder = test_folder_make();
    char path[512];
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    Index *index = open_index(path);
    put(index, 0);
    assert_int_equal(index_commit(index, NULL), STATUS_OK);
    put(index, 1);
    assert_int_equal(integer(path, "SELECT count(*) FROM clip_summary"), 1);
    finish(index);
    assert_int_equal(integer(path, "SELECT count(*) FROM clip_summary"), 2);
    /* nothing changed: the file stays as it is, byte for byte */
    struct stat before, after;
    assert_int_equal(stat(path, &before), 0);
    index = open_index(path);
    finish(index);
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(before.st_mtim.tv_sec, after.st_mtim.tv_sec);
    assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    test_folder_remove(&folder);
}

static void anew_nothing_is_left(void **state)
{
    (void)state;
    TestFolder folder = test_folder_make();
    free(expected_dump(&folder));
    const char *path = test_folder_file(&folder, "expected.db");
    Index *index = NULL;
    assert_int_equal(index_open_anew(path, &index, NULL), STATUS_OK);
    finish(index);
    char *text = dump(path);
    for (const char *c = text; *c; c++)
        assert_true(*c == '-' || *c == '\n');
    free(text);
    test_folder_remove(&folder);
}

static void put_tags(Index *index, int clip, const IndexTag *tags, int count, int is_news)
{
    int changed = 0;
    assert_int_equal(index_put_tags(index, paths[clip], tags, count, &changed, NULL), STATUS_OK);
    assert_int_equal(changed, is_news);
}

/* Tags are no content, so they are asked for by themselves. */
static void expect_tags(const char *path, const char *expected)
{
    sqlite3 *db = NULL;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    print_rows(db, "SELECT path, name AS n, value FROM tag JOIN clip ON clip.id = clip_id ORDER BY 1, 2", out);
    print_rows(db, "SELECT count(*) FROM tag WHERE clip_id NOT IN (SELECT id FROM clip)", out);
    fclose(out);
    sqlite3_close(db);
    assert_string_equal(text, expected);
    free(text);
}

static int stops_at_once(void)
{
    return 1;
}

/* A merge that is stopped leaves what was there, and can be done again. */
static void a_merge_stops_when_asked(void **state)
{
    (void)state;
    TestFolder folder = test_folder_make();
    free(expected_dump(&folder));
    char whole[600], merged[600];
    const char *const shards[] = {whole};
    snprintf(whole, sizeof whole, "%s", test_folder_file(&folder, "expected.db"));
    snprintf(merged, sizeof merged, "%s", test_folder_file(&folder, "stopped.db"));
    Error err = {0};
    Index *index = open_index(merged);
    put(index, 0);
    assert_int_equal(index_commit(index, NULL), STATUS_OK);
    index_stop_when(index, stops_at_once);
    assert_int_not_equal(index_merge(index, shards, 1, &err), STATUS_OK);
    assert_non_null(strstr(err.text, "interrupted"));
    index_close(index);
    index = open_index(merged);
    assert_int_equal(index_merge(index, shards, 1, NULL), STATUS_OK);
    finish(index);
    char *expected = dump(whole), *found = dump(merged);
    assert_string_equal(found, expected);
    free(expected);
    free(found);
    test_folder_remove(&folder);
}

static void tags_stay_with_the_clip(void **state)
{
    (void)state;
    TestFolder folder = test_folder_make();
    const IndexTag two[] = {{"actor", "Anna"}, {"show", "One"}}, other = {"actor", "Ben"};
    char path[600];
    snprintf(path, sizeof path, "%s", test_folder_file(&folder, "tagged.db"));
    Index *index = open_index(path);
    for (int c = 0; c < 3; c++)
        put(index, c);
    put_tags(index, 0, two, 2, 1);
    put_tags(index, 0, two, 2, 0);
    put_tags(index, 1, two, 2, 1);
    put_tags(index, 1, &other, 1, 1);
    put_tags(index, 2, two, 1, 1);
    put_tags(index, 4, two, 1, 0); /* there is no such clip */
    put(index, 0);
    assert_int_equal(index_remove(index, paths[2], NULL), STATUS_OK);
    finish(index);
    expect_tags(path, "a.bvh.h5|actor|Anna|\na.bvh.h5|show|One|\nb/walkFast01.bvh.h5|actor|Ben|\n--\n0|\n--\n");

    const char *const shards[] = {path};
    char merged[600];
    snprintf(merged, sizeof merged, "%s", test_folder_file(&folder, "merged.db"));
    for (int again = 0; again < 2; again++) {
        index = open_index(merged);
        assert_int_equal(index_merge(index, shards, 1, NULL), STATUS_OK);
        finish(index);
        expect_tags(merged, "a.bvh.h5|actor|Anna|\na.bvh.h5|show|One|\nb/walkFast01.bvh.h5|actor|Ben|\n--\n0|\n--\n");
    }
    index = open_index(path);
    put_tags(index, 1, NULL, 0, 1);
    assert_int_equal(index_put_failure(index, paths[0], 1, "import", "no", NULL), STATUS_OK);
    finish(index);
    expect_tags(path, "--\n0|\n--\n");
    index = open_index(merged);
    assert_int_equal(index_merge(index, shards, 1, NULL), STATUS_OK);
    finish(index);
    expect_tags(merged, "--\n0|\n--\n");
    assert_true(index_has_column("path") && index_has_column("Left_Knee_torque_peak_nm"));
    assert_false(index_has_column("actor"));
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_say_what_the_clip_is),
        cmocka_unit_test(order_of_completion_does_not_matter),
        cmocka_unit_test(an_interrupted_run_is_taken_up),
        cmocka_unit_test(clips_come_and_go_between_others),
        cmocka_unit_test(merged_shards_equal_one_run),
        cmocka_unit_test(merging_again_follows_the_shards),
        cmocka_unit_test(strangers_are_refused),
        cmocka_unit_test(an_index_of_version_0_1_is_brought_up_to_date),
        cmocka_unit_test(stamps_tell_what_is_unchanged),
        cmocka_unit_test(what_lost_its_input_is_pruned),
        cmocka_unit_test(a_merge_stops_when_asked),
        cmocka_unit_test(tags_stay_with_the_clip),
        cmocka_unit_test(readers_see_what_is_committed),
        cmocka_unit_test(anew_nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
