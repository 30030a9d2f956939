/* Clip files that kane does not write: valid ones with arrays changed afterwards. */
#ifndef KANE_TESTS_ALTERED_IMAGE_H
#define KANE_TESTS_ALTERED_IMAGE_H

#include <stdio.h>
#include <string.h>

#include "analysis/clip/clip_schema.h"
#include "formats/container/container.h"

/* Replaces the arrays of `original` in its image, which is uncompressed and not float32, by those of `altered`; returns
 * the number of changed arrays. */
static inline int alter_image(ContainerImage *image, const Clip *original, const Clip *altered)
{
    int changed = 0;
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const SchemaDataset *schema = &schema_datasets[i];
        if (schema_is_text(schema->element) || schema->flags & SCHEMA_COPY || !schema_has_dataset(original, schema))
            continue;
        size_t size = schema_count(original, schema) * schema_element_size(schema->element);
        const void *was = schema_array(original, schema), *now = schema_array(altered, schema);
        if (!memcmp(was, now, size))
            continue;
        unsigned char *at = image->bytes, *end = image->bytes + image->size;
        while ((at = memmem(at, (size_t)(end - at), was, size)))
            memcpy(at, now, size);
        changed++;
    }
    return changed;
}

/* Encodes `original` and replaces its arrays by those of `altered`. */
static inline ContainerImage altered_image(const Clip *original, const Clip *altered)
{
    ContainerImage image;
    ContainerDef def = container_default_def();
    assert_int_equal(container_encode(original, &def, &image, NULL), STATUS_OK);
    assert_true(alter_image(&image, original, altered) > 0);
    return image;
}

/* Same, written to a file. */
static inline void altered_file(const Clip *original, const Clip *altered, const char *path)
{
    ContainerImage image = altered_image(original, altered);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(image.bytes, 1, image.size, file), image.size);
    assert_int_equal(fclose(file), 0);
    container_image_free(&image);
}

#endif
