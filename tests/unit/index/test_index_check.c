/* formats/index: kane check of an index finds each bit changed by other programs, and nothing else. */
#include "tests/support/test.h"

#include <stdio.h>

#include "formats/index/index_check.h"
#include "formats/index/index_families.h"
#include "formats/index/index_tags.h"
#include "formats/query/query.h"
#include "tests/support/index_case.h"

/* Counts the findings of the check; a file that cannot be opened as an index is one. */
static Status count_damage(void *context, const char *clip, const char *text, Error *err)
{
    int *count = context;
    (void)clip, (void)text, (void)err;
    ++*count;
    return STATUS_OK;
}

static int damage_of(const char *path)
{
    IndexCheck *check = NULL;
    int count = 0;
    Error err = {0};
    Status status = index_check_open(path, &check, &err);
    if (!status)
        status = index_check_file(check, count_damage, &count, &err);
    index_check_close(check);
    return count + (status != STATUS_OK);
}

static const IndexTag tags[] = {{"actor", "Anna"}, {"show", "Harbour"}};

/* Clips with tags, a stale one, a failure, a family. */
static void make_index(const char *path)
{
    Index *index = index_case_open(path);
    int changed = 0;
    const Family family = {.up = UP_Y, .up_confidence = 0.9, .meters_per_unit = 0.01, .unit_confidence = 0.8};
    for (int i = 0; i < INDEX_CASES; i++)
        if (i != 2)
            index_case_put(index, i);
    index_case_fail(index, 2);
    assert_int_equal(index_put_tags(index, index_case_path[0], tags, 2, &changed, NULL), STATUS_OK);
    assert_int_equal(index_put_tags(index, index_case_path[1], tags, 1, &changed, NULL), STATUS_OK);
    assert_int_equal(index_put_stale(index, index_case_path[1], "import", "x.bvh:1:1: no", NULL), STATUS_OK);
    assert_int_equal(index_put_family(index, "0123456789abcdef", &family, 3, NULL), STATUS_OK);
    index_case_finish(index);
}

/* Each operation keeps the checksum of a clip correct: update, tags, stale, removal, rebuild, merge. */
TEST(valid_indexes_have_no_damage)
{
    TestFolder folder = test_folder_make();
    char path[512], merged[512];
    snprintf(path, sizeof path, "%s/index.db", folder.path);
    snprintf(merged, sizeof merged, "%s/b/merged.db", folder.path);
    assert_int_equal(mkdir(test_folder_file(&folder, "b"), 0777), 0);
    make_index(path);
    assert_int_equal(damage_of(path), 0);
    Index *index = index_case_open(path);
    int changed = 0;
    index_case_put(index, 0); /* keeps its tags */
    assert_int_equal(index_put_tags(index, index_case_path[1], tags + 1, 1, &changed, NULL), STATUS_OK);
    assert_int_equal(index_put_stale(index, index_case_path[1], "import", "again", NULL), STATUS_OK);
    assert_int_equal(index_remove(index, index_case_path[3], NULL), STATUS_OK);
    index_case_finish(index);
    assert_int_equal(damage_of(path), 0);
    assert_int_equal(index_open_anew(path, &index, NULL), STATUS_OK);
    for (int i = 0; i < 2; i++)
        index_case_put(index, i);
    index_case_finish(index);
    assert_int_equal(damage_of(path), 0);
    const char *const shards[] = {path};
    for (int again = 0; again < 2; again++) {
        index = index_case_open(merged);
        assert_int_equal(index_merge(index, shards, 1, NULL), STATUS_OK);
        index_case_finish(index);
        assert_int_equal(damage_of(merged), 0);
    }
    test_folder_remove(&folder);
}

/* The clip's own statistics match, those of another clip do not, whatever its tags. */
TEST(clips_are_compared_with_their_statistics)
{
    TestFolder folder = test_folder_make();
    const char *path = test_folder_file(&folder, "index.db");
    IndexCheck *check = NULL;
    make_index(path);
    assert_int_equal(index_check_open(path, &check, NULL), STATUS_OK);
    for (int clip = 0; clip < 2; clip++)
        for (int other = 0; other < 2; other++) {
            ClipStats stats = index_case_stats(other);
            int is_same = -1;
            assert_int_equal(index_check_clip(check, index_case_path[clip], &stats, &is_same, NULL), STATUS_OK);
            assert_int_equal(is_same, clip == other);
            clip_stats_free(&stats);
        }
    index_check_close(check);
    test_folder_remove(&folder);
}

/* The results of all queries as text; NULL if one fails, which users notice. */
static char *answers(const char *path)
{
    static const char *const question[] = {
        "SELECT * FROM clip ORDER BY path", "SELECT * FROM joint", "SELECT * FROM joint_stat", "SELECT * FROM window",
        "SELECT * FROM torque_peak", "SELECT * FROM foot_contact", "SELECT * FROM flight ORDER BY height_m",
        "SELECT * FROM profile", "SELECT * FROM trace ORDER BY clip_id, role", "SELECT * FROM sketch",
        "SELECT * FROM clip_summary ORDER BY torque_peak_nm_kg",
        "SELECT path FROM clip_summary ORDER BY peak_event_nm_kg",
        "SELECT * FROM decision", "SELECT * FROM warning", "SELECT * FROM tag", "SELECT * FROM failure",
        "SELECT * FROM family", "SELECT * FROM meta", "SELECT * FROM column_doc",
        "SELECT id FROM clip WHERE path = 'c.h5'",
        "SELECT path FROM clip_text WHERE clip_text MATCH 'fast' ORDER BY 1",
        "SELECT path FROM clip_text WHERE clip_text MATCH 'hinge' ORDER BY rank, 1"};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int failed = 0;
    for (size_t i = 0; i < sizeof question / sizeof *question; i++) {
        QueryDef def = query_default_def();
        Error err = {0};
        def.sql = question[i];
        def.format = QUERY_JSONL;
        Status status = query_run(path, &def, out, &err);
        failed |= status && status != STATUS_NO_RESULT;
    }
    fclose(out);
    if (!failed)
        return text;
    free(text);
    return NULL;
}

static void write_file(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* For 300 bits of nonzero bytes: all query results are unchanged, or the check finds the damage. */
TEST(flipped_bits_are_detected)
{
    TestFolder folder = test_folder_make();
    const char *path = test_folder_file(&folder, "index.db");
    char flipped[512], *bytes = NULL;
    snprintf(flipped, sizeof flipped, "%s/flipped.db", folder.path);
    make_index(path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    assert_non_null(bytes = malloc(size));
    assert_int_equal(fread(bytes, 1, size, file), size);
    fclose(file);
    char *expected = answers(path);
    assert_non_null(expected);
    int wrong = 0, found = 0;
    uint64_t seed = 35;
    for (int flips = 0; flips < 300;) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        size_t at = (size_t)(seed >> 24) % size;
        if (bytes[at] == 0)
            continue;
        char bit = (char)(1 << (seed >> 20 & 7));
        bytes[at] ^= bit;
        write_file(flipped, bytes, size);
        int damage = damage_of(flipped);
        char *actual = damage && flips % 10 ? NULL : answers(flipped);
        int is_wrong = actual && strcmp(actual, expected) != 0;
        if (is_wrong && !damage)
            fail_msg("byte %zu, bit %d: another answer and no damage", at, bit);
        wrong += is_wrong;
        found += damage > 0;
        free(actual);
        bytes[at] ^= bit;
        flips++;
    }
    assert_true(wrong > 10 && found > 200); /* so that the test can fail; every tenth damaged file is queried */
    free(expected);
    free(bytes);
    test_folder_remove(&folder);
}
