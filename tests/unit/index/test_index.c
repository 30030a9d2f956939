/* formats/index: content depends on the clips, not on order or interruptions; foreign files are rejected; file size per
 * clip and pages that a change touches are bounded. */
#include "tests/support/test.h"

#include <string.h>
#include <sys/stat.h>

#include "formats/base/bytes.h"
#include "tests/support/database_number.h"
#include "tests/support/index_case.h"
#include "tests/support/old_index.h"
#include "tests/support/sample_stats.h"

TEST(rows_describe_the_clip)
{
    TestFolder folder = test_folder_make();
    char *text = index_case_expected(&folder);
    assert_non_null(strstr(text, "b/walkFast01.bvh.h5|hinge.bvh|b walk fast 01|"));
    assert_non_null(strstr(text, "b/x.h5|import|x.bvh:1:1: no|"));
    assert_non_null(strstr(text, "--\nb/walkFast01.bvh.h5|\n--\n")); /* the text search */
    free(text);
    const char *path = test_folder_file(&folder, "expected.db");
    assert_int_equal(database_number(path, "SELECT count(*) FROM clip WHERE path = 'e.h5' AND frames = 110"), 1);
    assert_int_equal(database_number(path, "SELECT count(*) FROM clip_summary WHERE path = 'a.bvh.h5'"
                                   " AND left_knee_torque_peak_nm = 10"
                                   " AND left_knee_torque_peak_frame = 25 AND torque_peak_role = 'left_knee'"
                                   " AND right_knee_torque_peak_nm IS NULL AND flight_s IS NULL"), 1);
    test_folder_remove(&folder);
}

TEST(index_does_not_depend_on_completion_order)
{
    static const int orders[][INDEX_CASES] = {{5, 4, 3, 2, 1, 0}, {2, 0, 5, 1, 4, 3}, {3, 4, 5, 2, 0, 1}};
    TestFolder folder = test_folder_make();
    for (int o = 0; o < 3; o++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%d.db", folder.path, o);
        Index *index = index_case_open(path);
        for (int i = 0; i < INDEX_CASES; i++) {
            int clip = orders[o][i];
            if (clip == 2)
                index_case_fail(index, 2);
            else
                index_case_put(index, clip);
            assert_int_equal(index_commit(index, NULL), STATUS_OK);
        }
        index_case_finish(index);
        index_case_same(&folder, path);
    }
    test_folder_remove(&folder);
}

TEST(interrupted_run_is_resumed)
{
    TestFolder folder = test_folder_make();
    char path[512];
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    Index *index = index_case_open(path);
    index_case_put(index, 4);
    index_case_put(index, 1);
    assert_int_equal(index_commit(index, NULL), STATUS_OK);
    index_case_put(index, 0); /* lost */
    index_close(index);
    assert_int_equal(database_number(path, "SELECT count(*) FROM clip"), 2);
    index = index_case_open(path);
    index_case_put(index, 0);
    index_case_put(index, 3);
    index_case_put(index, 5);
    index_case_fail(index, 2);
    index_case_finish(index);
    index_case_same(&folder, path);
    struct stat info;
    assert_int_not_equal(stat(test_folder_file(&folder, "index.db-wal"), &info), 0);
    test_folder_remove(&folder);
}

TEST(clips_are_inserted_and_removed_between_others)
{
    TestFolder folder = test_folder_make();
    char path[512];
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    Index *index = index_case_open(path);
    index_case_put(index, 4);
    index_case_put(index, 1);
    index_case_put(index, 2);
    ClipStats stats = index_case_stats(0);
    assert_int_equal(index_put_clip(index, "b/gone.h5", &stats, NULL), STATUS_OK);
    clip_stats_free(&stats);
    index_case_finish(index);
    long long id = database_number(path, "SELECT id FROM clip WHERE path = 'd.h5'");
    assert_int_equal(database_number(path, "SELECT max(id) FROM clip WHERE path = 'b/gone.h5'"), 4);
    index = index_case_open(path);
    assert_int_equal(index_remove(index, "b/gone.h5", NULL), STATUS_OK);
    index_case_put(index, 5);
    index_case_put(index, 0);
    index_case_put(index, 3);
    index_case_finish(index);
    /* failed clips become good, good ones fail */
    index = index_case_open(path);
    index_case_fail(index, 2);
    assert_int_equal(index_put_failure(index, index_case_path[0], 0, "import", "for now", NULL), STATUS_OK);
    index_case_finish(index);
    assert_int_equal(database_number(path, "SELECT id FROM clip WHERE path = 'd.h5'"), id);   /* it keeps its ID */
    /* no ID is reused */
    assert_int_equal(database_number(path, "SELECT count(*) FROM clip WHERE id IN (3, 4)"), 0);
    index = index_case_open(path);
    index_case_put(index, 0);
    index_case_finish(index);
    index_case_same(&folder, path);
    test_folder_remove(&folder);
}

TEST(foreign_databases_are_refused)
{
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
    index = index_case_open(path);
    assert_int_equal(index_open(path, &other, &err), STATUS_IO);
    assert_non_null(strstr(err.text, "another process"));
    index_case_finish(index);
    assert_int_equal(index_open("/nonexistent/folder/index.db", &index, &err), STATUS_IO);
    test_folder_remove(&folder);
}

/* The tables are recreated and the caller fills them: the content is that of a new index. */
TEST(index_of_version_0_1_is_updated)
{
    TestFolder folder = test_folder_make();
    char path[512];
    const char *const *listed;
    size_t count;
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    old_index_make(path, 1, "DELETE FROM tag");
    Index *index = index_case_open(path);
    assert_string_equal(index_outdated(index, &listed, &count), "an older kane");
    assert_int_equal(count, INDEX_CASES - 1);
    for (size_t i = 0; i < count; i++)
        index_case_put(index, (int)i + (i >= 2));
    index_case_finish(index);
    index_case_same(&folder, path);
    index = index_case_open(path);
    assert_null(index_outdated(index, &listed, &count));
    index_case_finish(index);
    test_folder_remove(&folder);
}

TEST(stamps_identify_unchanged_inputs)
{
    TestFolder folder = test_folder_make();
    char path[512];
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    IndexStamp stamp = {.input_size = 10, .input_mtime_ns = 20, .output_size = 30, .output_mtime_ns = 40};
    IndexStamp now = stamp;
    strcpy(stamp.input_sha256, "abc");
    Index *index = index_case_open(path);
    assert_int_equal(index_compare(index, index_case_path[1], &now, "--mass 70"), INDEX_NEW);
    index_case_put(index, 1);
    assert_int_equal(index_put_stamp(index, index_case_path[1], "one.bvh", &stamp, "kane 1\n--mass 70", NULL),
                     STATUS_OK);
    index_case_finish(index);
    index = index_case_open(path);
    assert_int_equal(index_compare(index, index_case_path[1], &now, "kane 1\n--mass 70"), INDEX_UNCHANGED);
    assert_int_equal(index_compare(index, index_case_path[1], &now, "kane 1\n--mass 71"), INDEX_OTHER_OPTIONS);
    assert_int_equal(index_compare(index, index_case_path[1], &now, "kane 2\n--mass 70"), INDEX_OTHER_VERSION);
    assert_int_equal(index_compare(index, index_case_path[2], &now, "kane 1\n--mass 70"), INDEX_NEW);
    assert_int_equal(index_put_failure(index, index_case_path[2], 1, "import", "empty", NULL), STATUS_OK);
    assert_int_equal(index_compare(index, index_case_path[2], &now, "kane 1\n--mass 70"), INDEX_FAILED);
    now.input_mtime_ns = 21;
    assert_int_equal(index_compare(index, index_case_path[1], &now, "kane 1\n--mass 70"), INDEX_ASK_CONTENT);
    strcpy(now.input_sha256, "abc");
    assert_int_equal(index_compare(index, index_case_path[1], &now, "kane 1\n--mass 70"), INDEX_UNCHANGED);
    strcpy(now.input_sha256, "abd");
    assert_int_equal(index_compare(index, index_case_path[1], &now, "kane 1\n--mass 70"), INDEX_OTHER_CONTENT);
    now = stamp;
    now.output_mtime_ns = 41;
    assert_int_equal(index_compare(index, index_case_path[1], &now, "kane 1\n--mass 70"), INDEX_ASK_OUTPUT);
    now.output_is_same = 1;
    assert_int_equal(index_compare(index, index_case_path[1], &now, "kane 1\n--mass 70"), INDEX_UNCHANGED);
    index_case_finish(index);
    /* a damaged stamp file causes work, not errors */
    FILE *damaged = fopen(test_folder_file(&folder, "index.db.batch"), "w");
    for (int i = 0; i < 1000; i++)
        fputs("nonsense", damaged);
    fclose(damaged);
    index = index_case_open(path);
    assert_int_equal(index_compare(index, index_case_path[1], &stamp, "--mass 70"), INDEX_NEW);
    assert_int_equal(index_put_stamp(index, index_case_path[1], "one.bvh", &stamp, "--mass 70", NULL), STATUS_OK);
    assert_int_equal(index_compare(index, index_case_path[1], &stamp, "--mass 70"), INDEX_UNCHANGED);
    /* no clip, no stamp */
    assert_int_equal(index_remove(index, index_case_path[1], NULL), STATUS_OK);
    assert_int_equal(index_compare(index, index_case_path[1], &stamp, "--mass 70"), INDEX_NEW);
    index_case_finish(index);
    test_folder_remove(&folder);
}

static void write_file(TestFolder *folder, const char *name)
{
    FILE *file = fopen(test_folder_file(folder, name), "w");
    assert_non_null(file);
    fclose(file);
}

/* A clip of an earlier state of its source is kept, with a warning; the failure is recorded under the source's name. */
TEST(failed_source_keeps_its_earlier_clip)
{
    TestFolder folder = test_folder_make();
    char path[512];
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    Index *index = index_case_open(path);
    index_case_put(index, 1);
    for (int i = 0; i < 2; i++)
        assert_int_equal(index_put_stale(index, index_case_path[i], "import", "no", NULL), STATUS_OK);
    index_case_finish(index);
    assert_int_equal(database_number(path, "SELECT count(*) FROM clip WHERE path = 'b/walkFast01.bvh.h5'"), 1);
    assert_int_equal(database_number(path, "SELECT count(*) FROM warning WHERE kind = 'stale'"), 1);
    assert_int_equal(database_number(path, "SELECT count(*) FROM failure WHERE path = 'a.bvh'"), 1);
    assert_int_equal(database_number(path, "SELECT count(*) FROM failure WHERE path = 'b/walkFast01.bvh'"), 1);
    test_folder_remove(&folder);
}

/* Existing files, files elsewhere and files with unknown input are kept. */
TEST(clips_without_input_are_pruned)
{
    TestFolder folder = test_folder_make(), elsewhere = test_folder_make();
    char path[512], gone[600], other[600];
    size_t removed;
    IndexStamp stamp = {.input_size = 1};
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    snprintf(gone, sizeof gone, "%s/gone.bvh", folder.path);
    snprintf(other, sizeof other, "%s/gone.bvh", elsewhere.path);
    write_file(&folder, "here.bvh");
    Index *index = index_case_open(path);
    for (int i = 0; i < 2; i++)
        index_case_put(index, i);
    assert_int_equal(index_put_failure(index, index_case_path[2], 1, "import", "empty", NULL), STATUS_OK);
    index_case_put(index, 3);
    index_case_put(index, 4);
    const char *here = test_folder_file(&folder, "here.bvh");
    assert_int_equal(index_put_stamp(index, index_case_path[0], here, &stamp, "", NULL), STATUS_OK);
    assert_int_equal(index_put_stamp(index, index_case_path[1], gone, &stamp, "", NULL), STATUS_OK);
    assert_int_equal(index_put_stamp(index, index_case_path[2], gone, &stamp, "", NULL), STATUS_OK);
    assert_int_equal(index_put_stamp(index, index_case_path[3], other, &stamp, "", NULL), STATUS_OK);
    assert_int_equal(index_prune(index, folder.path, &removed, NULL), STATUS_OK);
    assert_int_equal(removed, 2);
    assert_int_equal(index_prune(index, folder.path, &removed, NULL), STATUS_OK);
    assert_int_equal(removed, 0);
    assert_int_equal(index_prune(index, "no/such/folder", &removed, NULL), STATUS_IO);
    index_case_finish(index);
    assert_int_equal(database_number(path, "SELECT count(*) FROM clip"), 3);
    assert_int_equal(database_number(path, "SELECT count(*) FROM failure"), 0);
    test_folder_remove(&elsewhere);
    test_folder_remove(&folder);
}

TEST(readers_see_committed_rows_only)
{
    TestFolder folder = test_folder_make();
    char path[512];
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    Index *index = index_case_open(path);
    index_case_put(index, 0);
    assert_int_equal(index_commit(index, NULL), STATUS_OK);
    index_case_put(index, 1);
    assert_int_equal(database_number(path, "SELECT count(*) FROM clip_summary"), 1);
    index_case_finish(index);
    assert_int_equal(database_number(path, "SELECT count(*) FROM clip_summary"), 2);
    /* nothing changed: the file is unchanged, byte for byte */
    struct stat before, after;
    assert_int_equal(stat(path, &before), 0);
    index = index_case_open(path);
    index_case_finish(index);
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(before.st_mtim.tv_sec, after.st_mtim.tv_sec);
    assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    test_folder_remove(&folder);
}

/* Rows with a clip file are read again; those without one are kept. */
TEST(rebuild_keeps_failures)
{
    static const char *const empty[] = {"clip", "clip_summary", "tag", "warning", "clip_text", "joint_stat"};
    TestFolder folder = test_folder_make();
    free(index_case_expected(&folder));
    const char *path = test_folder_file(&folder, "expected.db");
    Index *index = NULL;
    long long failures = database_number(path, "SELECT count(*) FROM failure");
    assert_true(failures > 0 && database_number(path, "SELECT count(*) FROM clip") > 0);
    assert_int_equal(index_open_anew(path, &index, NULL), STATUS_OK);
    index_case_finish(index);
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        char sql[80];
        snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", empty[i]);
        assert_int_equal(database_number(path, sql), 0);
    }
    assert_int_equal(database_number(path, "SELECT count(*) FROM failure"), failures);
    test_folder_remove(&folder);
}

enum { CLIPS = 200, JOINTS = 31, FRAMES = 135, PAGE = 16384, MAX_BYTES = 25000, MAX_PAGES = 40 };

/* Adds the clips first to last - 1 by number: "takes/0017.h5". */
static void put_clips(const char *path, const ClipStats *stats, int first, int last)
{
    Index *index = NULL;
    assert_int_equal(index_open(path, &index, NULL), STATUS_OK);
    for (int i = first; i < last; i++) {
        char name[32];
        snprintf(name, sizeof name, "takes/%04d.h5", i);
        assert_int_equal(index_put_clip(index, name, stats, NULL), STATUS_OK);
    }
    assert_int_equal(index_finish(index, NULL), STATUS_OK);
    index_close(index);
}

static void remove_clip(const char *path, const char *name)
{
    Index *index = NULL;
    assert_int_equal(index_open(path, &index, NULL), STATUS_OK);
    assert_int_equal(index_remove(index, name, NULL), STATUS_OK);
    assert_int_equal(index_finish(index, NULL), STATUS_OK);
    index_close(index);
}

typedef struct Bytes {
    char *bytes;
    size_t size;
} Bytes;

static Bytes read_index(const char *path)
{
    Bytes b;
    assert_int_equal(bytes_read_path(path, &b.bytes, &b.size, NULL), STATUS_OK);
    return b;
}

/* Number of pages of the second file that differ from the first or are new. */
static int changed_pages(Bytes a, Bytes b)
{
    int changed = 0;
    for (size_t at = 0; at < b.size; at += PAGE)
        changed += at >= a.size || memcmp(a.bytes + at, b.bytes + at, PAGE) != 0;
    return changed;
}

TEST(clip_size_in_the_index_is_bounded)
{
    TestFolder folder = test_folder_make();
    const char *path = test_folder_file(&folder, "index.db");
    ClipStats stats = sample_stats(FRAMES, JOINTS);
    put_clips(path, &stats, 0, CLIPS / 4);
    Bytes few = read_index(path);
    put_clips(path, &stats, CLIPS / 4, CLIPS);
    Bytes many = read_index(path);
    size_t each = (many.size - few.size) / (CLIPS - CLIPS / 4);
    if (each > MAX_BYTES)
        fail_msg("%zu bytes a clip", each);
    free(few.bytes);
    free(many.bytes);
    clip_stats_free(&stats);
    test_folder_remove(&folder);
}

/* Insertion at the front, and removal, leave the rows of all other clips in place. */
TEST(change_rewrites_only_its_pages)
{
    TestFolder folder = test_folder_make();
    const char *path = test_folder_file(&folder, "index.db");
    ClipStats stats = sample_stats(FRAMES, JOINTS);
    put_clips(path, &stats, 1, CLIPS);
    Bytes before = read_index(path);
    assert_true(before.size / PAGE > 4 * MAX_PAGES);
    put_clips(path, &stats, 0, 1);
    Bytes added = read_index(path);
    int pages = changed_pages(before, added);
    if (pages > MAX_PAGES)
        fail_msg("%d pages changed for one clip more", pages);
    remove_clip(path, "takes/0000.h5");
    Bytes removed = read_index(path);
    pages = changed_pages(added, removed);
    if (pages > MAX_PAGES)
        fail_msg("%d pages changed for one clip less", pages);
    free(before.bytes);
    free(added.bytes);
    free(removed.bytes);
    clip_stats_free(&stats);
    test_folder_remove(&folder);
}
