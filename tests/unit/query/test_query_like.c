/* formats/query/query_like: clips and intervals by their motion features, @similar FILE@FROM-TO and @lower-torque, with
 * distances in closed form. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "formats/container/container_store.h"
#include "formats/index/index.h"
#include "formats/query/query.h"
#include "tests/support/hinge_clip.h"
#include "tests/support/test_folder.h"

enum { RAMP = 4 }; /* increase of each pose value per sample */

/* Features with pose values ORIGIN + pose + RAMP (sample - delay) and all torques equal to torque. The ramp restarts
 * after each period samples; 0: never. */
typedef struct Sketched {
    const char *path;
    int samples, pose, delay, torque, is_mirrored, period;
} Sketched;

/* One unit of a pose value is 1/64 leg length, one of a torque 1/32 N m/kg above 1. */
static const Sketched clips[] = {
    {"calm.h5", 12, 2, 0, 17, 0, 0},   /* 0.5 N m/kg */
    {"equal.h5", 12, 0, 0, 33, 0, 0},
    {"hard.h5", 12, 0, 0, 65, 0, 0},   /* 2 N m/kg */
    {"late.h5", 18, 0, 6, 25, 0, 0},   /* the target motion begins 1 s later, with 0.75 N m/kg */
    {"mirror.h5", 12, 0, 0, 33, 1, 0},
    {"near.h5", 12, 1, 0, 25, 0, 0},
    {"none.h5", 0, 0, 0, 0, 0, 0},
    {"short.h5", 1, 0, 0, 17, 0, 0},
    {"silent.h5", 12, 3, 0, SKETCH_UNKNOWN, 0, 0},
    {"twice.h5", 12, 0, 0, 33, 0, 6},
    {"wanted.h5", 12, 0, 0, 33, 0, 0}, /* 1 N m/kg */
};

typedef struct Library {
    TestFolder folder;
    char index[300];
} Library;

static void fill_sample(const Sketched *s, int sample, unsigned char *out)
{
    unsigned char value[SKETCH_VALUES];
    int ramp = s->period ? sample % s->period : sample;
    memset(value, SKETCH_ORIGIN + s->pose + RAMP * (ramp - s->delay), SKETCH_POSE_VALUES);
    memset(value + SKETCH_POSE_VALUES, s->torque, SKETCH_TORQUE_VALUES);
    if (s->is_mirrored)
        motion_features_mirror(value, out);
    else
        memcpy(out, value, sizeof value);
}

static int put_clip(Index *index, const Sketched *s)
{
    ClipStats stats;
    Clip clip = hinge_clip(200, 10);
    if (clip_stats_init(&stats, &clip, FRAMES_TRUSTED, NULL))
        return 0;
    free(stats.sketch.value);
    stats.sketch.value = calloc((size_t)s->samples + 1, SKETCH_VALUES);
    stats.sketch.count = s->samples;
    for (int k = 0; stats.sketch.value && k < s->samples; k++)
        fill_sample(s, k, stats.sketch.value + (size_t)k * SKETCH_VALUES);
    int is_put = stats.sketch.value && index_put_clip(index, s->path, &stats, NULL) == STATUS_OK;
    clip_stats_free(&stats);
    clip_free(&clip);
    return is_put;
}

static int make_library(void **state)
{
    static Library library;
    Index *index = NULL;
    library.folder = test_folder_make();
    snprintf(library.index, sizeof library.index, "%s/index.db", library.folder.path);
    int failed = index_open(library.index, &index, NULL) != STATUS_OK;
    for (size_t i = 0; i < sizeof clips / sizeof *clips && !failed; i++)
        failed = !put_clip(index, &clips[i]);
    failed = failed || index_finish(index, NULL);
    index_close(index);
    *state = &library;
    return failed ? -1 : 0;
}

static int remove_library(void **state)
{
    test_folder_remove(&((Library *)*state)->folder);
    return 0;
}

static QueryDef question(const char *where, const char *argument, const char *columns)
{
    QueryDef def = query_default_def();
    def.format = QUERY_TSV;
    def.where = where;
    def.argument = argument;
    def.columns = columns;
    return def;
}

static Status ask(void **state, const QueryDef *def, char **answer, Error *err)
{
    size_t size;
    FILE *out = open_memstream(answer, &size);
    Status status = query_run(((Library *)*state)->index, def, out, err);
    fclose(out);
    return status;
}

static void expect(void **state, QueryDef def, const char *expected)
{
    char *answer;
    Error err = {0};
    if (ask(state, &def, &answer, &err))
        fail_msg("%s", err.text);
    assert_string_equal(answer, expected);
    free(answer);
}

static void refused(void **state, QueryDef def, Status expected, const char *text)
{
    char *answer;
    Error err = {0};
    assert_int_equal(ask(state, &def, &answer, &err), expected);
    if (!strstr(err.text, text))
        fail_msg("%s", err.text);
    free(answer);
}

/* Excluded are clips with equal, larger or unknown torque, the clip itself and clips without features. */
TEST(lower_torque_compares_whole_clips)
{
    QueryDef def = question("@lower-torque", "wanted.h5", "path, pose_legs, torque_part");
    def.among = "path IN ('calm.h5', 'near.h5', 'equal.h5', 'hard.h5', 'mirror.h5', 'none.h5', 'silent.h5',"
                " 'wanted.h5')";
    expect(state, def, "path\tpose_legs\ttorque_part\nnear.h5\t0.015625\t0.75\ncalm.h5\t0.03125\t0.5\n");
    def.among = NULL;
    def.columns = "path";
    expect(state, def, "path\nnear.h5\ncalm.h5\nlate.h5\nshort.h5\n");
    def.argument = "calm.h5";
    def.among = "path <> 'short.h5'";
    refused(state, def, STATUS_NO_RESULT, "");
}

TEST(lower_torque_names_the_role_and_both_torques)
{
    QueryDef def = question("@lower-torque", "wanted.h5", "path, changed_role IS NOT NULL AS named,"
                            " round(changed_to_nm_kg / changed_from_nm_kg, 3) AS part");
    def.among = "path IN ('calm.h5', 'near.h5')";
    expect(state, def, "path\tnamed\tpart\nnear.h5\t1\t0.75\ncalm.h5\t1\t0.5\n");
}

/* Samples 3 to 5 of the target clip. A clip with a pose offset p matches p / RAMP samples to the left: half a sample is
 * the mean of two; of two equally near ones the earlier is taken. */
TEST(lower_torque_finds_intervals)
{
    expect(state, question("@lower-torque", "wanted.h5@0.5-1", "path, round(t0, 4) AS t0, round(t1, 4) AS t1,"
                           " pose_legs, torque_part, mirrored"),
           "path\tt0\tt1\tpose_legs\ttorque_part\tmirrored\n"
           "calm.h5\t0.4167\t0.9167\t0\t0.5\t0\n"
           "late.h5\t1.5\t2\t0\t0.75\t0\n"
           "near.h5\t0.4167\t0.9167\t0.015625\t0.75\t0\n");
}

/* By torque the whole ramp is equal; by pose the mirrored clip is nearest at the mirrored interval. */
TEST(similar_intervals_are_found_by_pose_and_torque)
{
    QueryDef def = question("@similar", "wanted.h5@0.5-1", "path, round(t0, 4) AS t0, distance, mirrored");
    def.among = "path IN ('calm.h5', 'mirror.h5', 'near.h5', 'silent.h5')";
    def.by = LIKENESS_POSE;
    def.with_mirror = 1;
    expect(state, def,
           "path\tt0\tdistance\tmirrored\ncalm.h5\t0.4167\t0\t0\nmirror.h5\t0.5\t0\t1\nnear.h5\t0.4167\t0.015625\t0\n"
           "silent.h5\t0.3333\t0.015625\t0\n");
    def.by = LIKENESS_TORQUE;
    def.with_mirror = 0;
    def.among = "path IN ('calm.h5', 'near.h5', 'silent.h5')";
    def.columns = "path, distance, torque_nm_kg";
    def.order = "distance, path";
    def.limit = 1;
    expect(state, def, "path\tdistance\ttorque_nm_kg\nnear.h5\t0.25\t0.25\n");
    def.by = LIKENESS_BOTH;
    def.columns = "path, round(distance, 4) AS distance"; /* sqrt((.015625 / .1)^2 + (.25 / .25)^2) */
    def.order = NULL;
    expect(state, def, "path\tdistance\nnear.h5\t1.0121\n");
}

/* In the clip itself, intervals that do not overlap the target. */
TEST(interval_is_not_similar_to_the_same_interval)
{
    QueryDef def = question("@similar", "twice.h5@0.5-1", "round(t0, 4) AS t0, distance");
    def.among = "path = 'twice.h5'";
    expect(state, def, "t0\tdistance\n1.5\t0\n");
}

TEST(incomparable_clip_reports_the_reason)
{
    const char *const columns = "path";
    refused(state, question("@lower-torque", "none.h5", columns), STATUS_BAD_INPUT,
            "none.h5: not comparable: no human roles, or no trusted frame");
    refused(state, question("@similar", "wanted.h5@5-9", columns), STATUS_USAGE,
            "wanted.h5@5-9: 5-9 s is outside the clip (0 to 2 s)");
    refused(state, question("@similar", "short.h5@0-0.1", columns), STATUS_BAD_INPUT,
            "too short to compare: under a third of a second");
    refused(state, question("@similar", "silent.h5@0.5-1", columns), STATUS_BAD_INPUT,
            "no trusted torques in the whole interval: ask by pose alone");
    refused(state, question("@lower-torque", "absent.h5@0.5-1", columns), STATUS_IO, "absent.h5");
    refused(state, question("@similar", "wanted.h5@1-0.5", columns), STATUS_USAGE, "wanted.h5@1-0.5");
}

/* A clip file outside the index: it has no human legs. */
TEST(clip_file_without_legs_has_no_features)
{
    Library *library = *state;
    Clip clip = hinge_clip(100, 10);
    ContainerDef container = container_default_def();
    const char *path = test_folder_file(&library->folder, "file.h5");
    assert_int_equal(container_store(&clip, &container, path, NULL), STATUS_OK);
    clip_free(&clip);
    refused(state, question("@lower-torque", path, "path"), STATUS_BAD_INPUT, "file.h5: not comparable");
}

TEST_GROUP(make_library, remove_library)
