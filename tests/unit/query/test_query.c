/* formats/query: expressions, presets and formats over a small index; access is read-only. */
#include "tests/support/test.h"

#include <string.h>
#include <sys/stat.h>

#include "formats/container/container_store.h"
#include "formats/index/index.h"
#include "formats/index/index_tags.h"
#include "formats/query/query.h"
#include "formats/query/query_guard.h"
#include "tests/support/hinge_clip.h"
#include "tests/support/test_folder.h"

/* Three clips of 3 s with knee peaks at 10, 20 and 30 N m, and a failure. */
static const char *const paths[] = {"easy.h5", "middle.h5", "hard.h5", "bad.h5"};

typedef struct Library {
    TestFolder folder;
    char index[300];
} Library;

static int make_library(void **state)
{
    static Library library;
    Index *index = NULL;
    library.folder = test_folder_make();
    snprintf(library.index, sizeof library.index, "%s/index.db", library.folder.path);
    if (index_open(library.index, &index, NULL))
        return -1;
    for (int i = 0; i < 3; i++) {
        ClipStats stats;
        Clip clip = hinge_clip(300, 10 * (i + 1));
        if (clip_stats_init(&stats, &clip, FRAMES_TRUSTED, NULL) || index_put_clip(index, paths[i], &stats, NULL))
            return -1;
        clip_stats_free(&stats);
        clip_free(&clip);
    }
    const IndexTag tags[] = {{"actor", "Anna"}, {"group", "x"}};
    int changed;
    if (index_put_tags(index, paths[0], tags, 2, &changed, NULL) ||
        index_put_tags(index, paths[2], tags, 1, &changed, NULL))
        return -1;
    if (index_put_failure(index, paths[3], 0, "import", "no", NULL) || index_finish(index, NULL))
        return -1;
    index_close(index);
    *state = &library;
    return 0;
}

static int remove_library(void **state)
{
    test_folder_remove(&((Library *)*state)->folder);
    return 0;
}

/* Query result, owned by the caller; fails the test if the status differs. */
static char *ask(void **state, QueryDef def, Status expected, Error *err)
{
    const Library *library = *state;
    char *text = NULL;
    size_t size;
    Error own = {0};
    err = err ? err : &own;
    FILE *out = open_memstream(&text, &size);
    Status status = query_run(library->index, &def, out, err);
    fclose(out);
    if (status != expected)
        fail_msg("%s: %s", status_name(status), err->text);
    return text;
}

static void expect(void **state, QueryDef def, const char *expected)
{
    char *text = ask(state, def, STATUS_OK, NULL);
    assert_string_equal(text, expected);
    free(text);
}

TEST(expression_adds_its_columns_and_time)
{
    QueryDef def = query_default_def();
    def.where = "left_knee_torque_peak_nm > 15 AND fps = 100";
    expect(state, def,
           "path       left_knee_torque_peak_nm  left_knee_torque_peak_t  fps\n"
           "hard.h5                          30                     0.25  100\n"
           "middle.h5                        20                     0.25  100\n");
    def.where = NULL;
    def.columns = "path";
    def.order = "left_knee_torque_peak_nm DESC";
    def.limit = 1;
    expect(state, def, "path\nhard.h5\n");
    def.where = "path LIKE 'm%' -- a comment ends with its line";
    expect(state, def, "path\nmiddle.h5\n");
}

TEST(all_formats_have_equal_cells)
{
    static const char *const expected[] = {
        [QUERY_TABLE] = "path       x  none  text\neasy.h5  0.1  -     a\"b,c\\x09d\n",
        [QUERY_TSV] = "path\tx\tnone\ttext\neasy.h5\t0.1\t\ta\"b,c\\td\n",
        [QUERY_CSV] = "path,x,none,text\r\neasy.h5,0.1,,\"a\"\"b,c\td\"\r\n",
        [QUERY_JSON] = "[{\"path\": \"easy.h5\", \"x\": 0.1, \"none\": null, \"text\": \"a\\\"b,c\\td\"}]\n",
        [QUERY_JSONL] = "{\"path\": \"easy.h5\", \"x\": 0.1, \"none\": null, \"text\": \"a\\\"b,c\\td\"}\n",
    };
    QueryDef def = query_default_def();
    def.where = "clip_id = 1";
    def.columns = "path, 0.1 AS x, NULL AS none, 'a\"b,c' || char(9) || 'd' AS text";
    for (int f = 0; f < QUERY_FORMAT_COUNT; f++) {
        def.format = (QueryFormat)f;
        expect(state, def, expected[f]);
    }
}

TEST(empty_result_has_its_own_status)
{
    QueryDef def = query_default_def();
    def.where = "left_knee_torque_peak_nm > 1000";
    def.columns = "path";
    def.format = QUERY_TSV;
    char *text = ask(state, def, STATUS_NO_RESULT, NULL);
    assert_string_equal(text, "path\n");
    free(text);
}

TEST(unknown_column_is_reported_with_suggestions)
{
    Error err;
    QueryDef def = query_default_def();
    def.where = "left_kneee_torque_peak_nm > 1";
    free(ask(state, def, STATUS_USAGE, &err));
    assert_non_null(strstr(err.text, "\"left_kneee_torque_peak_nm\"; did you mean left_knee_torque_peak_nm?"));
    def.where = "path = \"easy\""; /* double quotes delimit a column name */
    free(ask(state, def, STATUS_USAGE, &err));
    assert_non_null(strstr(err.text, "unknown column \"easy\""));
    def.where = "@hardest";
    def.columns = "rolle";
    free(ask(state, def, STATUS_USAGE, &err));
    assert_non_null(strstr(err.text, "did you mean role"));
    def = query_default_def();
    def.sql = "SELECT mesage FROM failure";
    free(ask(state, def, STATUS_USAGE, &err));
    assert_non_null(strstr(err.text, "did you mean message"));
}

TEST(queries_cannot_write)
{
    static const char *const wheres[] = {
        "1); DELETE FROM clip; --",
        "1) UNION SELECT load_extension('x') --",
        "load_extension('x')",
        "1; ATTACH 'x' AS y",
        "(SELECT * FROM pragma_journal_mode('delete'))",
    };
    static const char *const statements[] = {
        "DELETE FROM clip",
        "UPDATE clip SET path = 'x'",
        "UPDATE sqlite_schema SET sql = 'x'",
        "DROP TABLE clip",
        "CREATE TABLE x(y)",
        "CREATE TEMP TABLE x(y)",
        "INSERT INTO clip_text(clip_text) VALUES ('rebuild')",
        "ATTACH 'x.db' AS x",
        "VACUUM INTO 'x.db'",
        "PRAGMA journal_mode = WAL",
        "PRAGMA query_only = 0",
        "BEGIN IMMEDIATE",
        "SELECT load_extension('x')",
        "SELECT 1; DELETE FROM clip",
        "",
    };
    struct stat before, after;
    const Library *library = *state;
    stat(library->index, &before);
    QueryDef def = query_default_def();
    for (size_t i = 0; i < sizeof wheres / sizeof *wheres; i++) {
        def.where = wheres[i];
        free(ask(state, def, STATUS_USAGE, NULL));
    }
    def.where = NULL;
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        def.sql = statements[i];
        free(ask(state, def, STATUS_USAGE, NULL));
    }
    stat(library->index, &after);
    assert_int_equal(before.st_size, after.st_size);
    assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
}

TEST(any_select_is_accepted)
{
    QueryDef def = query_default_def();
    def.format = QUERY_CSV;
    def.sql = "SELECT count(*) AS n, sum(mass_kg) AS m FROM clip JOIN joint_stat ON clip_id = id WHERE joint = 1;"
              " -- done";
    expect(state, def, "n,m\r\n3,150\r\n");
    def.sql = "SELECT c.path FROM clip_text t JOIN clip c ON c.id = t.rowid WHERE clip_text MATCH 'middle'";
    expect(state, def, "path\r\nmiddle.h5\r\n");
    def.sql = "SELECT path, stage FROM failure";
    expect(state, def, "path,stage\r\nbad.h5,import\r\n");
}

/* A row's text is limited to 64 MB: if the first row fails, no header is written. */
TEST(error_is_printed_without_header)
{
    Error err;
    QueryDef def = query_default_def();
    for (int f = 0; f < QUERY_FORMAT_COUNT; f++) {
        def.format = (QueryFormat)f;
        def.sql = "SELECT randomblob(1000000000) IS NULL AS x";
        char *text = ask(state, def, STATUS_USAGE, &err);
        assert_string_equal(text, "");
        assert_non_null(strstr(err.text, "too big"));
        free(text);
    }
    def.format = QUERY_TABLE;
    def.sql = "SELECT CASE WHEN id < 3 THEN 1 ELSE abs(-9223372036854775808) END FROM clip ORDER BY id";
    char *text = ask(state, def, STATUS_USAGE, &err);
    assert_string_equal(text, "");
    free(text);
}

TEST(endless_query_ends_at_the_time_limit)
{
    Error err;
    QueryDef def = query_default_def();
    def.sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    def.time_limit = 0.01;
    free(ask(state, def, STATUS_LIMIT, &err));
    assert_non_null(strstr(err.text, "time limit"));
}

static double seconds_of(struct timespec t)
{
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Fractions of a second, across the end of one. */
TEST(time_limit_is_kept_across_seconds)
{
    sqlite3 *db;
    QueryGuard guard = {0};
    struct timespec before, after;
    (void)state;
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    for (int i = 0; i < 4; i++) {
        double limit = 1.25 + 0.25 * i;
        clock_gettime(CLOCK_MONOTONIC, &before);
        query_guard_install(&guard, db, limit);
        clock_gettime(CLOCK_MONOTONIC, &after);
        assert_in_range(guard.deadline.tv_nsec, 0, 999999999);
        assert_true(seconds_of(guard.deadline) > seconds_of(before) + limit - 1e-6);
        assert_true(seconds_of(guard.deadline) < seconds_of(after) + limit + 1e-6);
        query_guard_remove(db);
    }
    sqlite3_close(db);
}

TEST(hardest_and_peaks_are_sorted)
{
    QueryDef def = query_default_def();
    def.format = QUERY_TSV;
    def.where = "@hardest";
    def.columns = "path, torque_peak_nm_kg, role, joint, t";
    expect(state, def,
           "path\ttorque_peak_nm_kg\trole\tjoint\tt\nhard.h5\t0.6\tleft_knee\tLeftLeg\t0.25\n"
           "middle.h5\t0.4\tleft_knee\tLeftLeg\t0.25\neasy.h5\t0.2\tleft_knee\tLeftLeg\t0.25\n");
    def.where = "@peaks";
    def.columns = "path, frame";
    def.limit = 3;
    expect(state, def, "path\tframe\nhard.h5\t25\nhard.h5\t75\nhard.h5\t125\n");
    def.where = "@hardes";
    Error err;
    free(ask(state, def, STATUS_USAGE, &err));
    assert_non_null(strstr(err.text, "@hardest"));
}

static const char *write_limits(void **state, const char *text)
{
    Library *library = *state;
    const char *path = test_folder_file(&library->folder, "limits.tsv");
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    return path;
}

TEST(within_finds_the_intervals)
{
    QueryDef def = query_default_def();
    def.format = QUERY_TSV;
    def.where = "@within";
    def.columns = "path, t0, t1, frame0, frame1, limiting_role, limit_fraction";
    def.argument = write_limits(state, "role\ttorque_nm\nleft_knee\t25\nright_knee\t1\n");
    expect(state, def,
           "path\tt0\tt1\tframe0\tframe1\tlimiting_role\tlimit_fraction\n"
           "easy.h5\t0\t3\t0\t299\tleft_knee\t0.4\nmiddle.h5\t0\t3\t0\t299\tleft_knee\t0.8\n");
    def.argument = write_limits(state, "role\ttorque_nm_kg\nleft_knee\t0.2\n");
    def.min_seconds = 3;
    def.columns = "path";
    expect(state, def, "path\neasy.h5\n");
    def.min_seconds = 3.5;
    free(ask(state, def, STATUS_NO_RESULT, NULL));
    Error err;
    def.argument = write_limits(state, "role\ttorque_nm\nleft_kne\t5\n");
    free(ask(state, def, STATUS_BAD_INPUT, &err));
    assert_non_null(strstr(err.text, "limits.tsv:2: unknown role \"left_kne\"; did you mean left_knee?"));
    def.argument = write_limits(state, "role\tnewton\nleft_knee\t5\n");
    free(ask(state, def, STATUS_BAD_INPUT, NULL));
    def.argument = NULL;
    free(ask(state, def, STATUS_USAGE, NULL));
}

TEST(like_measures_the_distance_of_profiles)
{
    Library *library = *state;
    QueryDef def = query_default_def();
    def.format = QUERY_TSV;
    def.where = "@similar";
    def.argument = "easy.h5";
    def.columns = "path, round(distance_nm_kg, 3) AS d, roles";
    /* |sin| between 0.2 and 0.4, 0.6: rms(sin) = 0.707 of the difference of amplitudes; binning reduces it slightly */
    expect(state, def, "path\td\troles\nmiddle.h5\t0.141\t1\nhard.h5\t0.283\t1\n");
    def.among = "torque_peak_nm > 25";
    expect(state, def, "path\td\troles\nhard.h5\t0.283\t1\n");
    def.among = NULL;
    Clip clip = hinge_clip(300, 29);
    ContainerDef container = container_default_def();
    def.argument = test_folder_file(&library->folder, "new.h5");
    assert_int_equal(container_store(&clip, &container, def.argument, NULL), STATUS_OK);
    def.columns = "path";
    expect(state, def, "path\nhard.h5\nmiddle.h5\neasy.h5\n");
    clip_free(&clip);
    Error err;
    def.argument = "absent.h5";
    free(ask(state, def, STATUS_IO, &err));
    assert_non_null(strstr(err.text, "absent.h5: "));
}

/* All three clips have the same options; values detected from a source are not options. */
TEST(options_are_counted)
{
    QueryDef def = query_default_def();
    def.format = QUERY_TSV;
    def.where = "@options";
    def.columns = "clips, path";
    expect(state, def, "clips\tpath\n3\teasy.h5\n");
}

/* Each preset has a description or follows one that has; none precedes the first or follows the last. */
TEST(presets_are_described)
{
    int count = 0;
    (void)state;
    for (int i = -1; i < 40; i++) {
        const char *line = query_preset_help(i);
        assert_true(!line || line[0] == '@');
        count += line != NULL;
    }
    assert_null(query_preset_help(-1));
    assert_int_equal(count, 16);
}

/* A preset's own limit reports that rows were left out; a user's limit does not, nor one without effect. */
TEST(preset_limit_reports_left_out_rows)
{
    int is_cut = 0;
    QueryDef def = query_default_def();
    def.format = QUERY_TSV;
    def.columns = "path";
    def.is_cut = &is_cut;
    def.where = "@hardest";
    free(ask(state, def, STATUS_OK, NULL));
    assert_int_equal(is_cut, 0);
    def.where = "@peaks"; /* more than ten */
    char *answer = ask(state, def, STATUS_OK, NULL);
    int lines = 0;
    for (const char *c = answer; *c; c++)
        lines += *c == '\n';
    free(answer);
    assert_int_equal(lines, 1 + 10);
    assert_int_equal(is_cut, 1);
    is_cut = 0;
    def.limit = 2;
    free(ask(state, def, STATUS_OK, NULL));
    assert_int_equal(is_cut, 0);
    def.among = "1";
    free(ask(state, def, STATUS_USAGE, NULL));
}

TEST(file_that_is_not_an_index_is_refused)
{
    Library *library = *state;
    QueryDef def = query_default_def();
    FILE *file = fopen(test_folder_file(&library->folder, "empty.db"), "w");
    fclose(file);
    assert_int_equal(query_run(library->folder.name, &def, stdout, NULL), STATUS_BAD_INPUT);
    assert_int_equal(query_run("absent.db", &def, stdout, NULL), STATUS_IO);
    assert_int_equal(query_run(test_folder_file(&library->folder, "limits.tsv"), &def, stdout, NULL), STATUS_BAD_INPUT);
}

TEST(tag_is_a_column)
{
    QueryDef def = query_default_def();
    def.format = QUERY_TSV;
    def.where = "Actor = 'Anna' AND left_knee_torque_peak_nm > 5 AND clip_summary.fps = 100";
    def.columns = "path, actor";
    expect(state, def, "path\tactor\neasy.h5\tAnna\nhard.h5\tAnna\n");
    def.where = "actor IS NULL";
    def.columns = NULL;
    expect(state, def, "path\tactor\nmiddle.h5\t\n");
    def.where = "fps > 0"; /* an unqueried tag is not in the result */
    def.order = "\"group\" IS NULL, path DESC";
    expect(state, def, "path\tfps\tgroup\neasy.h5\t100\tx\nmiddle.h5\t100\t\nhard.h5\t100\t\n");
    def.order = NULL;
    def.where = "factor = 1 OR actors = 2";
    Error err;
    free(ask(state, def, STATUS_USAGE, &err));
    assert_string_equal(err.text, "unknown column \"factor\"; did you mean actor?");
    def = query_default_def();
    def.format = QUERY_TSV;
    def.where = "@similar";
    def.argument = "middle.h5";
    def.among = "actor = 'Anna' AND \"group\" = 'x'";
    def.columns = "path";
    expect(state, def, "path\neasy.h5\n");
}

/* The clips of the library in two indexes, the second in a subfolder. */
TEST(several_indexes_are_queried_together)
{
    Library *library = *state;
    char easy[600], rest[600];
    const char *const both[] = {easy, rest};
    assert_int_equal(mkdir(test_folder_file(&library->folder, "below"), 0777), 0);
    snprintf(easy, sizeof easy, "%s", test_folder_file(&library->folder, "one.db"));
    snprintf(rest, sizeof rest, "%s", test_folder_file(&library->folder, "below/two.db"));
    for (int k = 0; k < 2; k++) {
        Index *index = NULL;
        assert_int_equal(index_open(both[k], &index, NULL), STATUS_OK);
        for (int i = k; i < (k ? 3 : 1); i++) {
            ClipStats stats;
            Clip clip = hinge_clip(300, 10 * (i + 1));
            assert_int_equal(clip_stats_init(&stats, &clip, FRAMES_TRUSTED, NULL), STATUS_OK);
            assert_int_equal(index_put_clip(index, paths[i], &stats, NULL), STATUS_OK);
            clip_stats_free(&stats);
            clip_free(&clip);
        }
        assert_int_equal(index_finish(index, NULL), STATUS_OK);
        index_close(index);
    }
    const struct {
        const char *where, *argument, *among, *columns, *order, *expected;
        long long limit;
    } question[] = {
        {"left_knee_torque_peak_nm > 5", NULL, NULL, NULL, "left_knee_torque_peak_nm DESC",
         "path\tleft_knee_torque_peak_nm\tleft_knee_torque_peak_t\nbelow/hard.h5\t30\t0.25\n"
         "below/middle.h5\t20\t0.25\neasy.h5\t10\t0.25\n", -1},
        {"left_knee_torque_peak_nm > 5", NULL, NULL, "path", "left_knee_torque_peak_nm DESC",
         "path\nbelow/hard.h5\nbelow/middle.h5\n", 2},
        {"1", NULL, NULL, "path, clip_summary.fps / 2 AS half", "half, path DESC",
         "path\thalf\neasy.h5\t50\nbelow/middle.h5\t50\nbelow/hard.h5\t50\n", -1},
        {"clip_id IN (SELECT clip_id FROM joint WHERE role = 'left_knee')", NULL, NULL, "count(*) AS clips", "1",
         "clips\n3\n", -1},
        {"@hardest", NULL, NULL, "path", NULL, "path\nbelow/hard.h5\nbelow/middle.h5\n", 2},
        {"@within", "left_knee=1000", NULL, "path, frame0", "path",
         "path\tframe0\nbelow/hard.h5\t0\nbelow/middle.h5\t0\neasy.h5\t0\n", -1},
        {"@similar", "middle.h5", NULL, "path, roles", "path", "path\troles\nbelow/hard.h5\t1\neasy.h5\t1\n", -1},
        {"@similar", "easy.h5", "left_knee_torque_peak_nm < 25", "path", NULL, "path\nbelow/middle.h5\n", -1},
    };
    for (size_t i = 0; i < sizeof question / sizeof *question; i++) {
        QueryDef def = query_default_def();
        char *text = NULL;
        size_t size;
        Error err = {0};
        FILE *out = open_memstream(&text, &size);
        def.format = QUERY_TSV;
        def.where = question[i].where;
        def.argument = question[i].argument;
        def.among = question[i].among;
        def.columns = question[i].columns;
        def.order = question[i].order;
        def.limit = question[i].limit;
        Status status = query_run_over(both, 2, &def, out, &err);
        fclose(out);
        if (status)
            fail_msg("%s: %s", question[i].where, err.text);
        assert_string_equal(text, question[i].expected);
        free(text);
    }
    QueryDef def = query_default_def();
    Error err;
    def.where = "left_kne_torque_peak_nm > 5";
    assert_int_equal(query_run_over(both, 2, &def, stdout, &err), STATUS_USAGE);
    assert_non_null(strstr(err.text, "did you mean left_knee"));
    def.where = "fps < 0";
    assert_int_equal(query_run_over(both, 2, &def, stderr, &err), STATUS_NO_RESULT);
    def = query_default_def();
    def.sql = "SELECT 1";
    assert_int_equal(query_run_over(both, 2, &def, stdout, &err), STATUS_USAGE);
    assert_true(query_is_database(easy));
    assert_false(query_is_database("fps < 0"));
    const char *const absent[] = {easy, "absent.db"};
    def = query_default_def();
    assert_int_equal(query_run_over(absent, 2, &def, stdout, &err), STATUS_IO);
    assert_non_null(strstr(err.text, "absent.db: "));
}

TEST_GROUP(make_library, remove_library)
