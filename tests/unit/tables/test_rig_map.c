/* formats/tables/rig_map: presets of several rigs in one table are found by their skeletons, with map and settings. */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "formats/tables/retarget_tables.h"
#include "formats/tables/rig_map.h"
#include "tests/support/test_folder.h"
#include "tests/support/walker.h"

static void save(TestFolder *folder, const Skeleton *target, const Skeleton *source, const JointMap *map,
                 const char *settings)
{
    RigPreset preset = {target, source, map, settings};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_int_equal(rig_preset_write(test_folder_file(folder, "rigs.tsv"), &preset, stream, NULL), STATUS_OK);
    fclose(stream);
    stream = fopen(test_folder_file(folder, "rigs.tsv"), "w");
    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, size, stream), size);
    fclose(stream);
    free(text);
}

/* Collects "name=value;". */
static Status collect(void *context, const char *name, const char *value, Error *err)
{
    char *text = context;
    if (!strcmp(name, "wings"))
        return error_set(err, STATUS_BAD_INPUT, "no setting");
    snprintf(text + strlen(text), 100, "%s=%s;", name, value);
    return STATUS_OK;
}

static void assert_settings(TestFolder *folder, const Skeleton *target, const Skeleton *source,
                            const char *expected)
{
    char rig[RIG_NAME_SIZE], text[400] = "";
    rig_name(target, source, rig);
    assert_int_equal(rig_settings_read(test_folder_file(folder, "rigs.tsv"), rig, collect, text, NULL), STATUS_OK);
    assert_string_equal(text, expected);
}

static int count_rows(TestFolder *folder, const Skeleton *target, const Skeleton *source)
{
    JointMap map;
    assert_int_equal(joint_map_read(test_folder_file(folder, "rigs.tsv"), target, source, &map, NULL), STATUS_OK);
    int count = map.row_count;
    joint_map_free(&map);
    return count;
}

TEST(presets_are_found_by_both_skeletons)
{
    const JointMapRow rows[] = {{0, 0, 1}, {9, 9, 0.25}, {9, 10, 0.75}};
    TestFolder folder = test_folder_make();
    Skeleton walker, renamed;
    JointMap three, one;
    walker_skeleton(&walker);
    walker_skeleton(&renamed);
    assert_int_equal(skeleton_set_name(&renamed, 4, "LeftToes", NULL), STATUS_OK);
    assert_int_equal(joint_map_from_rows(&three, WALKER_JOINTS, rows, 3, NULL), STATUS_OK);
    assert_int_equal(joint_map_from_rows(&one, WALKER_JOINTS, rows, 1, NULL), STATUS_OK);
    save(&folder, &walker, &walker, &three, "--rest\tframe:4\n--hands\tbody\n");
    save(&folder, &renamed, &walker, &one, "");
    assert_int_equal(count_rows(&folder, &walker, &walker), 3);
    assert_int_equal(count_rows(&folder, &renamed, &walker), 1);
    assert_int_equal(count_rows(&folder, &walker, &renamed), 0);
    assert_settings(&folder, &walker, &walker, "rest=frame:4;hands=body;");
    assert_settings(&folder, &renamed, &walker, "");
    renamed.offset[3].y *= 2; /* lengths do not count */
    assert_int_equal(count_rows(&folder, &renamed, &walker), 1);
    save(&folder, &walker, &walker, &one, "--rest\tzero\n"); /* in the place of the first */
    assert_int_equal(count_rows(&folder, &walker, &walker), 1);
    assert_settings(&folder, &walker, &walker, "rest=zero;");
    assert_int_equal(count_rows(&folder, &renamed, &walker), 1);
    joint_map_free(&three);
    joint_map_free(&one);
    skeleton_free(&walker);
    skeleton_free(&renamed);
    test_folder_remove(&folder);
}

TEST(faulty_presets_report_the_line)
{
    TestFolder folder = test_folder_make();
    Skeleton walker;
    JointMap map = {0};
    Error err = {0};
    char rig[RIG_NAME_SIZE], text[400] = "";
    walker_skeleton(&walker);
    rig_name(&walker, &walker, rig);
    FILE *stream = fopen(test_folder_file(&folder, "rigs.tsv"), "w");
    assert_non_null(stream);
    fprintf(stream, "rig\ttarget\tsource\n%s\t--wings\t2\n%s\tTail\tHips\n", rig, rig);
    fclose(stream);
    const char *path = test_folder_file(&folder, "rigs.tsv");
    assert_int_equal(rig_settings_read(path, rig, collect, text, &err), STATUS_BAD_INPUT);
    assert_int_equal(err.line, 2);
    assert_int_equal(joint_map_read(path, &walker, &walker, &map, &err), STATUS_BAD_INPUT);
    assert_int_equal(err.line, 3);
    stream = fopen(path, "w");
    assert_non_null(stream);
    fputs("target\tsource\nHips\tHips\n", stream);
    fclose(stream);
    RigPreset preset = {&walker, &walker, &map, ""};
    stream = fopen("/dev/null", "w");
    assert_non_null(stream);
    assert_int_equal(rig_preset_write(path, &preset, stream, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "rig"));
    fclose(stream);
    skeleton_free(&walker);
    test_folder_remove(&folder);
}
