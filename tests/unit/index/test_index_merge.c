/* formats/index: merged shards equal one run, repeatedly. */
#include "tests/support/test.h"

#include <sys/stat.h>

#include "formats/index/index_options.h"
#include "formats/index/index_schema.h"
#include "tests/support/database_number.h"
#include "tests/support/index_case.h"
#include "tests/support/sample_stats.h"

TEST(merged_shards_equal_one_run)
{
    TestFolder folder = test_folder_make();
    char one[512], two[512], merged[512];
    snprintf(one, sizeof one, "%s/1.db", folder.path);
    snprintf(two, sizeof two, "%s/b/2.db", folder.path);
    snprintf(merged, sizeof merged, "%s/index.db", folder.path);
    assert_int_equal(mkdir(test_folder_file(&folder, "b"), 0777), 0);
    /* the second shard is in folder b: paths of index_case_path start there */
    const char *in_b[] = {"../a.bvh.h5", "walkFast01.bvh.h5", "../d.h5"};
    const int clip_in_b[] = {0, 1, 4};
    Index *index = index_case_open(one);
    index_case_put(index, 3);
    index_case_put(index, 5);
    index_case_put(index, 1);
    index_case_fail(index, 2);
    index_case_finish(index);
    index = index_case_open(two);
    for (int i = 0; i < 3; i++) {
        ClipStats stats = index_case_stats(clip_in_b[i]);
        assert_int_equal(index_put_clip(index, in_b[i], &stats, NULL), STATUS_OK);
        clip_stats_free(&stats);
    }
    index_case_finish(index);
    const char *shards[] = {one, two};
    index = index_case_open(merged);
    assert_int_equal(index_merge(index, shards, 2, NULL), STATUS_OK);
    index_case_finish(index);
    index_case_same(&folder, merged);
    test_folder_remove(&folder);
}

/* An index of the listed clips and failures: positive is clip + 1, negative a failure. */
static void make_shard(const char *path, const int *shard)
{
    Index *index = NULL;
    assert_int_equal(index_open_anew(path, &index, NULL), STATUS_OK);
    for (; *shard; shard++)
        if (*shard > 0)
            index_case_put(index, *shard - 1);
        else
            assert_int_equal(index_put_failure(index, index_case_path[-*shard - 1], 1, "import", "no", NULL),
                             STATUS_OK);
    index_case_finish(index);
}

static char *merge_again(const char *merged, const char *const *shards)
{
    Index *index = index_case_open(merged);
    Error err = {0};
    if (index_merge(index, shards, 2, &err))
        fail_msg("%s", err.text);
    index_case_finish(index);
    return index_case_dump(merged);
}

/* Clips and failures that a shard no longer has disappear in the next merge; others stay. */
TEST(repeated_merge_follows_the_shards)
{
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
    long long id = database_number(merged, "SELECT id FROM clip WHERE path = 'a.bvh.h5'");
    make_shard(one, (const int[]){1, 3, 0});  /* one vanished, one is repaired */
    make_shard(two, (const int[]){-4, 5, 0}); /* one has gone bad, one is repaired */
    char *third = merge_again(merged, shards);
    for (int i = 0; i < 2; i++) {
        snprintf(fresh, sizeof fresh, "%s/fresh%d.db", folder.path, i);
        make_shard(fresh, i ? (const int[]){1, 3, -4, 5, 6, 0} : (const int[]){6, 0});
        char *expected = i ? index_case_dump(fresh) : merge_again(fresh, shards);
        assert_string_equal(third, expected);
        free(expected);
    }
    assert_int_equal(database_number(merged, "SELECT id FROM clip WHERE path = 'a.bvh.h5'"), id);
    free(first);
    free(second);
    free(third);
    test_folder_remove(&folder);
}

/* A clip whose history has another line. */
static void put_with(Index *index, const char *path, const char *line)
{
    ClipStats stats;
    Clip c = hinge_clip(60, 10);
    assert_int_equal(clip_add_history(&c, line, NULL), STATUS_OK);
    assert_int_equal(clip_stats_init(&stats, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_int_equal(index_put_clip(index, path, &stats, NULL), STATUS_OK);
    clip_stats_free(&stats);
    clip_free(&c);
}

static Status note_difference(void *context, const OptionDifference *d, Error *err)
{
    char *text = context;
    (void)err;
    snprintf(text + strlen(text), 300 - strlen(text), "%s: %s (%lld) %s (%lld); ", d->option, d->side[0].value,
             d->side[0].clips, d->side[1].value, d->side[1].clips);
    return STATUS_OK;
}

/* For shards with different options, each difference is visited; for equal ones none. */
TEST(options_of_shards_are_compared)
{
    TestFolder folder = test_folder_make();
    char one[512], two[512], merged[512], text[300] = "";
    snprintf(one, sizeof one, "%s/1.db", folder.path);
    snprintf(two, sizeof two, "%s/2.db", folder.path);
    snprintf(merged, sizeof merged, "%s/index.db", folder.path);
    Index *index = index_case_open(one);
    put_with(index, "a.h5", "body --model deleva --mass 60");
    put_with(index, "b.h5", "body --model deleva --mass 60");
    index_case_finish(index);
    index = index_case_open(two);
    put_with(index, "c.h5", "body --model deleva --mass 90");
    index_case_finish(index);
    const char *const shards[] = {one, two}, *const same[] = {one};
    index = index_case_open(merged);
    assert_int_equal(index_compare_options(index, same, 1, note_difference, text, NULL), STATUS_OK);
    assert_string_equal(text, "");
    assert_int_equal(index_compare_options(index, shards, 2, note_difference, text, NULL), STATUS_OK);
    assert_string_equal(text, "body --mass: 60 (2) 90 (1); ");
    index_case_finish(index);
    test_folder_remove(&folder);
}

static int stops_at_once(void)
{
    return 1;
}

/* The merge can be repeated. */
TEST(interrupted_merge_changes_nothing)
{
    TestFolder folder = test_folder_make();
    free(index_case_expected(&folder));
    char whole[600], merged[600];
    const char *const shards[] = {whole};
    snprintf(whole, sizeof whole, "%s", test_folder_file(&folder, "expected.db"));
    snprintf(merged, sizeof merged, "%s", test_folder_file(&folder, "stopped.db"));
    Error err = {0};
    Index *index = index_case_open(merged);
    index_case_put(index, 0);
    assert_int_equal(index_commit(index, NULL), STATUS_OK);
    index_stop_when(index, stops_at_once);
    assert_int_not_equal(index_merge(index, shards, 1, &err), STATUS_OK);
    assert_non_null(strstr(err.text, "interrupted"));
    index_close(index);
    index = index_case_open(merged);
    assert_int_equal(index_merge(index, shards, 1, NULL), STATUS_OK);
    index_case_finish(index);
    char *expected = index_case_dump(whole), *found = index_case_dump(merged);
    assert_string_equal(found, expected);
    free(expected);
    free(found);
    test_folder_remove(&folder);
}

static void make_without_traces(const char *path, int clip)
{
    Index *index = index_case_open(path);
    assert_int_equal(index_leave_out_traces(index, NULL), STATUS_OK);
    index_case_put(index, clip);
    index_case_finish(index);
    index = index_case_open(path); /* and remains so */
    index_case_put(index, clip + 1);
    assert_int_equal(index_leave_out_traces(index, NULL), STATUS_OK);
    index_case_finish(index);
}

/* Clips without traces would be missing from results: all have them, or none. */
TEST(indexes_with_and_without_traces_are_not_merged)
{
    static const char traces[] = "SELECT count(*) FROM trace", clips[] = "SELECT count(*) FROM clip";
    TestFolder folder = test_folder_make();
    char with[512], without[512], merged[512];
    snprintf(with, sizeof with, "%s/1.db", folder.path);
    snprintf(without, sizeof without, "%s/2.db", folder.path);
    snprintf(merged, sizeof merged, "%s/index.db", folder.path);
    make_shard(with, (const int[]){1, 2, 0});
    make_without_traces(without, 3);
    assert_true(database_number(with, traces) > 0);
    assert_int_equal(database_number(without, traces), 0);
    assert_int_equal(database_number(without, clips), 2);
    Error err = {0};
    for (int first = 0; first < 2; first++) {
        const char *const both[] = {first ? with : without, first ? without : with};
        Index *index = index_case_open(merged);
        assert_int_equal(index_merge(index, both, 2, &err), STATUS_BAD_INPUT);
        assert_non_null(strstr(err.text, first ? "2.db has no traces" : "1.db has the traces"));
        index_close(index);
    }
    Index *index = index_case_open(with);
    assert_int_equal(index_leave_out_traces(index, &err), STATUS_USAGE);
    assert_non_null(strstr(err.text, "kane index --rebuild --no-trace"));
    index_close(index);
    const char *const one[] = {without};
    index = index_case_open(merged);
    assert_int_equal(index_merge(index, one, 1, NULL), STATUS_OK);
    index_case_put(index, 0);
    index_case_finish(index);
    assert_int_equal(database_number(merged, clips), 3);
    assert_int_equal(database_number(merged, traces), 0);
    test_folder_remove(&folder);
}

static Status merge_one(const char *merged, const char *shard, Error *err)
{
    const char *const shards[] = {shard};
    Index *index = index_case_open(merged);
    Status status = index_merge(index, shards, 1, err);
    if (status)
        index_close(index);
    else
        index_case_finish(index);
    return status;
}

/* A shard in the folder of an empty index keeps its IDs; one from another folder has other paths; a clip that is added
 * later has the next ID. */
TEST(first_shard_is_copied)
{
    static const char ids[] = "SELECT sum(id * id) FROM clip", last[] = "SELECT seq FROM sqlite_sequence",
                      indexed[] = "SELECT count(*) FROM trace INDEXED BY trace_by_clip WHERE clip_id > 0";
    TestFolder folder = test_folder_make();
    char shard[512], merged[512], away[512];
    snprintf(shard, sizeof shard, "%s/1.db", folder.path);
    snprintf(merged, sizeof merged, "%s/index.db", folder.path);
    snprintf(away, sizeof away, "%s/b/index.db", folder.path);
    assert_int_equal(mkdir(test_folder_file(&folder, "b"), 0777), 0);
    make_shard(shard, (const int[]){2, 6, 1, 4, -3, 0});
    Index *index = index_case_open(shard);
    assert_int_equal(index_remove(index, index_case_path[5], NULL), STATUS_OK);
    index_case_finish(index);
    assert_int_equal(merge_one(merged, shard, NULL), STATUS_OK);
    assert_int_equal(merge_one(away, shard, NULL), STATUS_OK);
    char *expected = index_case_dump(shard), *found = index_case_dump(merged);
    assert_string_equal(found, expected);
    assert_int_equal(database_number(merged, ids), 1 + 9 + 16);
    assert_int_equal(database_number(away, ids), 1 + 9 + 16);
    assert_int_equal(database_number(merged, last), 4);
    assert_int_equal(database_number(merged, indexed), database_number(shard, "SELECT count(*) FROM trace"));
    assert_int_equal(database_number(away, "SELECT count(*) FROM clip JOIN clip_summary s USING(path) WHERE path IN"
                                           " ('walkFast01.bvh.h5', '../a.bvh.h5', '../c.h5')"), 3);
    index = index_case_open(merged);
    index_case_put(index, 4);
    index_case_finish(index);
    assert_int_equal(database_number(merged, "SELECT id FROM clip WHERE path = 'd.h5'"), 5);
    free(expected);
    free(found);
    test_folder_remove(&folder);
}

/* A row of a clip that the shard lacks is refused in every table, in the first shard and in later ones. */
TEST(rows_of_unknown_clips_are_refused)
{
    TestFolder folder = test_folder_make();
    char shard[512], merged[512], other[512];
    snprintf(shard, sizeof shard, "%s/1.db", folder.path);
    snprintf(merged, sizeof merged, "%s/index.db", folder.path);
    snprintf(other, sizeof other, "%s/other.db", folder.path);
    for (int t = TABLE_CLIP + 1; t < TABLE_FAILURE; t++) {
        const char *table = index_table_name((IndexTable)t);
        make_shard(shard, (const int[]){1, 2, 0});
        make_shard(merged, (const int[]){0});
        make_shard(other, (const int[]){4, 0});
        sqlite3 *db = NULL;
        char *stray = sqlite3_mprintf("UPDATE %s SET clip_id = 77 WHERE clip_id = 2", table);
        assert_int_equal(sqlite3_open(shard, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, stray, NULL, NULL, NULL), SQLITE_OK);
        int changes = sqlite3_changes(db);
        sqlite3_free(stray);
        sqlite3_close(db);
        for (int is_first = 0; is_first < 2; is_first++) {
            Error err = {0};
            Status status = merge_one(is_first ? merged : other, shard, &err);
            assert_int_equal(status, changes ? STATUS_BAD_INPUT : STATUS_OK);
            assert_true(!changes || strstr(err.text, "damaged"));
        }
    }
    test_folder_remove(&folder);
}

/* A merge into a new file writes pages directly, one into an older file to its write-ahead log, so that the file is
 * unchanged until the end. */
TEST(merge_into_a_new_index_writes_no_log)
{
    enum { CLIPS = 60, JOINTS = 5, FRAMES = 20 };
    TestFolder folder = test_folder_make();
    ClipStats stats = sample_stats(FRAMES, JOINTS);
    char shard[512], merged[512], log[520];
    Index *index = NULL;
    struct stat info;
    (void)state;
    snprintf(shard, sizeof shard, "%s", test_folder_file(&folder, "shard.db"));
    snprintf(merged, sizeof merged, "%s", test_folder_file(&folder, "merged.db"));
    snprintf(log, sizeof log, "%s-wal", merged);
    assert_int_equal(index_open(shard, &index, NULL), STATUS_OK);
    for (int i = 0; i < CLIPS; i++) {
        char name[32];
        snprintf(name, sizeof name, "takes/%02d.h5", i);
        assert_int_equal(index_put_clip(index, name, &stats, NULL), STATUS_OK);
    }
    clip_stats_free(&stats);
    assert_int_equal(index_finish(index, NULL), STATUS_OK);
    index_close(index);
    for (int is_new = 1; is_new >= 0; is_new--) {
        assert_int_equal(index_open(merged, &index, NULL), STATUS_OK);
        assert_int_equal(index_merge(index, (const char *const[]){shard}, 1, NULL), STATUS_OK);
        assert_int_equal(stat(log, &info) == 0, !is_new);
        assert_int_equal(index_finish(index, NULL), STATUS_OK);
        index_close(index);
        assert_int_equal(database_number(merged, "SELECT count(*) FROM clip"), CLIPS);
        assert_int_equal(database_number(merged, "SELECT count(*) FROM pragma_journal_mode WHERE journal_mode ="
                                         " 'delete'"), 1);
        assert_int_equal(database_number(merged, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check ="
                                         " 'ok'"), 1);
    }
    test_folder_remove(&folder);
}
