/* formats/bvh/bvh_motion, bvh_findings, bvh_repair: a broken file is read with all findings, and its repaired version
 * has none; a declared unit and axis change the numbers but not the motion. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"
#include "formats/bvh/bvh_repair.h"
#include "formats/source/source_table.h"
#include "tests/support/inspect_bvh.h"
#include "tests/support/read_bvh.h"

/* A rotating and translating chain of two joints; `edit` may corrupt rows. */
static char *make_file(const char *(*edit)(int frame), int announced)
{
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    fprintf(stream, "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0 0\n"
                    "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                    "\tJOINT Chest\n\t{\n\t\tOFFSET 0 30 4\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
                    "\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 20 0\n\t\t}\n\t}\n}\n"
                    "MOTION\nFrames: %d\nFrame Time: 0.01\n", announced); /* rows start in line 19 */
    for (int f = 0; f < 40; f++) {
        const char *instead = edit(f);
        if (instead) {
            fputs(instead, stream);
            continue;
        }
        for (int c = 0; c < 9; c++)
            fprintf(stream, "%.6f%c", 30 * elementary_sin(0.09 * f + c) + 2 * f, c < 8 ? ' ' : '\n');
    }
    fclose(stream);
    return text;
}

static const char *sound(int frame) { (void)frame; return NULL; }

static const char *spoilt(int frame)
{
    return frame == 10 ? "1 2 nan 4 5 6 7 8 9\n" : frame == 20 ? "1 2 3\n" : frame == 39 ? "1 2 3 4" : NULL;
}

static Status read_tolerant(const char *text, Bvh *bvh, Error *err)
{
    SourceDef def = source_default_def();
    def.tolerant = 1;
    return bvh_parse(text, strlen(text), &def, bvh, err);
}

static int find_fault(const Bvh *bvh, int fault)
{
    for (int i = 0; i < bvh->findings.count; i++)
        if (bvh->findings.found[i].kind == fault)
            return bvh->findings.found[i].at.line;
    return 0;
}

static ImportGuessDef declared(void)
{
    ImportGuessDef def = import_guess_default_def();
    def.meters_per_unit = 0.01;
    def.up = UP_Y;
    return def;
}

TEST(every_error_is_found_and_repaired)
{
    char *text = make_file(spoilt, 41), *repaired;
    size_t size;
    Bvh bvh;
    Error err = {0};
    ImportGuessDef def = declared();
    assert_int_equal(read_tolerant(text, &bvh, &err), STATUS_OK);
    assert_int_equal(bvh.frame_count, 39);
    assert_true(isnan(bvh.value[10 * 9 + 2]));
    assert_int_equal(inspect_bvh(&bvh, &def, NULL, &err), STATUS_OK);
    assert_int_equal(find_fault(&bvh, BVH_ERROR_NUMBER), 29);
    assert_int_equal(find_fault(&bvh, BVH_ERROR_ROW), 39);
    assert_int_equal(find_fault(&bvh, BVH_ERROR_LAST_ROW), 58);
    assert_int_equal(find_fault(&bvh, BVH_ERROR_FRAME_COUNT), 17);
    assert_int_equal(bvh_repair(&bvh, &def, &err), STATUS_OK);
    for (int i = 0; i < bvh.findings.count; i++)
        assert_int_equal(bvh.findings.found[i].repaired, 1);
    FILE *stream = open_memstream(&repaired, &size);
    assert_int_equal(bvh_write(&bvh, stream, &err), STATUS_OK);
    fclose(stream);
    bvh_free(&bvh);
    assert_int_equal(read_tolerant(repaired, &bvh, &err), STATUS_OK);
    assert_int_equal(inspect_bvh(&bvh, &def, NULL, &err), STATUS_OK);
    assert_int_equal(bvh.findings.count, 0);
    assert_near(bvh.value[10 * 9 + 2], 30 * elementary_sin(0.09 * 10 + 2) + 20, 0.2); /* half the curvature of a step */
    bvh_free(&bvh);
    free(repaired);
    free(text);
}

/* For a valid file, the tolerant reader returns the same values as the strict one. */
TEST(tolerant_and_strict_reader_agree_on_valid_file)
{
    char *text = make_file(sound, 40);
    SourceDef def = source_default_def();
    Bvh strict, tolerant;
    assert_int_equal(bvh_parse(text, strlen(text), &def, &strict, NULL), STATUS_OK);
    assert_int_equal(read_tolerant(text, &tolerant, NULL), STATUS_OK);
    assert_int_equal(strict.frame_count, tolerant.frame_count);
    assert_memory_equal(strict.value, tolerant.value, 40 * 9 * sizeof *strict.value);
    assert_int_equal(tolerant.findings.count, 0);
    assert_int_equal(tolerant.location[39 * 9].line, 58);
    bvh_free(&strict);
    bvh_free(&tolerant);
    free(text);
}

/* A file in inches with Z up, declared and repaired, is the same clip in centimetres, +Y up. */
TEST(declared_unit_and_axis_keep_the_motion)
{
    char *text = make_file(sound, 40);
    ImportGuessDef def = import_guess_default_def(), after = declared();
    Bvh bvh;
    Clip before = {0}, repaired = {0};
    def.meters_per_unit = 0.0254;
    def.up = UP_Z;
    def.fps = 50;
    after.root_offset = def.root_offset = ROOT_OFFSET_REPLACE;
    assert_int_equal(read_tolerant(text, &bvh, NULL), STATUS_OK);
    assert_int_equal(clip_from_bvh(&bvh, &def, &before, NULL, NULL), STATUS_OK);
    assert_int_equal(bvh_repair(&bvh, &def, NULL), STATUS_OK);
    assert_int_equal(clip_from_bvh(&bvh, &after, &repaired, NULL, NULL), STATUS_OK);
    assert_near(repaired.motion.frame_time, 0.02, 1e-15);
    assert_vec3_near(repaired.skeleton.offset[1], before.skeleton.offset[1], 1e-12);
    for (int f = 0; f < 40; f++) {
        assert_vec3_near(repaired.motion.root_position[f], before.motion.root_position[f], 1e-12);
        for (int j = 0; j < 2; j++)
            assert_near(fabs(quat_dot(repaired.motion.rotation[2 * f + j], before.motion.rotation[2 * f + j])), 1,
                        1e-13);
    }
    clip_free(&before);
    clip_free(&repaired);
    bvh_free(&bvh);
    free(text);
}

/* Lost, frozen and duplicate rows are restored to the original motion: 40 frames at their positions. */
static const char *recorder(int frame) { return frame == 12 ? "" : NULL; }

TEST(missing_row_is_inserted)
{
    char *text = make_file(recorder, 40);
    ImportGuessDef def = declared();
    Bvh bvh;
    assert_int_equal(read_tolerant(text, &bvh, NULL), STATUS_OK);
    assert_int_equal(bvh.frame_count, 39);
    assert_int_equal(inspect_bvh(&bvh, &def, NULL, NULL), STATUS_OK);
    assert_int_equal(find_fault(&bvh, FINDING_ROW_MISSING), 31);
    assert_int_equal(bvh_repair(&bvh, &def, NULL), STATUS_OK);
    assert_int_equal(bvh.frame_count, 40);
    for (int f = 0; f < 40; f++)
        assert_near(bvh.value[f * 9], 30 * elementary_sin(0.09 * f) + 2 * f, 0.2);
    bvh_free(&bvh);
    free(text);
}

/* Replaces row `frame` by the previous row. */
static void repeat_row(Bvh *bvh, int frame)
{
    memcpy(bvh->value + frame * 9, bvh->value + (frame - 1) * 9, 9 * sizeof *bvh->value);
}

TEST(duplicated_and_frozen_rows_are_distinguished)
{
    char *text = make_file(sound, 40);
    ImportGuessDef def = declared();
    Bvh bvh;
    assert_int_equal(read_tolerant(text, &bvh, NULL), STATUS_OK);
    repeat_row(&bvh, 10); /* frozen */
    memmove(bvh.value + 26 * 9, bvh.value + 25 * 9, 14 * 9 * sizeof *bvh.value); /* one frame late from 25 on */
    repeat_row(&bvh, 25);
    assert_int_equal(inspect_bvh(&bvh, &def, NULL, NULL), STATUS_OK);
    assert_int_equal(find_fault(&bvh, FINDING_ROW_FROZEN), 29);
    assert_int_equal(find_fault(&bvh, FINDING_ROW_TWICE), 44);
    assert_int_equal(bvh_repair(&bvh, &def, NULL), STATUS_OK);
    assert_int_equal(bvh.frame_count, 39);
    for (int f = 0; f < 39; f++)
        assert_near(bvh.value[f * 9], 30 * elementary_sin(0.09 * f) + 2 * f, 0.2);
    bvh_free(&bvh);
    free(text);
}

/* More than one row in twenty is duplicate: the take was resampled, and its rows are kept. */
TEST(resampled_take_keeps_its_rows)
{
    char *text = make_file(sound, 40);
    ImportGuessDef def = declared();
    Bvh bvh;
    assert_int_equal(read_tolerant(text, &bvh, NULL), STATUS_OK);
    for (int frame = 12; frame < 30; frame += 5) {
        memmove(bvh.value + frame * 9, bvh.value + (frame - 1) * 9, (size_t)(40 - frame) * 9 * sizeof *bvh.value);
        repeat_row(&bvh, frame);
    }
    assert_int_equal(inspect_bvh(&bvh, &def, NULL, NULL), STATUS_OK);
    assert_true(find_fault(&bvh, FINDING_REPEATED) > 0);
    assert_int_equal(find_fault(&bvh, FINDING_ROW_TWICE), 0); /* one finding instead of one per row */
    assert_int_equal(bvh_repair(&bvh, &def, NULL), STATUS_OK);
    assert_int_equal(bvh.frame_count, 40);
    for (int i = 0; i < bvh.findings.count; i++)
        assert_int_equal(bvh.findings.found[i].repaired, bvh.findings.found[i].kind != FINDING_REPEATED);
    bvh_free(&bvh);
    free(text);
}

/* A rest pose before the take is removed unless requested. */
TEST(first_frame_in_rest_pose_is_dropped)
{
    char *text = make_file(sound, 40);
    for (int keep = 0; keep < 2; keep++) {
        ImportGuessDef def = declared();
        Bvh bvh;
        def.keep_first_frame = keep;
        assert_int_equal(read_tolerant(text, &bvh, NULL), STATUS_OK);
        double second = bvh.value[9];
        for (int c = 0; c < 9; c++)
            bvh.value[c] = bvh.value[9 + c] + 100;
        assert_int_equal(inspect_bvh(&bvh, &def, NULL, NULL), STATUS_OK);
        assert_int_equal(find_fault(&bvh, FINDING_FIRST_FRAME), keep ? 0 : 19);
        assert_int_equal(bvh_repair(&bvh, &def, NULL), STATUS_OK);
        assert_int_equal(bvh.frame_count, 39 + keep);
        assert_near(bvh.value[keep * 9], second, 0);
        bvh_free(&bvh);
    }
    free(text);
}

/* Rows without line breaks: a stream of numbers with a truncated last row and an invalid number. */
TEST(numbers_without_line_breaks_are_read_in_rows)
{
    const char *text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT b\n{\n"
                       "OFFSET 0 1 0\n}\nJOINT b\n{\nOFFSET 1 0 0\n}\n}\nMOTION\nFrames: 4\nFrame Time: 0.01\n"
                       "1 2\n3 11 x\n13\n21 22\n23-31\n32 33 4e10\n"; /* rows start in line 18 */
    ImportGuessDef def = declared();
    Bvh bvh;
    Error err = {0};
    assert_int_equal(read_tolerant(text, &bvh, &err), STATUS_OK);
    assert_int_equal(bvh.frame_count, 4);
    assert_true(isnan(bvh.value[4]));
    assert_near(bvh.value[9], -31, 0);
    assert_int_equal(bvh.location[3].line, 19);
    assert_int_equal(bvh.location[3].column, 3);
    assert_int_equal(find_fault(&bvh, BVH_ERROR_NO_BLANK), 22);
    assert_int_equal(find_fault(&bvh, BVH_ERROR_LAST_ROW), 23);
    assert_int_equal(inspect_bvh(&bvh, &def, NULL, &err), STATUS_OK);
    assert_int_equal(bvh_repair(&bvh, &def, &err), STATUS_OK);
    assert_string_equal(bvh.name[1], "b");
    assert_string_equal(bvh.name[2], "b_2");
    bvh_free(&bvh);
}

TEST(unknown_frame_time_is_refused)
{
    char *text = make_file(sound, 40);
    ImportGuessDef def = declared();
    Bvh bvh;
    Error err = {0};
    memcpy(strstr(text, "0.01\n"), "0.00", 4);
    assert_int_equal(read_tolerant(text, &bvh, &err), STATUS_OK);
    assert_int_equal(find_fault(&bvh, FINDING_FRAME_TIME), 18);
    assert_int_equal(bvh_repair(&bvh, &def, &err), STATUS_USAGE);
    bvh_free(&bvh);
    free(text);
}

TEST(every_error_has_a_distinct_name_and_meaning)
{
    for (int fault = 0; fault < BVH_ERROR_COUNT; fault++) {
        const FindingInfo *info = source_finding(&source_bvh, fault);
        assert_true(info->name && *info->name && info->meaning && *info->meaning);
        for (int other = 0; other < fault; other++)
            assert_string_not_equal(info->name, source_finding(&source_bvh, other)->name);
    }
}

static Bvh walk(void)
{
    Bvh bvh;
    SourceDef def = source_default_def();
    def.tolerant = 1;
    assert_int_equal(read_bvh("data/walk.bvh", &def, &bvh, NULL), STATUS_OK);
    return bvh;
}

static double *value(Bvh *bvh, int frame, int channel) { return &bvh->value[frame * bvh->channel_count + channel]; }

static const Finding *find(const Bvh *bvh, int fault)
{
    for (int i = 0; i < bvh->findings.count; i++)
        if (bvh->findings.found[i].kind == fault)
            return &bvh->findings.found[i];
    return NULL;
}

TEST(clean_file_has_no_artifacts)
{
    Bvh bvh = walk();
    ImportGuessDef def = import_guess_default_def();
    assert_int_equal(inspect_bvh(&bvh, &def, NULL, NULL), STATUS_OK);
    for (int fault = FINDING_TELEPORT; fault <= FINDING_FAMILY; fault++)
        assert_null(find(&bvh, fault));
    bvh_free(&bvh);
}

TEST(artifacts_are_found_and_repaired)
{
    Bvh sound = walk(), bvh = walk();
    ImportGuessDef def = import_guess_default_def();
    int turn = bvh.first_channel[1] + bvh.joint_channels[1] - 1, row = bvh.channel_count;
    *value(&bvh, 40, 0) += 100;
    for (int f = 70; f < 73; f++)
        *value(&bvh, f, turn) += 120;
    for (int f = 110; f < 130; f++)
        memcpy(value(&bvh, f, 0), value(&bvh, 109, 0), (size_t)row * sizeof(double));
    assert_int_equal(inspect_bvh(&bvh, &def, NULL, NULL), STATUS_OK);
    assert_non_null(strstr(find(&bvh, FINDING_TELEPORT)->text, "frame 40: "));
    assert_int_equal(find(&bvh, FINDING_TELEPORT)->at.line, bvh_location(&bvh, 40, 0).line);
    assert_non_null(strstr(find(&bvh, FINDING_FLIP)->text, "for 3 frames"));
    assert_non_null(strstr(find(&bvh, FINDING_FROZEN)->text, "the pose is frozen"));
    assert_int_equal(bvh_repair(&bvh, &def, NULL), STATUS_OK);
    assert_int_equal(bvh.frame_count, sound.frame_count);
    assert_near(*value(&bvh, 40, 0), *value(&sound, 40, 0), 0.05);
    assert_near(*value(&bvh, 71, turn), *value(&sound, 71, turn), 0.5);
    assert_near(*value(&bvh, 120, 0), *value(&sound, 120, 0), 3);
    for (int fault = FINDING_TELEPORT; fault <= FINDING_FROZEN; fault++)
        assert_true(find(&bvh, fault)->repaired);
    /* repaired intervals are not reported again: a frozen pose does not move linearly either */
    bvh.findings.count = 0;
    assert_int_equal(inspect_bvh(&bvh, &def, NULL, NULL), STATUS_OK);
    for (int fault = FINDING_TELEPORT; fault <= FINDING_FROZEN; fault++)
        assert_null(find(&bvh, fault));
    bvh_free(&bvh);
    bvh_free(&sound);
}

/* A permanent step is kept, beside a single-frame jump that is repaired. */
TEST(permanent_step_is_not_marked_as_repaired)
{
    Bvh bvh = walk();
    ImportGuessDef def = import_guess_default_def();
    *value(&bvh, 40, 0) += 100;
    for (int f = 90; f < bvh.frame_count; f++)
        *value(&bvh, f, 0) += 150;
    assert_int_equal(inspect_bvh(&bvh, &def, NULL, NULL), STATUS_OK);
    assert_int_equal(bvh_repair(&bvh, &def, NULL), STATUS_OK);
    for (int i = 0; i < bvh.findings.count; i++)
        if (bvh.findings.found[i].kind == FINDING_TELEPORT)
            assert_int_equal(bvh.findings.found[i].repaired, strstr(bvh.findings.found[i].text, "stays") == NULL);
    assert_non_null(strstr(find(&bvh, FINDING_TELEPORT)->text, "frame 40"));
    bvh_free(&bvh);
}

TEST(missing_joint_of_the_family_is_reported)
{
    Bvh bvh = walk(), other = walk();
    ImportGuessDef def = import_guess_default_def();
    Skeleton family;
    strcpy(bvh.name[2], "x");
    assert_int_equal(bvh_skeleton(&other, &family, NULL), STATUS_OK);
    assert_int_equal(inspect_bvh(&bvh, &def, &family, NULL), STATUS_OK);
    skeleton_free(&family);
    assert_int_equal(find(&bvh, FINDING_FAMILY)->at.line, bvh.line[0]);
    assert_non_null(strstr(find(&bvh, FINDING_FAMILY)->text, other.name[2]));
    bvh_free(&bvh);
    bvh_free(&other);
}

TEST(missing_root_path_is_reported)
{
    Bvh bvh = walk();
    ImportGuessDef def = import_guess_default_def();
    for (int f = 1; f < bvh.frame_count; f++)
        memcpy(value(&bvh, f, 0), value(&bvh, 0, 0), 3 * sizeof(double));
    assert_int_equal(inspect_bvh(&bvh, &def, NULL, NULL), STATUS_OK);
    assert_non_null(find(&bvh, FINDING_ROOT_PATH));
    assert_non_null(strstr(find(&bvh, FINDING_ROOT_PATH)->text, bvh.name[0]));
    assert_int_equal(find(&bvh, FINDING_ROOT_PATH)->at.line, bvh.line[0]);
    bvh_free(&bvh);
}

TEST(uncertain_import_decisions_are_reported)
{
    Bvh bvh = walk();
    ImportGuessDef def = import_guess_default_def();
    memset(value(&bvh, 0, 0), 0, (size_t)bvh.channel_count * sizeof(double)); /* a rest pose at the origin */
    bvh.frame_time = 1e-4;
    assert_int_equal(inspect_bvh(&bvh, &def, NULL, NULL), STATUS_OK);
    assert_non_null(strstr(find(&bvh, FINDING_FIRST_FRAME)->text, "frame 0 is not part of the take"));
    assert_non_null(strstr(find(&bvh, FINDING_FRAME_TIME)->text, "unusual Frame Time"));
    bvh.findings.count = 0;
    def.fps = 60;
    assert_int_equal(inspect_bvh(&bvh, &def, NULL, NULL), STATUS_OK);
    assert_null(find(&bvh, FINDING_FRAME_TIME)); /* set by the user */
    bvh_free(&bvh);
}

/* Rotating legs and trunk, all with position channels: bone lengths reveal what the channels mean. */
static Bvh positions(int are_world)
{
    static const char *const joints[] = {"Spine", "Neck", "Head"};
    char *text;
    size_t size;
    Bvh bvh;
    SourceDef def = source_default_def();
    def.tolerant = 1;
    Error err = {0};
    FILE *stream = open_memstream(&text, &size);
    fprintf(stream, "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\n"
                    "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n");
    for (int j = 0; j < 3; j++)
        fprintf(stream, "JOINT %s\n{\nOFFSET 0 20 0\nCHANNELS 6 Xposition Yposition Zposition "
                        "Zrotation Xrotation Yrotation\n", joints[j]);
    fprintf(stream, "End Site\n{\nOFFSET 0 10 0\n}\n}\n}\n}\n}\nMOTION\nFrames: 60\nFrame Time: 0.0333333\n");
    for (int f = 0; f < 60; f++)
        for (int j = 0; j < 4; j++) {
            int moves = are_world || j == 0;
            fprintf(stream, "%.6f %.6f %.6f 0 0 0%c", moves ? 3.0 * f : 0, moves ? 90.0 + 20 * j : 0,
                    moves ? 40 * elementary_sin(0.1 * f) : 0, j < 3 ? ' ' : '\n');
        }
    fclose(stream);
    if (bvh_parse(text, strlen(text), &def, &bvh, &err))
        fail_msg("%d: %s", err.line, err.text);
    free(text);
    return bvh;
}

TEST(meaning_of_positions_is_reported)
{
    static const char *const words[] = {"places beyond the offsets", "places in the world"};
    ImportGuessDef def = import_guess_default_def();
    for (int are_world = 0; are_world < 2; are_world++) {
        Bvh bvh = positions(are_world);
        assert_int_equal(inspect_bvh(&bvh, &def, NULL, NULL), STATUS_OK);
        assert_non_null(find(&bvh, FINDING_POSITIONS));
        assert_non_null(strstr(find(&bvh, FINDING_POSITIONS)->text, words[are_world]));
        bvh_free(&bvh);
    }
}
