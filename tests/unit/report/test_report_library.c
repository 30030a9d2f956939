/* formats/report/report_library: the page of an index, and of a maliciously modified one. */
#include "tests/support/test.h"

#include <sqlite3.h>
#include <string.h>

#include "formats/index/index.h"
#include "formats/report/report_answer.h"
#include "formats/report/report_library.h"
#include "tests/support/hinge_clip.h"
#include "tests/support/report_data.h"
#include "tests/support/test_folder.h"

static const char *const paths[] = {"a/easy.h5", "hard.h5"};

/* An index of two clips with knee peaks at 10 and 20 N m, modified by sql. */
static TestFolder make_index(char path[512], const char *sql)
{
    TestFolder folder = test_folder_make();
    Index *index = NULL;
    sqlite3 *db = NULL;
    snprintf(path, 512, "%s/index.db", folder.path);
    assert_int_equal(index_open(path, &index, NULL), STATUS_OK);
    for (int i = 0; i < 2; i++) {
        ClipStats stats;
        Clip clip = hinge_clip(60, 10 * (i + 1));
        assert_int_equal(clip_stats_init(&stats, &clip, FRAMES_TRUSTED, NULL), STATUS_OK);
        assert_int_equal(index_put_clip(index, paths[i], &stats, NULL), STATUS_OK);
        clip_stats_free(&stats);
        clip_free(&clip);
    }
    assert_int_equal(index_finish(index, NULL), STATUS_OK);
    index_close(index);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    return folder;
}

static int is_hard(void *context, const char *name)
{
    (void)context;
    return !strncmp(name, "clips/hard.h5-", 14);
}

static Status write_page(const char *index, ReportData *data, Error *err)
{
    char *text = NULL;
    size_t size;
    ReportPage page = report_small_page();
    FILE *stream = open_memstream(&text, &size);
    Status status = report_library_write(&page, index, is_hard, NULL, stream, err);
    fclose(stream);
    if (status)
        assert_int_equal(size, 0);
    else
        *data = report_data_read(text, size);
    free(text);
    return status;
}

TEST(clips_are_sorted_by_peak_torque_and_linked)
{
    char path[512];
    ReportData data;
    TestFolder folder = make_index(path, "");
    assert_int_equal(write_page(path, &data, NULL), STATUS_OK);
    assert_non_null(strstr(data.json, "\"columns\":[\"clip_id\",\"path\","));
    assert_non_null(strstr(data.json, "left_knee_torque_peak_nm_kg"));
    const char *hard = strstr(data.json, "[\"clips/hard.h5-"), *easy = strstr(data.json, "[null,1,\"a/easy.h5\"");
    assert_true(hard && easy && hard < easy);
    assert_non_null(strstr(data.json, "\"points\":100,\"profiles\":[["));
    assert_int_equal(data.series_count % 100, 0);
    assert_true(data.series_count >= 200);
    report_data_free(&data);
    test_folder_remove(&folder);
}

TEST(result_rows_link_to_existing_pages)
{
    static const char rows[] = "[{\"path\": \"hard.h5\"}, {\"path\": \"a/easy.h5\"}, {\"path\": \"nowhere.h5\"}]";
    char path[512], *text = NULL;
    size_t size;
    TestFolder folder = make_index(path, "");
    ReportPage page = report_small_page();
    ReportAnswer answer = {.question = "left_knee_torque_peak_nm > 5", .rows = rows, .size = sizeof rows - 1,
                           .database = path};
    FILE *stream = open_memstream(&text, &size);
    assert_int_equal(report_answer_write(&page, &answer, is_hard, NULL, stream, NULL), STATUS_OK);
    fclose(stream);
    ReportData data = report_data_read(text, size);
    const char *pages = strstr(data.json, "\"pages\":{\"hard.h5\":\"clips/hard.h5-");
    assert_non_null(pages);
    assert_ptr_equal(strchr(pages, '}'), strstr(pages, "},\"rows\":"));
    assert_null(memchr(pages + 9, ',', (size_t)(strchr(pages, '}') - pages - 9)));
    assert_non_null(strstr(data.json, rows));
    report_data_free(&data);
    free(text);
    test_folder_remove(&folder);
}

TEST(page_names_stay_in_the_clips_folder)
{
    static const char *const hostile[] = {"../../etc/passwd", "/etc/passwd", "..", "", "a\nb", "</script>", "a/b",
                                          "a_b",
                                          "x/../../../../../y\xff"};
    enum { COUNT = sizeof hostile / sizeof *hostile };
    char *name[COUNT];
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(report_clip_page_name(hostile[i], &name[i], NULL), STATUS_OK);
        assert_memory_equal(name[i], "clips/", 6);
        assert_true(name[i][6] != '.');
        assert_int_equal(strspn(name[i] + 6, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"),
                         strlen(name[i] + 6));
        for (int k = 0; k < i; k++)
            assert_string_not_equal(name[i], name[k]);
    }
    for (int i = 0; i < COUNT; i++)
        free(name[i]);
    char path[4000];
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = 0;
    char *longest;
    assert_int_equal(report_clip_page_name(path, &longest, NULL), STATUS_OK);
    assert_true(strlen(longest) < 120);
    free(longest);
}

TEST(text_of_an_untrusted_index_is_escaped)
{
    static const char *const changes[] = {
        "UPDATE clip_summary SET path = '</script><script>alert(1)</script>', torque_peak_nm_kg = 9e999",
        "UPDATE profile SET steps = zeroblob(3); UPDATE clip_summary SET torque_peak_role = NULL",
        "UPDATE profile SET steps = randomblob(200), step_nm_kg = 9e999, role = '\"</script>'",
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char path[512];
        ReportData data;
        TestFolder folder = make_index(path, changes[i]);
        assert_int_equal(write_page(path, &data, NULL), STATUS_OK); /* fails at a character outside base64 */
        assert_non_null(strstr(data.json, "\"rows\":[["));
        assert_int_equal(data.series_count % 100, 0);
        report_data_free(&data);
        test_folder_remove(&folder);
    }
}

TEST(index_without_tables_is_refused)
{
    char path[512];
    ReportData data;
    Error err = {0};
    TestFolder folder = make_index(path, "DROP TABLE profile");
    assert_int_equal(write_page(path, &data, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "not a whole kane index"));
    test_folder_remove(&folder);
    assert_int_equal(write_page("Makefile", &data, &err), STATUS_BAD_INPUT);
}
