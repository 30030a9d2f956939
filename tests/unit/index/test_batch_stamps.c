/* formats/index/batch_stamps: stamps decide which files a batch processes again; they are untrusted. */
#include "tests/support/test.h"

#include <string.h>
#include <sys/stat.h>

#include "formats/index/batch_stamps.h"
#include "formats/index/index.h"
#include "tests/support/test_folder.h"

#define REQUEST "kane 1\nrun --up Y"

static const IndexStamp first = {.input_size = 10, .input_mtime_ns = 20, .output_size = 30, .output_mtime_ns = 40,
                                 .input_sha256 = "aa"};

typedef struct Case {
    TestFolder folder;
    char index[300];
    BatchStamps stamps;
} Case;

static Case open_case(void)
{
    Case c = {.folder = test_folder_make()};
    snprintf(c.index, sizeof c.index, "%s/index.db", c.folder.path);
    assert_int_equal(mkdir(test_folder_file(&c.folder, "in"), 0777), 0);
    return c;
}

static BatchStamps *stamps_of(Case *c)
{
    c->stamps.index = c->index;
    return &c->stamps;
}

static void close_case(Case *c)
{
    batch_stamps_close(&c->stamps);
    test_folder_remove(&c->folder);
}

/* Valid until the next call. */
static const char *put_file(Case *c, const char *name, const char *text)
{
    const char *path = test_folder_file(&c->folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return path;
}

static void put(Case *c, const char *path, const char *input)
{
    assert_int_equal(batch_stamps_put(stamps_of(c), path, test_folder_file(&c->folder, input), &first, REQUEST, NULL),
                     STATUS_OK);
}

static IndexChange compare(Case *c, IndexStamp now, const char *request)
{
    return batch_stamps_compare(stamps_of(c), "a.h5", &now, request);
}

TEST(each_change_has_its_reason)
{
    Case c = open_case();
    assert_int_equal(batch_stamps_exist(c.index), 0);
    assert_int_equal(compare(&c, first, REQUEST), INDEX_NEW);
    put(&c, "a.h5", "in/a.bvh");
    assert_int_equal(batch_stamps_exist(c.index), 1);
    IndexStamp now = first;
    now.input_sha256[0] = 0;
    assert_int_equal(compare(&c, now, REQUEST), INDEX_UNCHANGED);
    assert_int_equal(compare(&c, now, "kane 2\nrun --up Y"), INDEX_OTHER_VERSION);
    assert_int_equal(compare(&c, now, "kane 1\nrun --up Z"), INDEX_OTHER_OPTIONS);
    assert_int_equal(compare(&c, now, "nothing"), INDEX_OTHER_OPTIONS);
    now.output_mtime_ns++;
    assert_int_equal(compare(&c, now, REQUEST), INDEX_ASK_OUTPUT);
    now.output_is_same = 1;
    assert_int_equal(compare(&c, now, REQUEST), INDEX_UNCHANGED);
    now.output_size++; /* another size: changed */
    assert_int_equal(compare(&c, now, REQUEST), INDEX_OTHER_OUTPUT);
    now = first;
    now.output_size++;
    assert_int_equal(compare(&c, now, REQUEST), INDEX_OTHER_OUTPUT);
    now = first;
    now.input_size++;
    assert_int_equal(compare(&c, now, REQUEST), INDEX_OTHER_CONTENT);
    now = first;
    now.input_mtime_ns++;
    assert_int_equal(compare(&c, now, REQUEST), INDEX_UNCHANGED); /* the content decides */
    strcpy(now.input_sha256, "ab");
    assert_int_equal(compare(&c, now, REQUEST), INDEX_OTHER_CONTENT);
    now.input_sha256[0] = 0;
    assert_int_equal(compare(&c, now, REQUEST), INDEX_ASK_CONTENT);
    close_case(&c);
}

TEST(changes_have_names)
{
    static const char *const names[] = {"unchanged", "unchanged", "unchanged", "new", "failed", "content", "option",
                                        "version", "output", "redo"};
    for (int i = 0; i < INDEX_CHANGE_COUNT; i++)
        assert_string_equal(index_change_name((IndexChange)i), names[i]);
}

/* Committed files are known to the next batch, others are processed again. */
TEST(next_batch_reads_committed_stamps)
{
    Case c = open_case();
    assert_int_equal(batch_stamps_commit(stamps_of(&c), NULL), STATUS_OK); /* nothing was opened */
    assert_int_equal(batch_stamps_exist(c.index), 0);
    put(&c, "a.h5", "in/a.bvh");
    assert_int_equal(batch_stamps_commit(&c.stamps, NULL), STATUS_OK);
    put(&c, "b.h5", "in/b.bvh");
    batch_stamps_close(&c.stamps);
    assert_int_equal(compare(&c, first, REQUEST), INDEX_UNCHANGED);
    assert_int_equal(batch_stamps_compare(&c.stamps, "b.h5", &first, REQUEST), INDEX_NEW);
    close_case(&c);
}

/* A stamp file that is damaged or of another version is recreated; failure to do so is an error. */
TEST(damaged_stamp_file_is_recreated)
{
    Case c = open_case();
    put_file(&c, "index.db.batch", "SQLite format 3\0 and then nothing of it, which is no database at all");
    put(&c, "a.h5", "in/a.bvh");
    assert_int_equal(compare(&c, first, REQUEST), INDEX_UNCHANGED);
    batch_stamps_close(&c.stamps);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(test_folder_file(&c.folder, "index.db.batch"), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "DROP TABLE IF EXISTS batch_file;"
                                      "CREATE TABLE batch_file(path TEXT, size INTEGER);"
                                      "INSERT INTO batch_file VALUES ('a.h5', 10)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    assert_int_equal(compare(&c, first, REQUEST), INDEX_NEW);
    put(&c, "a.h5", "in/a.bvh");
    assert_int_equal(compare(&c, first, REQUEST), INDEX_UNCHANGED);
    batch_stamps_close(&c.stamps);
    snprintf(c.index, sizeof c.index, "%s/nowhere/index.db", c.folder.path);
    assert_int_equal(compare(&c, first, REQUEST), INDEX_NEW);
    Error err = {0};
    assert_int_equal(batch_stamps_put(&c.stamps, "a.h5", c.folder.path, &first, REQUEST, &err), STATUS_IO);
    assert_non_null(strstr(err.text, "index.db.batch"));
    close_case(&c);
}

static char *other_of(Case *c, const char *path, const char *input)
{
    char *other = NULL;
    assert_int_equal(batch_stamps_other_input(stamps_of(c), path, test_folder_file(&c->folder, input), &other, NULL),
                     STATUS_OK);
    return other;
}

TEST(second_existing_input_of_a_clip_is_reported)
{
    Case c = open_case();
    char here[400], there[400];
    put_file(&c, "in/b.bvh", "b");
    snprintf(here, sizeof here, "%s", put_file(&c, "in/a.bvh", "a"));
    snprintf(there, sizeof there, "%s/in/link.bvh", c.folder.path);
    assert_int_equal(symlink(here, there), 0);
    put(&c, "a.h5", "in/a.bvh");
    char *other = other_of(&c, "a.h5", "in/b.bvh");
    assert_string_equal(other, here);
    free(other);
    assert_null(other_of(&c, "a.h5", "in/a.bvh"));
    assert_null(other_of(&c, "a.h5", "in/link.bvh")); /* the same inode */
    assert_null(other_of(&c, "unknown.h5", "in/b.bvh"));
    assert_int_equal(unlink(here), 0);
    assert_null(other_of(&c, "a.h5", "in/b.bvh"));
    assert_int_equal(batch_stamps_put(&c.stamps, "a.h5", "/no/such/folder/a.bvh", &first, REQUEST, NULL), STATUS_OK);
    assert_null(other_of(&c, "a.h5", "in/b.bvh")); /* an input whose folder is gone is unknown */
    close_case(&c);
}

TEST(earlier_output_is_identified_by_size_and_time)
{
    Case c = open_case();
    char here[400];
    IndexStamp now = first;
    snprintf(here, sizeof here, "%s", put_file(&c, "in/a.bvh", "a"));
    assert_int_equal(batch_stamps_is_own(stamps_of(&c), "a.h5", here, &now), 0);
    put(&c, "a.h5", "in/a.bvh");
    now.input_size++; /* edited since */
    assert_int_equal(batch_stamps_is_own(&c.stamps, "a.h5", here, &now), 1);
    assert_int_equal(batch_stamps_is_own(&c.stamps, "a.h5", put_file(&c, "in/b.bvh", "b"), &now), 0);
    now.output_mtime_ns++; /* another user's */
    assert_int_equal(batch_stamps_is_own(&c.stamps, "a.h5", here, &now), 0);
    batch_stamps_close(&c.stamps);
    snprintf(c.index, sizeof c.index, "%s/nowhere/index.db", c.folder.path);
    assert_int_equal(batch_stamps_is_own(&c.stamps, "a.h5", here, &first), 0);
    close_case(&c);
}

/* Joins the paths of its calls, with "!" for new ones; rejects "no.h5". */
static Status collect(void *context, const LostFile *lost, Error *err)
{
    char *list = context;
    assert_int_equal(lost->output_size, first.output_size);
    assert_int_equal(lost->output_mtime_ns, first.output_mtime_ns);
    strcat(strcat(strcat(list, lost->path), lost->is_new ? "!" : ""), " ");
    return strcmp(lost->path, "no.h5") == 0 ? error_set(err, STATUS_IO, "no") : STATUS_OK;
}

TEST(only_missing_inputs_below_the_folder_are_lost)
{
    Case c = open_case();
    char list[200] = "";
    put_file(&c, "in/stays.bvh", "");
    put(&c, "stays.h5", "in/stays.bvh");
    put(&c, "gone.h5", "in/gone.bvh");
    put(&c, "beside.h5", "gone.bvh");
    assert_int_equal(batch_stamps_lost(&c.stamps, test_folder_file(&c.folder, "in"), collect, list, NULL), STATUS_OK);
    assert_string_equal(list, "gone.h5! ");
    assert_int_equal(batch_stamps_compare(&c.stamps, "gone.h5", &first, REQUEST), INDEX_UNCHANGED);
    *list = 0;
    assert_int_equal(batch_stamps_lost(&c.stamps, c.folder.path, collect, list, NULL), STATUS_OK);
    assert_string_equal(list, "beside.h5! gone.h5! ");
    close_case(&c);
}

/* A path marked as lost remains known, but is processed again if its input returns. */
TEST(lost_paths_are_listed_until_removed)
{
    Case c = open_case();
    char list[200] = "";
    put_file(&c, "in/stays.bvh", "");
    put(&c, "gone.h5", "in/gone.bvh");
    const char *in = test_folder_file(&c.folder, "in");
    assert_int_equal(batch_stamps_mark_lost(&c.stamps, "gone.h5", NULL), STATUS_OK);
    assert_int_equal(batch_stamps_lost(&c.stamps, in, collect, list, NULL), STATUS_OK);
    assert_string_equal(list, "gone.h5 ");
    assert_int_not_equal(batch_stamps_compare(&c.stamps, "gone.h5", &first, REQUEST), INDEX_UNCHANGED);
    assert_int_equal(batch_stamps_forget(&c.stamps, "gone.h5", NULL), STATUS_OK);
    assert_int_equal(batch_stamps_compare(&c.stamps, "gone.h5", &first, REQUEST), INDEX_NEW);
    put(&c, "no.h5", "in/no.bvh");
    assert_int_equal(batch_stamps_lost(&c.stamps, in, collect, list, NULL), STATUS_IO);
    assert_int_equal(batch_stamps_lost(&c.stamps, "/no/such/folder", collect, list, NULL), STATUS_IO);
    close_case(&c);
}

TEST(shard_stamps_move_with_paths)
{
    Case c = open_case();
    Case shard = {.folder = c.folder};
    PathMove move = {0};
    snprintf(shard.index, sizeof shard.index, "%s/in/1.db", c.folder.path);
    put_file(&c, "in/a.bvh", "a");
    put_file(&c, "b.bvh", "b");
    put(&shard, "a.h5", "in/a.bvh");
    assert_int_equal(batch_stamps_commit(&shard.stamps, NULL), STATUS_OK);
    batch_stamps_close(&shard.stamps);
    assert_int_equal(path_move_init(&move, shard.index, c.index, NULL), STATUS_OK);
    assert_int_equal(batch_stamps_merge(stamps_of(&c), shard.index, &move, NULL), STATUS_OK);
    assert_int_equal(batch_stamps_compare(&c.stamps, "in/a.h5", &first, REQUEST), INDEX_UNCHANGED);
    char *other = other_of(&c, "in/a.h5", "b.bvh");
    assert_string_equal(other, test_folder_file(&c.folder, "in/a.bvh"));
    free(other);
    /* a missing and an unreadable one: the batch only processes more */
    assert_int_equal(batch_stamps_merge(&c.stamps, "/no/such/index.db", &move, NULL), STATUS_OK);
    put_file(&c, "in/1.db.batch", "what somebody wrote here is no table of stamps, however long it may be");
    assert_int_equal(batch_stamps_merge(&c.stamps, shard.index, &move, NULL), STATUS_OK);
    assert_int_equal(batch_stamps_compare(&c.stamps, "in/a.h5", &first, REQUEST), INDEX_UNCHANGED);
    path_move_free(&move);
    close_case(&c);
}

/* Joins the paths of its calls; rejects "no.h5". */
static Status collect_path(void *context, const char *path, Error *err)
{
    strcat(strcat(context, path), " ");
    return strcmp(path, "no.h5") == 0 ? error_set(err, STATUS_IO, "no") : STATUS_OK;
}

TEST(origins_are_listed_by_shard_until_they_are_dropped)
{
    Case c = open_case();
    char list[200] = "";
    BatchStamps *s = stamps_of(&c);
    assert_int_equal(batch_stamps_set_origin(s, "b.h5", "1.db", NULL), STATUS_OK);
    assert_int_equal(batch_stamps_set_origin(s, "a.h5", "1.db", NULL), STATUS_OK);
    assert_int_equal(batch_stamps_set_origin(s, "c.h5", "2.db", NULL), STATUS_OK);
    assert_int_equal(batch_stamps_set_origin(s, "no.h5", "3.db", NULL), STATUS_OK);
    assert_int_equal(batch_stamps_origins(s, "1.db", collect_path, list, NULL), STATUS_OK);
    assert_string_equal(list, "a.h5 b.h5 ");
    assert_int_equal(batch_stamps_set_origin(s, "a.h5", "2.db", NULL), STATUS_OK);
    assert_int_equal(batch_stamps_set_origin(s, "c.h5", NULL, NULL), STATUS_OK);
    list[0] = 0;
    assert_int_equal(batch_stamps_origins(s, "2.db", collect_path, list, NULL), STATUS_OK);
    assert_string_equal(list, "a.h5 ");
    assert_int_equal(batch_stamps_origins(s, "3.db", collect_path, list, NULL), STATUS_IO);
    close_case(&c);
}
