/* formats/bvh on real files of many origins: properties listed in MANIFEST.tsv, and a round trip through the writer.
 * Skipped if the shared files are absent ($KANE_SHARED or ../shared). */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/table.h"
#include "formats/bvh/bvh.h"
#include "tests/support/read_bvh.h"

/* Expected outcome for the quirk of a bad file, if it differs from a normal read. */
typedef struct Verdict {
    const char *file;
    int frames;      /* read, 0: an error */
    int line;        /* in the warning or error */
    const char *words;
} Verdict;

static const Verdict verdicts[] = {
    {"bad/Boxing_Toes_3070rows_header3069.bvh", 3070, 128, "declares 3069 frames, file contains 3070"},
    {"bad/help_63rows_header41.bvh", 63, 724, "declares 41 frames, file contains 63"},
    {"bad/nan_root_position_row.bvh", 0, 905, "expected a number, found \"nan\""},
    {"bad/no_motion_rows_header3066.bvh", 0, 135, "no motion rows; header declares 3066"},
};

static const Verdict *find_verdict(const char *file)
{
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
        if (strcmp(verdicts[i].file, file) == 0)
            return &verdicts[i];
    return NULL;
}

/* "bvh/x.bvh" of the manifest is mocap/x.bvh, "bad/x.bvh" is mocap/bad/x.bvh. */
static void shared_path(char *out, size_t size, const char *file)
{
    const char *shared = getenv("KANE_SHARED");
    snprintf(out, size, "%s/mocap/%s", shared ? shared : "../shared",
             strncmp(file, "bvh/", 4) == 0 ? file + 4 : file);
}

static const char *cell(const Table *t, int row, const char *column)
{
    return t->cell[row * t->column_count + table_find(t, column)];
}

static double number(const Table *t, int row, const char *column)
{
    double value = 0;
    assert_int_equal(table_number(t, row, table_find(t, column), &value, NULL), STATUS_OK);
    return value;
}

static void assert_root_channels(const Bvh *b, const char *expected)
{
    static const char *const name[] = {"Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation"};
    char text[128] = "";
    for (int i = 0; i < b->joint_channels[0]; i++) {
        strcat(text, i ? " " : "");
        strcat(text, name[b->channel[b->first_channel[0] + i]]);
    }
    assert_string_equal(text, expected);
}

static void assert_same_tree(const Bvh *a, const Bvh *b)
{
    assert_int_equal(a->joint_count, b->joint_count);
    assert_int_equal(a->end_count, b->end_count);
    assert_int_equal(a->channel_count, b->channel_count);
    assert_memory_equal(a->channel, b->channel, (size_t)a->channel_count * sizeof *a->channel);
    assert_memory_equal(a->parent, b->parent, (size_t)a->joint_count * sizeof *a->parent);
    assert_memory_equal(a->joint_channels, b->joint_channels, (size_t)a->joint_count * sizeof *a->joint_channels);
    assert_memory_equal(a->offset, b->offset, (size_t)a->joint_count * sizeof *a->offset);
    for (int j = 0; j < a->joint_count; j++)
        assert_string_equal(a->name[j], b->name[j]);
}

static void assert_round_trip(const Bvh *b)
{
    Error err;
    Bvh again;
    SourceDef def = source_default_def();
    FILE *f = tmpfile();
    assert_non_null(f);
    assert_int_equal(bvh_write(b, f, &err), STATUS_OK);
    rewind(f);
    assert_int_equal(read_bvh_stream(f, &def, &again, &err), STATUS_OK);
    fclose(f);
    assert_same_tree(b, &again);
    assert_int_equal(again.frame_count, b->frame_count);
    assert_memory_equal(&again.frame_time, &b->frame_time, sizeof b->frame_time);
    assert_memory_equal(again.value, b->value,
                        (size_t)b->frame_count * (size_t)b->channel_count * sizeof *b->value);
    bvh_free(&again);
}

static void assert_as_manifest(const Table *t, int row, const Bvh *b, const Verdict *verdict)
{
    double fps = number(t, row, "fps");
    assert_int_equal(b->joint_count, (int)number(t, row, "joints_or_points"));
    assert_int_equal(b->frame_count, verdict ? verdict->frames : (int)number(t, row, "frames"));
    assert_near(1 / b->frame_time, fps, 1e-5 * fps);
    assert_root_channels(b, cell(t, row, "root_channels"));
    assert_int_equal(b->findings.count, verdict != NULL);
    if (verdict) {
        assert_int_equal(b->findings.found[0].at.line, verdict->line);
        assert_non_null(strstr(b->findings.found[0].text, verdict->words));
    }
}

static void check_row(const Table *t, int row)
{
    const char *file = cell(t, row, "path");
    const Verdict *verdict = find_verdict(file);
    char path[4096];
    Bvh b;
    Error err;
    SourceDef def = source_default_def();
    shared_path(path, sizeof path, file);
    Status status = read_bvh(path, &def, &b, &err);
    if (verdict && !verdict->frames) {
        assert_int_equal(status, STATUS_BAD_INPUT);
        assert_int_equal(err.line, verdict->line);
        assert_int_equal(err.column, 1);
        assert_non_null(strstr(err.text, verdict->words));
        return;
    }
    if (status)
        print_error("%s:%d:%d: %s\n", file, err.line, err.column, err.text);
    assert_int_equal(status, STATUS_OK);
    assert_as_manifest(t, row, &b, verdict);
    assert_round_trip(&b);
    bvh_free(&b);
}

TEST(shared_files_agree_with_the_manifest)
{
    char path[4096];
    Table t;
    Error err;
    shared_path(path, sizeof path, "MANIFEST.tsv");
    if (table_read_path(path, &t, &err)) {
        print_message("skipped: no %s\n", path);
        skip();
    }
    assert_true(t.row_count > 0);
    for (int row = 0; row < t.row_count; row++)
        check_row(&t, row);
    table_free(&t);
}
