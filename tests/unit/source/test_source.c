/* formats/source: the table of formats, with a test-only reader. */
#define TEST_OWN_MAIN
#include "tests/support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SOURCES(SOURCE) SOURCE(bvh) SOURCE(walks)
#include "formats/source/source_table.c"

#include "formats/source/identify.h"
#include "formats/source/source.h"
#include "pipeline/stages/import.h"
#include "tests/support/test_folder.h"
#include "tests/support/walks_reader.h"

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

TEST(name_and_content_determine_the_format)
{
    char text[SOURCE_WORDS_SIZE];
    assert_string_equal(source_words("{motion} {motion-files} {repair} {repair-files} {", text),
                        "BVH or WALKS MOTION BVH FILE.bvh {");
    assert_true(source_has_ending("a/walk.BVH"));
    assert_true(source_has_ending("b.Wlk"));
    assert_false(source_has_ending(".bvh"));
    assert_false(source_has_ending("walk.bvh.h5"));
    assert_int_equal(source_stem("walk.walks", 10), 4);
    assert_int_equal(source_stem("walk.bvh.h5", 8), 4);
    assert_int_equal(source_stem("walk.h5", 7), 7);
    assert_ptr_equal(source_of_front("\xef\xbb\xbf \n hierarchy", 15), &source_bvh);
    assert_ptr_equal(source_of_front("WALKS 2", 7), &source_walks);
    assert_null(source_of_front("HIER", 4));
    assert_null(source_of_front("", 0));
    assert_int_equal(detect_file_kind("HIERARCHY\n", 10, 10), FILE_BVH);
    assert_int_equal(detect_file_kind("WALKS 2", 7, 7), FILE_OTHER);
    assert_null(foreign_file("WALKS 1,2\n3,4\n", 14)); /* otherwise it is a table */
}

TEST(finding_kinds_belong_to_the_format)
{
    assert_string_equal(source_finding(&source_walks, FINDING_KIND_COUNT + 1)->name, "walk-test");
    assert_string_equal(source_finding(&source_walks, FINDING_FROZEN)->name, "frozen");
    assert_string_equal(source_finding(&source_bvh, FINDING_KIND_COUNT)->name, "encoding");
    assert_ptr_equal(source_finding_named("walk-lame,x", 9), &walks_kinds[0]);
    assert_non_null(source_finding_named("last-row", 8));
    assert_null(source_finding_named("last", 4));
}

TEST(take_name_follows_the_file_name)
{
    char name[64];
    put("three.walks", "WALKS 3");
    put("odd#2", "WALKS 1");
    assert_int_equal(source_split("three.walks#2", name, sizeof name), 2);
    assert_string_equal(name, "three.walks");
    assert_int_equal(source_split("three.walks", name, sizeof name), 0);
    assert_int_equal(source_split("odd#2", name, sizeof name), 0); /* a file of exactly that name */
    assert_string_equal(name, "odd#2");
    assert_int_equal(source_split("three.walks#0", name, sizeof name), 0);
    assert_int_equal(source_split("three.walks#2x", name, sizeof name), 0);
    assert_int_equal(source_split("gone.walks#2", name, sizeof name), 0);
    SourceDef def = source_default_def();
    assert_int_equal(source_count("three.walks", &def), 3);
    assert_int_equal(source_count("three.walks#2", &def), 1);
    assert_int_equal(source_count("gone.walks", &def), 1);
}

TEST(each_take_is_imported_by_name)
{
    ImportOptions given = import_defaults();
    Clip first, third;
    put("three.walks", "WALKS 3");
    assert_int_equal(import_read(&given, "three.walks#1", &first, NULL, NULL), STATUS_OK);
    assert_int_equal(import_read(&given, "three.walks#3", &third, NULL, NULL), STATUS_OK);
    assert_near(third.motion.root_position[5].x - first.motion.root_position[5].x, 0.02, 1e-12);
    assert_string_equal(third.provenance.source, "three.walks#3");
    assert_string_equal(third.provenance.title, "three#3");
    assert_string_equal(third.provenance.source_sha256, first.provenance.source_sha256);
    assert_non_null(strstr(third.provenance.history, "take \"a_[2J_ b_\": detected cm"));
    assert_non_null(strstr(third.provenance.warnings, "walk-test: only a test"));
    clip_free(&first);
    clip_free(&third);
}

TEST(missing_or_unnamed_take_is_an_error)
{
    ImportOptions given = import_defaults();
    Clip clip;
    Error err = {0};
    put("three.walks", "WALKS 3");
    put("one.walks", "WALKS 1");
    put("broken.walks", "WALKS 1 broken");
    assert_int_equal(import_read(&given, "three.walks", &clip, NULL, &err), STATUS_BAD_INPUT);
    assert_string_equal(err.text, "file with 3 takes: select one of three.walks#1 to three.walks#3");
    assert_int_equal(import_read(&given, "three.walks#4", &clip, NULL, &err), STATUS_BAD_INPUT);
    assert_string_equal(err.text, "take 4 does not exist; the file has 3");
    assert_int_equal(import_read(&given, "broken.walks", &clip, NULL, &err), STATUS_BAD_INPUT);
    assert_string_equal(err.text, "a broken walk");
    assert_int_equal(import_read(&given, "one.walks", &clip, NULL, &err), STATUS_OK);
    assert_string_equal(clip.provenance.title, "one"); /* a single take needs no number */
    clip_free(&clip);
}

/* A name without a known extension is identified by its content, like a pipe. */
TEST(content_has_priority_over_the_name)
{
    ImportOptions given = import_defaults();
    Clip clip;
    Skeleton skeleton;
    SourceDef def = source_default_def();
    put("walk.bvh", "WALKS 1");
    assert_int_equal(import_read(&given, "walk.bvh", &clip, NULL, NULL), STATUS_OK);
    assert_int_equal(clip.skeleton.joint_count, WALKER_JOINTS);
    clip_free(&clip);
    put("two.wlk", "WALKS 2");
    assert_int_equal(source_skeleton("two.wlk#2", &def, &skeleton, NULL), STATUS_OK);
    assert_string_equal(skeleton.name[3], "LeftFoot");
    skeleton_free(&skeleton);
    FILE *pipe = popen("printf 'WALKS 1'", "r");
    char *bytes;
    size_t size;
    assert_int_equal(source_bytes_stream(pipe, &def, &bytes, &size, NULL), STATUS_OK);
    assert_int_equal(size, 7);
    free(bytes);
    pclose(pipe);
}

/* The frame rate is that of the companion, which also counts as content. */
TEST(companion_is_read_with_its_file)
{
    ImportOptions given = import_defaults();
    Clip alone, named, only;
    char digest[DIGEST_SIZE];
    SourceDef def = source_default_def();
    Source source;
    put("lone.walks", "WALKS 1");
    SourceStamp before = source_stamp("lone.walks", &def);
    assert_int_equal(import_read(&given, "lone.walks", &alone, NULL, NULL), STATUS_OK);
    put("any.pace", "50");
    assert_int_equal(import_read(&given, "lone.walks", &only, NULL, NULL), STATUS_OK);
    put("lone.pace", "25");
    assert_int_equal(import_read(&given, "lone.walks", &named, NULL, NULL), STATUS_OK);
    assert_near(alone.motion.frame_time, 1.0 / 30, 1e-12);
    assert_near(only.motion.frame_time, 1.0 / 50, 1e-12);
    assert_near(named.motion.frame_time, 1.0 / 25, 1e-12);
    assert_string_not_equal(alone.provenance.source_sha256, only.provenance.source_sha256);
    assert_string_not_equal(named.provenance.source_sha256, only.provenance.source_sha256);
    assert_int_equal(source_digest_path("lone.walks#1", &def, digest, NULL), STATUS_OK);
    assert_string_equal(digest, named.provenance.source_sha256);
    assert_int_equal(source_stamp("lone.walks", &def).size, before.size + 2);
    assert_int_equal(source_open("lone.walks", &def, &source, NULL), STATUS_OK);
    assert_string_equal(source.file.companion[0].path, "lone.pace");
    source_close(&source);
    unlink("any.pace");
    unlink("lone.pace");
    clip_free(&alone);
    clip_free(&only);
    clip_free(&named);
}

TEST(companion_is_found_by_name_or_if_single)
{
    char *found;
    mkdir("model", 0777);
    put("model/a.walks", "WALKS 1");
    put("model/one.pace", "30");
    assert_int_equal(companion_named("model/a.walks", "one.pace", &found, NULL), STATUS_OK);
    assert_string_equal(found, "model/one.pace");
    free(found);
    assert_int_equal(companion_named("model/a.walks", "none.pace", &found, NULL), STATUS_OK);
    assert_null(found);
    assert_int_equal(companion_only("a.walks", "model", ".PACE", &found, NULL), STATUS_OK);
    assert_string_equal(found, "model/one.pace");
    free(found);
    assert_int_equal(companion_only("a.walks", "nowhere", ".pace", &found, NULL), STATUS_OK);
    assert_null(found);
    put("model/two.pace", "30");
    assert_int_equal(companion_only("model/a.walks", "", ".pace", &found, NULL), STATUS_OK);
    assert_null(found); /* there are two */
}

TEST(format_estimates_its_size)
{
    SourceSize size;
    double bytes;
    put("three.walks", "WALKS 3");
    source_measure("three.walks#2", &size, &bytes);
    assert_near(bytes, 7, 0);
    assert_near(size.joints, WALKER_JOINTS, 0);
    assert_near(size.frames, WALKS_FRAMES, 0);
    put("two.bvh", "HIERARCHY ROOT a { JOINT b {} }\nMOTION\nFrames: 7\n"
                   "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20");
    source_measure("two.bvh", &size, &bytes);
    assert_near(size.joints, 2, 0);
    assert_near(size.frames, 7, 0);
    put("two.bvh", "HIERARCHY ROOT a {");
    source_measure("two.bvh", &size, &bytes);
    assert_true(size.frames < 0);
    source_measure("gone.bvh", &size, &bytes);
    assert_near(bytes, 0, 0);
}

int main(void)
{
    TestFolder folder = test_folder_make();
    if (chdir(folder.path))
        return 1;
    int failed = test_run();
    test_folder_remove(&folder);
    return failed;
}
