/* Compares a clip with what a lean file of it gives back. */
#ifndef KANE_TESTS_LEAN_DIFFERENCE_H
#define KANE_TESTS_LEAN_DIFFERENCE_H

#include <math.h>

#include "analysis/clip/clip_schema.h"
#include "formats/container/container.h"

static inline void lean_round_trip(const Clip *clip, Clip *back)
{
    ContainerDef def = {.lean = 1};
    ContainerImage image;
    Error err = {0};
    assert_int_equal(container_encode(clip, &def, &image, NULL), STATUS_OK);
    if (container_decode(&image, back, &err))
        fail_msg("%s", err.text);
    container_image_free(&image);
}

/* Largest difference of an array over its largest value; infinite if one of them has a gap. */
static inline double lean_difference(const Clip *clip, const Clip *back, const SchemaDataset *dataset)
{
    const double *a = schema_array(clip, dataset), *b = schema_array(back, dataset);
    double largest = 0, difference = 0;
    for (size_t i = 0; i < schema_count(clip, dataset); i++) {
        if (isnan(a[i]) != isnan(b[i]))
            return INFINITY;
        largest = fmax(largest, fabs(a[i]));
        difference = fmax(difference, fabs(a[i] - b[i]));
    }
    return difference > 0 ? difference / largest : 0;
}

/* Every array is there and within 1e-6 of its largest value; whole numbers are equal. */
static inline void assert_lean_equal(const Clip *clip, const Clip *back, const char *name)
{
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const SchemaDataset *dataset = &schema_datasets[i];
        char path[64];
        schema_path(dataset, path, sizeof path);
        if (schema_has_dataset(clip, dataset) != schema_has_dataset(back, dataset))
            fail_msg("%s: %s is in one of the clips only", name, path);
        if (!schema_has_dataset(clip, dataset) || schema_is_text(dataset->element))
            continue;
        assert_int_equal(schema_count(clip, dataset), schema_count(back, dataset));
        if (dataset->element != ELEMENT_DOUBLE)
            assert_memory_equal(schema_array(clip, dataset), schema_array(back, dataset),
                                schema_count(clip, dataset) * schema_element_size(dataset->element));
        else if (!(lean_difference(clip, back, dataset) <= 1e-6))
            fail_msg("%s: %s differs by %g of its largest value", name, path, lean_difference(clip, back, dataset));
    }
}

#endif
