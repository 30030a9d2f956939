/* pipeline/stages/pipeline: one pipeline for all callers. */
#include <stdlib.h>
#include <string.h>

#include "formats/container/container.h"
#include "pipeline/stages/import.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/pipeline.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"
#include "tests/support/test.h"
#include "tests/support/test_folder.h"

static const char walk[] = "data/walk.bvh";

static Clip opened(const Pipeline *pipeline, Notes *notes)
{
    Clip clip;
    Error err;
    assert_int_equal(pipeline_open(pipeline, walk, &clip, notes, &err), STATUS_OK);
    return clip;
}

static ContainerImage image_of(const Clip *clip)
{
    ContainerDef def = container_default_def();
    ContainerImage image;
    assert_int_equal(container_encode(clip, &def, &image, NULL), STATUS_OK);
    return image;
}

/* The pipeline equals its stages run one by one, byte for byte, and may end after any of them. */
TEST(pipeline_equals_its_stages)
{
    Pipeline pipeline = pipeline_defaults();
    Error err;
    (void)state;
    pipeline_end_with(&pipeline, &stage_kinematics);
    assert_int_equal(pipeline.length, 4); /* retarget, without a target, is skipped */
    Clip whole = opened(&pipeline, NULL), steps = opened(&pipeline, NULL);
    assert_int_equal(pipeline_run(&pipeline, &whole, NULL, &err), STATUS_OK);
    assert_int_equal(clip_groups(&whole), CLIP_ALWAYS | CLIP_BODY | CLIP_KINEMATICS);
    const Stage *const stages[] = {&stage_body, &stage_smooth, &stage_kinematics};
    for (int i = 0; i < 3; i++) {
        OptionValues values;
        stage_defaults(stages[i], &values);
        assert_int_equal(stage_apply(stages[i], &values, &steps, NULL, &err), STATUS_OK);
    }
    ContainerImage a = image_of(&whole), b = image_of(&steps);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
    container_image_free(&a);
    container_image_free(&b);
    clip_free(&whole);
    clip_free(&steps);
}

TEST(clip_file_opens_as_stored)
{
    TestFolder folder = test_folder_make();
    const char *path = test_folder_file(&folder, "walk.h5");
    Pipeline pipeline = pipeline_defaults();
    Notes notes = {0};
    Clip clip = opened(&pipeline, &notes), again;
    ContainerImage image = image_of(&clip);
    Error err;
    (void)state;
    assert_string_equal(notes.stage, "import");
    assert_int_equal(notes.note[notes.count - 1].kind, NOTE_DECISION);
    assert_non_null(strstr(clip.provenance.history, notes.note[notes.count - 1].text));
    FILE *file = fopen(path, "wb");
    for (int i = 0; i < 2; i++) /* the first of several counts */
        assert_int_equal(fwrite(image.bytes, 1, image.size, file), image.size);
    fclose(file);
    assert_int_equal(pipeline_open(&pipeline, path, &again, NULL, &err), STATUS_OK);
    assert_string_equal(again.provenance.history, clip.provenance.history);
    clip_free(&again);
    assert_int_equal(pipeline_open(&pipeline, folder.path, &again, NULL, &err), STATUS_IO);
    assert_null(again.motion.rotation);
    notes_free(&notes);
    container_image_free(&image);
    clip_free(&clip);
    test_folder_remove(&folder);
}

/* The failed stage and the notes before it are reported. */
TEST(failing_stage_is_reported)
{
    Pipeline pipeline = pipeline_defaults();
    Notes notes = {0};
    Error err;
    (void)state;
    Clip clip = opened(&pipeline, &notes);
    OptionGroup groups[PIPELINE_GROUPS];
    assert_int_equal(pipeline_groups(&pipeline, groups), PIPELINE_GROUPS);
    const OptionGroup *contact = &groups[PIPELINE_GROUPS - 3];
    assert_string_equal(contact->stage->name, "contact");
    const Option *external = option_find(contact->options, "external");
    const char *missing = "data/no_such_table.tsv";
    assert_int_equal(external->kind->parse(external, missing, (char *)contact->values + external->offset, &err), 0);
    assert_int_equal(pipeline_run(&pipeline, &clip, &notes, &err), STATUS_IO);
    assert_string_equal(notes.stage, "contact");
    assert_memory_equal(err.text, missing, strlen(missing));
    notes_free(&notes);
    clip_free(&clip);
}

/* The request contains all that affects the bytes: version, import, stages, storage; not the limits of the reader. */
TEST(request_lists_every_option)
{
    Pipeline pipeline = pipeline_defaults();
    char *text, *other;
    (void)state;
    assert_int_equal(pipeline_describe(&pipeline, &text, NULL), STATUS_OK);
    assert_memory_equal(text, "kane ", 5);
    assert_non_null(strstr(text, "\nimport "));
    assert_non_null(strstr(text, "\nsmooth --method butterworth --cutoff auto\n"));
    assert_non_null(strstr(text, "--compress 0"));
    pipeline.import.limits.max_frames = 7;
    assert_int_equal(pipeline_describe(&pipeline, &other, NULL), STATUS_OK);
    assert_string_equal(other, text);
    free(other);
    pipeline.container.compress = 9;
    assert_int_equal(pipeline_describe(&pipeline, &other, NULL), STATUS_OK);
    assert_string_not_equal(other, text);
    free(other);
    free(text);
}

TEST(file_warnings_report_line_and_column)
{
    TestFolder folder = test_folder_make();
    const char *path = test_folder_file(&folder, "odd.bvh");
    ImportOptions given = import_defaults();
    Notes notes = {0};
    Clip clip;
    Error err;
    (void)state;
    FILE *file = fopen(path, "wb");
    fputs("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 50 0\n"
          "}\n}\nMOTION\nFrames: 3\nFrame Time: 0.01\n0 0 0\n0 0 0\n", file);
    fclose(file);
    given.guess.meters_per_unit = 0.01;
    assert_int_equal(import_read(&given, path, &clip, &notes, &err), STATUS_OK);
    assert_true(notes.count > 0);
    assert_int_equal(notes.note[0].kind, NOTE_WARNING);
    assert_int_equal(notes.note[0].line, 12);
    clip_free(&clip);
    notes_free(&notes);
    test_folder_remove(&folder);
}
