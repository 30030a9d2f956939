/* The pipeline from import to angles with springs, in a program without build/libkane_scene.a. All of build/libkane.a
 * is linked (tests/links.mk): a call from it into the archive of scenes is an undefined symbol. */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "pipeline/stages/pipeline.h"

/* Runs the pipeline with a table of springs (NULL: none); returns the torque of a joint, N m, mean over frames
 * and joints. */
static double run_squat(const char *springs)
{
    Pipeline pipeline = pipeline_defaults();
    OptionGroup groups[PIPELINE_GROUPS];
    Clip clip = {0};
    Error err = {0};
    int count = pipeline_groups(&pipeline, groups);
    for (int i = 0; i < count && springs; i++) {
        const Option *option = option_find_prefixed(&groups[i], "torque-springs");
        if (option)
            assert_int_equal(option->kind->parse(option, springs, (char *)groups[i].values + option->offset, &err), 0);
    }
    assert_int_equal(pipeline_open(&pipeline, "data/squat.bvh", &clip, NULL, &err), STATUS_OK);
    assert_int_equal(pipeline_run(&pipeline, &clip, NULL, &err), STATUS_OK);
    assert_true(clip.has_dynamics && clip.has_angles);
    size_t values = motion_index(&clip.motion, clip.motion.frame_count, 0);
    double sum = 0;
    for (size_t i = 0; i < values; i++)
        sum += vec3_norm(clip.dynamics.torque[i]);
    clip_free(&clip);
    return sum / (double)values;
}

TEST(pipeline_runs_without_archive_of_scenes)
{
    char path[] = "/tmp/kane-springs-XXXXXX";
    FILE *table = fdopen(mkstemp(path), "w");
    fputs("name\tkind\tjoint_a\tax\tay\taz\tjoint_b\tbx\tby\tbz\tstiffness\tdamping\trest\n"
          "hip\tturning\tHips\t0\t0\t0\tLeftUpLeg\t0\t0\t0\t100\t1\t0\n", table);
    assert_int_equal(fclose(table), 0);
    double without = run_squat(NULL), with_springs = run_squat(path);
    unlink(path);
    assert_true(without > 5 && without < 50);
    assert_true(fabs(with_springs - without) > 0.1);
}
