/* pipeline/stages/scale: Froude scaling of a walk, and which stages are recomputed with which options. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/stages/history_read.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/pipeline.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"
#include "tests/support/test.h"
#include "tests/support/test_folder.h"

static void give(const Stage *stage, OptionValues *values, const char *name, const char *text)
{
    const Option *option = option_find(stage->command.options, name);
    assert_non_null(option);
    assert_int_equal(option->kind->parse(option, text, values->bytes + option->offset, NULL), STATUS_OK);
}

static void give_chain(Pipeline *pipeline, const Stage *stage, const char *name, const char *text)
{
    for (int i = 0; i < PIPELINE_LENGTH; i++)
        if (pipeline_stages[i] == stage)
            give(stage, &pipeline->stage[i], name, text);
}

/* The walk of data/ through the pipeline without smoothing. */
static Clip walk(Pipeline *pipeline)
{
    Clip clip;
    Error err = {0};
    give_chain(pipeline, &stage_smooth, "method", "none");
    assert_int_equal(pipeline_open(pipeline, "data/walk.bvh", &clip, NULL, &err), STATUS_OK);
    assert_int_equal(pipeline_run(pipeline, &clip, NULL, &err), STATUS_OK);
    return clip;
}

static void scale(Clip *clip, const char *option, const char *text, const char *time, Notes *notes)
{
    OptionValues values;
    Error err = {0};
    stage_defaults(&stage_scale, &values);
    give(&stage_scale, &values, option, text);
    give(&stage_scale, &values, "time", time);
    assert_int_equal(stage_scale.apply_and_recompute(&values, clip, notes, &err), STATUS_OK);
}

static double largest(const Dynamics *d)
{
    double max = 0;
    for (size_t i = 0; i < (size_t)d->frame_count * (size_t)d->joint_count; i++)
        max = fmax(max, vec3_norm(d->torque[i]));
    return max;
}

/* Each torque scales by `law`, each power by `law` over the square root of length. */
static void assert_scaled(const Clip *big, const Clip *small, double law, double time)
{
    double max = largest(&small->dynamics);
    assert_true(max > 1);
    for (size_t i = 0; i < (size_t)small->dynamics.frame_count * (size_t)small->dynamics.joint_count; i++) {
        assert_vec3_near(vec3_scale(big->dynamics.torque[i], 1 / law), small->dynamics.torque[i], 1e-9 * max);
        assert_near(big->dynamics.power[i] / law * time, small->dynamics.power[i], 1e-9 * max * 10);
    }
}

TEST(torques_scale_by_the_fourth_power)
{
    const double length = 1.3;
    Pipeline pipeline = pipeline_defaults();
    (void)state;
    give_chain(&pipeline, &stage_contact, "method", "none");
    Clip small = walk(&pipeline), big = walk(&pipeline);
    scale(&big, "factor", "1.3", "similar", NULL);
    assert_near(big.body.total_mass, small.body.total_mass * pow(length, 3), 1e-10);
    assert_near(big.body.stature, small.body.stature * length, 1e-12);
    assert_near(big.motion.time[60], small.motion.time[60] * sqrt(length), 1e-12);
    assert_scaled(&big, &small, pow(length, 4), sqrt(length));
    clip_free(&small);
    clip_free(&big);
}

/* A table of forces with points and couples; its first line is the column names. */
static const char *write_forces(TestFolder *folder)
{
    const char *path = test_folder_file(folder, "forces.tsv");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("time\tjoint\tfx\tfy\tfz\tpx\tpy\tpz\ttx\tty\ttz\n", file);
    for (int i = 0; i <= 310; i++)
        fprintf(file, "%g\tLeftFoot\t%g\t%g\t-20\t0.1\t0.01\t%g\t0\t2\t1\n", i * 0.01, 30.0 - i, 400.0 + i, i * 0.012);
    fclose(file);
    return path;
}

TEST(measured_forces_are_scaled)
{
    const double length = 0.7;
    Pipeline pipeline = pipeline_defaults();
    TestFolder folder = test_folder_make();
    (void)state;
    give_chain(&pipeline, &stage_contact, "external", write_forces(&folder));
    Clip small = walk(&pipeline), big = walk(&pipeline);
    scale(&big, "factor", "0.7", "similar", NULL);
    assert_true(big.has_contact && big.contact.point_count == 1);
    assert_scaled(&big, &small, pow(length, 4), sqrt(length));
    assert_non_null(strstr(big.provenance.history, "contact --method external --external forces.tsv # scaled"));
    clip_free(&small);
    clip_free(&big);
    test_folder_remove(&folder);
}

/* Options of the history apply, a fixed ground height is scaled as a length, and the result is printed. */
TEST(scale_repeats_earlier_stages)
{
    Pipeline pipeline = pipeline_defaults();
    Notes notes = {0};
    (void)state;
    give_chain(&pipeline, &stage_kinematics, "scheme", "backward");
    give_chain(&pipeline, &stage_contact, "ground", "0.02");
    give_chain(&pipeline, &stage_contact, "friction", "0.6");
    Clip clip = walk(&pipeline);
    scale(&clip, "factor", "1.5", "same", &notes);
    const char *history = clip.provenance.history;
    const char *scaled = strstr(history, "\nscale "), *kinematics = strstr(history, "\nkinematics --scheme backward\n");
    assert_true(scaled && kinematics && kinematics > scaled);
    assert_non_null(strstr(kinematics, "contact --method estimate --friction 0.6 --ground 0.03"));
    assert_near(clip.contact.ground_height, 0.03, 1e-12);
    assert_int_equal(clip.trust.frame_count, clip.motion.frame_count);
    assert_int_equal(notes.note[notes.count - 1].kind, NOTE_RESULT);
    assert_non_null(strstr(notes.note[notes.count - 1].text, "scale factors: length 1.5, mass 3.375, time 1"));
    notes_free(&notes);
    clip_free(&clip);
}

/* Ten times the size at unchanged speed: forces of ten body weights, which remain in the residual. */
TEST(result_without_trusted_torques_is_reported)
{
    Pipeline pipeline = pipeline_defaults();
    Notes notes = {0};
    (void)state;
    Clip clip = walk(&pipeline);
    scale(&clip, "factor", "10", "same", &notes);
    assert_int_equal(notes.note[notes.count - 1].kind, NOTE_RESULT);
    assert_non_null(strstr(notes.note[notes.count - 1].text, "none to compare (0 % of frames trusted)"));
    notes_free(&notes);
    clip_free(&clip);
}

TEST(scaling_back_restores_torques)
{
    Pipeline pipeline = pipeline_defaults();
    (void)state;
    Clip clip = walk(&pipeline), back = walk(&pipeline);
    scale(&back, "factor", "4", "similar", NULL);
    scale(&back, "factor", "0.25", "similar", NULL);
    for (size_t i = 0; i < (size_t)clip.dynamics.frame_count * (size_t)clip.dynamics.joint_count; i++)
        assert_vec3_near(back.dynamics.torque[i], clip.dynamics.torque[i], 1e-9 * largest(&clip.dynamics));
    clip_free(&clip);
    clip_free(&back);
}

static Status refused(const char *const given[][2], Clip *clip, Error *err)
{
    OptionValues values;
    stage_defaults(&stage_scale, &values);
    for (int i = 0; given[i][0]; i++)
        give(&stage_scale, &values, given[i][0], given[i][1]);
    return stage_scale.apply_and_recompute(&values, clip, NULL, err);
}

TEST(invalid_factor_and_stature_are_refused)
{
    Pipeline pipeline = pipeline_defaults();
    Error err = {0};
    Clip clip = walk(&pipeline);
    (void)state;
    assert_int_equal(refused((const char *const[][2]){{0}}, &clip, &err), STATUS_USAGE);
    assert_int_equal(refused((const char *const[][2]){{"stature", "2"}, {"factor", "2"}, {0}}, &clip, &err),
                     STATUS_USAGE);
    clip.body.stature = 0;
    assert_int_equal(refused((const char *const[][2]){{"stature", "2"}, {0}}, &clip, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "--factor"));
    clip_drop(&clip, CLIP_BODY);
    assert_int_equal(refused((const char *const[][2]){{"factor", "2"}, {0}}, &clip, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "run kane body first"));
    clip_free(&clip);
}

/* A file of the history is named, including blanks; entries unknown to this version are reported. */
TEST(history_options_are_read_back)
{
    Clip clip = {0};
    OptionValues values;
    Error err = {0};
    char file[64];
    (void)state;
    assert_int_equal(clip_add_history(&clip, "torque --springs a b.tsv@12345678 # note", NULL), STATUS_OK);
    assert_int_equal(history_read(&clip, &stage_torque, &values, file, sizeof file, &err), STATUS_OK);
    assert_string_equal(file, "a b.tsv");
    assert_int_equal(history_read(&clip, &stage_kinematics, &values, file, sizeof file, &err), STATUS_OK);
    assert_string_equal(file, "");
    assert_int_equal(clip_add_history(&clip, "diff --scheme sideways", NULL), STATUS_OK);
    assert_int_equal(history_read(&clip, &stage_kinematics, &values, file, sizeof file, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "--scheme sideways"));
    assert_int_equal(clip_add_history(&clip, "diff --speed 3", NULL), STATUS_OK);
    assert_int_equal(history_read(&clip, &stage_kinematics, &values, file, sizeof file, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "--speed"));
    clip_free(&clip);
}
