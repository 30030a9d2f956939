/* A clip with torques that a stage edits, and its comparison with another. */
#ifndef KANE_TESTS_EDITED_CLIP_H
#define KANE_TESTS_EDITED_CLIP_H

#include "tests/support/test.h"

#include <math.h>

#include "pipeline/stages/option.h"
#include "pipeline/stages/pipeline.h"
#include "pipeline/stages/stage.h"
#include "tests/support/same_clip.h"

static inline Clip opened(const char *path)
{
    Pipeline pipeline = pipeline_defaults();
    Clip clip;
    assert_int_equal(pipeline_open(&pipeline, path, &clip, NULL, NULL), STATUS_OK);
    return clip;
}

static inline void run(Clip *clip)
{
    Pipeline pipeline = pipeline_defaults();
    Error err;
    Status status = pipeline_run(&pipeline, clip, NULL, &err);
    if (status)
        fail_msg("%s", err.text);
}

static inline void edit(const Stage *stage, Clip *clip, const char *name, const char *text)
{
    OptionValues values;
    stage_defaults(stage, &values);
    const Option *option = name ? option_find(stage->command.options, name) : NULL;
    if (option)
        assert_int_equal(option->kind->parse(option, text, values.bytes + option->offset, NULL), STATUS_OK);
    assert_int_equal(stage_apply(stage, &values, clip, NULL, NULL), STATUS_OK);
}

/* Bytes of each per-frame array, from frame `first` of the whole clip on. */
static inline int count_same_rows(const Clip *part, const Clip *whole, int first)
{
    int count = 0;
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const SchemaDataset *dataset = &schema_datasets[i];
        if (dataset->dim[0] != DIM_FRAME || dataset->flags & SCHEMA_COPY || !schema_has_dataset(whole, dataset))
            continue;
        assert_true(is_same_array(part, whole, dataset, (size_t)first));
        count++;
    }
    return count;
}

/* Largest difference of two arrays, relative to the largest value of the second. */
static inline double difference(const void *a, const void *b, size_t count)
{
    const double *x = a, *y = b;
    double max = 0, largest = 0;
    for (size_t i = 0; i < count; i++) {
        if (isnan(x[i]) && isnan(y[i]))
            continue;
        assert_false(isnan(x[i]) || isnan(y[i]));
        max = fmax(max, fabs(x[i] - y[i]));
        largest = fmax(largest, fabs(y[i]));
    }
    return largest > 0 ? max / largest : max;
}

#endif
