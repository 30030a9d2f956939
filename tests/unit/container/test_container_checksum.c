/* formats/container/container_checksum: a change of a stored array is detected, in each form of storage. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "analysis/clip/clip_schema.h"
#include "formats/container/container.h"
#include "formats/container/container_checksum.h"
#include "tests/support/test.h"
#include "tests/support/sample_clip.h"

/* Position of the bytes of an array in an image; NULL if not found. */
static unsigned char *find(const ContainerImage *image, const void *array, size_t size)
{
    return memmem(image->bytes, image->size, array, size);
}

TEST(flipped_byte_of_any_array_is_detected)
{
    Clip clip, back;
    ContainerImage image;
    ContainerDef def = container_default_def();
    int flipped = 0;
    (void)state;
    assert_int_equal(sample_clip(&clip, 20, 5, 2), 0);
    assert_int_equal(container_encode(&clip, &def, &image, NULL), STATUS_OK);
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const SchemaDataset *schema = &schema_datasets[i];
        Error err = {0};
        char path[64];
        if (schema->element != ELEMENT_DOUBLE || !schema_has_dataset(&clip, schema))
            continue;
        unsigned char *at = find(&image, schema_array(&clip, schema), schema_count(&clip, schema) * sizeof(double));
        assert_non_null(at);
        at[1] ^= 1; /* a low-order digit: no value check detects it */
        assert_int_equal(container_decode(&image, &back, &err), STATUS_BAD_INPUT);
        schema_path(schema, path, sizeof path);
        assert_non_null(strstr(err.text, "checksum"));
        at[1] ^= 1;
        flipped++;
    }
    assert_true(flipped > 15);
    assert_int_equal(container_decode(&image, &back, NULL), STATUS_OK);
    clip_free(&back);
    container_image_free(&image);
    clip_free(&clip);
}

TEST(every_storage_form_has_valid_checksums)
{
    Clip clip, back;
    (void)state;
    assert_int_equal(sample_clip(&clip, 20, 5, 2), 0);
    for (int form = 0; form < 4; form++) {
        ContainerDef def = {.float32 = form & 1, .compress = form & 2};
        ContainerImage image;
        assert_int_equal(container_encode(&clip, &def, &image, NULL), STATUS_OK);
        assert_int_equal(container_decode(&image, &back, NULL), STATUS_OK);
        clip_free(&back);
        container_image_free(&image);
    }
    clip_free(&clip);
}

/* A later version may have more, or fewer, attributes and datasets. */
TEST(unlisted_datasets_are_accepted)
{
    Clip clip;
    char *text;
    ContainerDef def = container_default_def();
    (void)state;
    assert_int_equal(sample_clip(&clip, 20, 5, 2), 0);
    assert_int_equal(container_checksums(&clip, &def, &text, NULL), STATUS_OK);
    assert_int_equal(container_checksums_check(&clip, text, 1, NULL, NULL), STATUS_OK);
    assert_int_equal(container_checksums_check(&clip, "", 1, NULL, NULL), STATUS_OK);
    assert_int_equal(container_checksums_check(&clip, "/later/array 0123456789abcdef", 1, NULL, NULL), STATUS_OK);
    double unit = clip.provenance.meters_per_unit;
    clip.provenance.meters_per_unit += 1;
    assert_int_equal(container_checksums_check(&clip, text, 1, NULL, NULL), STATUS_BAD_INPUT);
    clip.provenance.meters_per_unit = unit;
    clip.dynamics.torque[3].x += 1;
    clip.body.mass[1] += 1;
    ContainerFindings findings = {0};
    assert_int_equal(container_checksums_check(&clip, text, 1, &findings, NULL), STATUS_OK);
    assert_int_equal(findings.count, 2);
    free(text);
    clip_free(&clip);
}

TEST(lines_with_old_paths_are_compared)
{
    Clip clip;
    char *text, path[64], old[64], line[96];
    ContainerDef def = container_default_def();
    const SchemaDataset *dataset = &schema_datasets[schema_find(GROUP_ANGLES, "utilization")];
    (void)state;
    assert_int_equal(sample_clip(&clip, 20, 5, 2), 0);
    assert_int_equal(container_checksums(&clip, &def, &text, NULL), STATUS_OK);
    schema_path(dataset, path, sizeof path);
    const char *at = strstr(text, path);
    assert_non_null(at);
    for (int which = 0; which < SCHEMA_OLD_PATHS; which++) {
        assert_true(schema_old_path(dataset, which, old, sizeof old));
        snprintf(line, sizeof line, "%s%.17s", old, at + strlen(path));
        assert_int_equal(container_checksums_check(&clip, line, 1, NULL, NULL), STATUS_OK);
        clip.angles.utilization[0] += 1;
        assert_int_equal(container_checksums_check(&clip, line, 1, NULL, NULL), STATUS_BAD_INPUT);
        clip.angles.utilization[0] -= 1;
    }
    free(text);
    clip_free(&clip);
}

/* docs/formats/clip_file.md: XXH64 of the values, and of NUL-terminated names. */
TEST(checksums_follow_the_format)
{
    Clip clip;
    char *text, torque[64], names[64], bytes[256];
    size_t size = 0;
    ContainerDef def = container_default_def();
    (void)state;
    assert_int_equal(sample_clip(&clip, 20, 5, 2), 0);
    for (int j = 0; j < 5; j++, size++)
        size += (size_t)sprintf(bytes + size, "%s", clip.skeleton.name[j]);
    snprintf(torque, sizeof torque, "/dynamics/torque %016" PRIx64 "\n",
             XXH64(clip.dynamics.torque, 100 * sizeof *clip.dynamics.torque, 0));
    snprintf(names, sizeof names, "/joint %016" PRIx64 "\n", XXH64(bytes, size, 0));
    assert_int_equal(container_checksums(&clip, &def, &text, NULL), STATUS_OK);
    assert_non_null(strstr(text, torque));
    assert_non_null(strstr(text, names));
    free(text);
    clip_free(&clip);
}
