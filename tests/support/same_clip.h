/* Compares two clips array by array of the schema. */
#ifndef KANE_TESTS_SAME_CLIP_H
#define KANE_TESTS_SAME_CLIP_H

#include <string.h>

#include "analysis/clip/clip_schema.h"
#include "tests/support/assert_near.h"

/* The array of b equals frames `first` and later of that of a; for other arrays first is 0. */
static inline int is_same_array(const Clip *a, const Clip *b, const SchemaDataset *schema, size_t first)
{
    size_t row = schema_row(a, schema), places = schema_dim_size(a, schema->dim[0]);
    size_t bytes = row * schema_element_size(schema->element);
    if (schema_has_dataset(a, schema) != schema_has_dataset(b, schema))
        return 0;
    if (!schema_has_dataset(a, schema))
        return 1;
    if (row != schema_row(b, schema) || places + first > schema_dim_size(b, schema->dim[0]))
        return 0;
    for (size_t i = 0; i < places && schema->element == ELEMENT_NAME; i++)
        if (strcmp(schema_label(a, schema, i), schema_label(b, schema, i)) != 0)
            return 0;
    return schema->element == ELEMENT_NAME ||
           !memcmp(schema_array(a, schema), (const char *)schema_array(b, schema) + first * bytes, places * bytes);
}

static inline void assert_same_arrays(const Clip *a, const Clip *b)
{
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        if (!is_same_array(a, b, &schema_datasets[i], 0) ||
            schema_count(a, &schema_datasets[i]) != schema_count(b, &schema_datasets[i]))
            fail_msg("%s of %s differs", schema_datasets[i].name, schema_groups[schema_datasets[i].group].name);
}

#endif
