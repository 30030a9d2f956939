/* formats/bvh/bvh_repair: motion artifacts are found with frame and joint, and repaired. */
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"
#include "formats/bvh/bvh_repair.h"
#include "tests/support/inspect_bvh.h"
#include "tests/support/read_bvh.h"

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
