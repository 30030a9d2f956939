/* An index of six clips, the third of which may fail, and its content as text. */
#ifndef KANE_TESTS_INDEX_CASE_H
#define KANE_TESTS_INDEX_CASE_H

#include <sqlite3.h>
#include <string.h>

#include "formats/index/index.h"
#include "tests/support/hinge_clip.h"
#include "tests/support/test_folder.h"

enum { INDEX_CASES = 6 };

static const char *const index_case_path[INDEX_CASES] = {
    "a.bvh.h5", "b/walkFast01.bvh.h5", "b/x.h5", "c.h5", "d.h5", "e.h5"};

static inline ClipStats index_case_stats(int clip)
{
    ClipStats stats;
    Clip c = hinge_clip(60 + 10 * clip, 10 + clip);
    assert_int_equal(clip_stats_init(&stats, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    clip_free(&c);
    return stats;
}

static inline Index *index_case_open(const char *path)
{
    Index *index = NULL;
    Error err = {0};
    if (index_open(path, &index, &err))
        fail_msg("%s", err.text);
    return index;
}

static inline void index_case_put(Index *index, int clip)
{
    ClipStats stats = index_case_stats(clip);
    Error err = {0};
    if (index_put_clip(index, index_case_path[clip], &stats, &err))
        fail_msg("%s", err.text);
    clip_stats_free(&stats);
}

static inline void index_case_fail(Index *index, int clip)
{
    assert_int_equal(index_put_failure(index, index_case_path[clip], 0, "import", "x.bvh:1:1: no", NULL), STATUS_OK);
}

static inline void index_case_finish(Index *index)
{
    Error err = {0};
    if (index_finish(index, &err))
        fail_msg("%s", err.text);
    index_close(index);
}

/* Prints the rows of a query: names unchanged, other values with all digits. IDs are not part of the content. */
static inline void index_case_print(sqlite3 *db, const char *question, FILE *out)
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

/* Callback for rows that must not occur. */
static inline int index_case_is_damaged(void *context, int count, char **value, char **name)
{
    (void)context;
    (void)name;
    return count > 0 && value[0] != NULL;
}

/* The content: all tables ordered by path, and the results of the text search. */
static inline char *index_case_dump(const char *path)
{
    static const char *const of_clip[] = {"joint", "joint_stat", "window", "torque_peak", "foot_contact", "flight",
                                          "profile", "trace", "clip_summary"};
    char *text = NULL;
    size_t size;
    sqlite3 *db = NULL;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    index_case_print(db, "SELECT * FROM clip ORDER BY path", out);
    for (size_t t = 0; t < sizeof of_clip / sizeof *of_clip; t++) {
        char *question = sqlite3_mprintf("SELECT c.path, t.* FROM %s t JOIN clip c ON c.id = t.clip_id"
                                         " ORDER BY 1, 3, 4", of_clip[t]);
        index_case_print(db, question, out);
        sqlite3_free(question);
    }
    index_case_print(db, "SELECT * FROM failure ORDER BY path", out);
    index_case_print(db, "SELECT path FROM clip_text WHERE clip_text MATCH 'fast' ORDER BY 1", out);
    assert_int_equal(sqlite3_exec(db, "SELECT 1 FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
                                  index_case_is_damaged, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    fclose(out);
    return text;
}

/* Adds all clips except the failed third one, in order. */
static inline char *index_case_expected(TestFolder *folder)
{
    const char *path = test_folder_file(folder, "expected.db");
    Index *index = index_case_open(path);
    for (int i = 0; i < INDEX_CASES; i++)
        if (i != 2)
            index_case_put(index, i);
    index_case_fail(index, 2);
    index_case_finish(index);
    return index_case_dump(path);
}

static inline void index_case_same(TestFolder *folder, const char *path)
{
    char *expected = index_case_expected(folder), *actual = index_case_dump(path);
    assert_string_equal(actual, expected);
    free(expected);
    free(actual);
}

#endif
