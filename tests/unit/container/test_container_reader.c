/* Single arrays of a clip file: the exact numbers of the clip, for any step size and form of storage. */
#include "tests/support/test.h"

#include <string.h>
#include <sys/stat.h>

#include "formats/container/container_reader.h"
#include "formats/container/container_store.h"
#include "tests/support/sample_clip.h"
#include "tests/support/altered_image.h"
#include "tests/support/test_folder.h"

static void save(const Clip *clip, const ContainerDef *def, const char *path)
{
    assert_int_equal(container_store(clip, def, path, NULL), STATUS_OK);
}

static double element(const Clip *clip, const SchemaDataset *schema, size_t i)
{
    const void *array = schema_array(clip, schema);
    switch (schema->element) {
    case ELEMENT_INT: return ((const int *)array)[i];
    case ELEMENT_BYTE: return ((const unsigned char *)array)[i];
    default: return ((const double *)array)[i];
    }
}

/* Reads a dataset in steps of rows; each value is the clip's, rounded if stored as float32. */
static void compare(ContainerReader *reader, const Clip *clip, int dataset, int step, int is_float32)
{
    const SchemaDataset *schema = &schema_datasets[dataset];
    size_t row = schema_row(clip, schema), rows = schema_dim_size(clip, schema->dim[0]);
    double *value = malloc((size_t)step * row * sizeof *value);
    for (size_t at = 0; at < rows; at += (size_t)step) {
        int count = rows - at < (size_t)step ? (int)(rows - at) : step;
        assert_int_equal(container_reader_rows(reader, dataset, (int)at, count, value, NULL), STATUS_OK);
        for (size_t i = 0; i < (size_t)count * row; i++) {
            double expected = element(clip, schema, at * row + i);
            int is_gap = schema->flags & SCHEMA_GAPS && isnan(expected) && isnan(value[i]);
            if (!is_gap && value[i] != expected && !(is_float32 && value[i] == (float)expected))
                fail_msg("%s: element %zu is %g, not %g", schema->name, at * row + i, value[i], expected);
        }
    }
    free(value);
}

static void compare_all(const Clip *clip, ContainerDef def, int step)
{
    TestFolder folder = test_folder_make();
    ContainerReader *reader;
    const char *path = test_folder_file(&folder, "clip.h5");
    save(clip, &def, path);
    assert_int_equal(container_reader_open(path, &reader, NULL), STATUS_OK);
    assert_int_equal(container_reader_size(reader, DIM_FRAME), clip->motion.frame_count);
    assert_int_equal(container_reader_is(reader, path), 1);
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        SchemaElement kind = schema_datasets[i].element;
        assert_int_equal(container_reader_has(reader, i), schema_has_dataset(clip, &schema_datasets[i]));
        if (container_reader_has(reader, i) && !schema_is_text(kind))
            compare(reader, clip, i, step, def.float32);
    }
    container_reader_close(reader);
    test_folder_remove(&folder);
}

TEST(every_storage_form_has_the_clips_values)
{
    Clip clip;
    (void)state;
    assert_int_equal(sample_clip(&clip, 31, 7, 3), 0);
    for (int form = 0; form < 4; form++)
        compare_all(&clip, (ContainerDef){.float32 = form & 1, .compress = form >> 1}, 1 + 6 * (form % 3));
    clip_free(&clip);
}

/* An array larger than a child decodes at once. */
TEST(compressed_arrays_are_read_through_a_window)
{
    Clip clip;
    (void)state;
    assert_int_equal(sample_clip(&clip, 3000, 60, 0), 0);
    clip_drop(&clip, CLIP_KINEMATICS);
    compare_all(&clip, (ContainerDef){.compress = 1}, 700);
    clip_free(&clip);
}

/* Zeros compress to less than 1 %: a dataset may be larger than its file. */
TEST(array_may_be_larger_than_its_file)
{
    Clip clip;
    ContainerReader *reader;
    struct stat file;
    enum { MANY = 4000, SOME = 20 };
    double value[3 * SOME] = {1};
    TestFolder folder = test_folder_make();
    ContainerDef def = {.compress = 9};
    (void)state;
    assert_int_equal(sample_clip(&clip, MANY, SOME, 0), 0);
    clip_drop(&clip, CLIP_KINEMATICS);
    memset(clip.motion.translation, 0, (size_t)MANY * SOME * sizeof(Vec3));
    for (int i = 0; i < MANY * SOME; i++)
        clip.motion.rotation[i] = QUAT_IDENTITY;
    memset(clip.motion.root_position, 0, MANY * sizeof(Vec3));
    save(&clip, &def, test_folder_file(&folder, "clip.h5"));
    assert_int_equal(stat(folder.name, &file), 0);
    assert_true((size_t)file.st_size < (size_t)MANY * SOME * sizeof(Vec3));
    assert_int_equal(container_reader_open(folder.name, &reader, NULL), STATUS_OK);
    assert_int_equal(container_reader_rows(reader, schema_find(GROUP_MOTION, "translation"), MANY - 1, 1, value, NULL),
                     STATUS_OK);
    assert_near(value[0], 0, 0);
    container_reader_close(reader);
    clip_free(&clip);
    test_folder_remove(&folder);
}

TEST(labels_are_read_in_order)
{
    Clip clip;
    ContainerReader *reader;
    TestFolder folder = test_folder_make();
    ContainerDef def = container_default_def();
    (void)state;
    assert_int_equal(sample_clip(&clip, 2, 5, 0), 0);
    save(&clip, &def, test_folder_file(&folder, "clip.h5"));
    assert_int_equal(container_reader_open(folder.name, &reader, NULL), STATUS_OK);
    const char *name = container_reader_labels(reader, schema_find(GROUP_ROOT, "joint"));
    for (int j = 0; j < 5; j++, name += strlen(name) + 1)
        assert_string_equal(name, clip.skeleton.name[j]);
    container_reader_close(reader);
    clip_free(&clip);
    test_folder_remove(&folder);
}

static void assert_refused(const char *path, const char *reason)
{
    Error err = {0};
    ContainerReader *reader;
    assert_int_not_equal(container_reader_open(path, &reader, &err), STATUS_OK);
    assert_null(reader);
    if (!strstr(err.text, reason))
        fail_msg("\"%s\" does not say \"%s\"", err.text, reason);
}

TEST(other_files_are_refused)
{
    Clip clip;
    TestFolder folder = test_folder_make();
    ContainerDef def = container_default_def();
    const char *path = test_folder_file(&folder, "clip.h5");
    (void)state;
    assert_refused(folder.path, "Is a directory");
    assert_refused(path, "No such file");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_refused(path, "not a file"); /* and does not wait for a writer */
    unlink(path);
    fclose(fopen(path, "w"));
    assert_refused(path, "empty");
    assert_int_equal(sample_clip(&clip, 20, 5, 2), 0);
    save(&clip, &def, path);
    ContainerReader *reader;
    assert_int_equal(container_reader_open(path, &reader, NULL), STATUS_OK);
    /* a file that is truncated while open: an error, no crash */
    assert_int_equal(truncate(path, 3000), 0);
    double value[20 * 5 * 3];
    assert_int_equal(container_reader_rows(reader, schema_find(GROUP_DYNAMICS, "torque"), 0, 20, value, NULL),
                     STATUS_BAD_INPUT);
    assert_int_equal(container_reader_is(reader, path), 0);
    container_reader_close(reader);
    assert_refused(path, "truncated clip file");
    clip_free(&clip);
    test_folder_remove(&folder);
}

/* Each byte of the structure before the arrays: an error or numbers, but never a crash of this process. */
TEST(damaged_files_are_errors)
{
    Clip clip;
    TestFolder folder = test_folder_make();
    ContainerDef def = {.compress = 1};
    double torque[4 * 3 * 3];
    int refused = 0;
    (void)state;
    assert_int_equal(sample_clip(&clip, 4, 3, 1), 0);
    save(&clip, &def, test_folder_file(&folder, "clip.h5"));
    FILE *file = fopen(folder.name, "r+b");
    for (long at = 8; at < 20000; at += 167) {
        ContainerReader *reader;
        fseek(file, at, SEEK_SET);
        int was = fgetc(file), dataset = schema_find(GROUP_DYNAMICS, "torque");
        fseek(file, at, SEEK_SET);
        fputc(was ^ 0x55, file);
        fflush(file);
        Status status = container_reader_open(folder.name, &reader, NULL);
        if (status == STATUS_OK && container_reader_has(reader, dataset) &&
            container_reader_size(reader, DIM_FRAME) == 4)
            status = container_reader_rows(reader, dataset, 0, 4, torque, NULL);
        refused += status != STATUS_OK;
        container_reader_close(reader);
        fseek(file, at, SEEK_SET);
        fputc(was, file);
    }
    assert_true(refused > 5);
    fclose(file);
    clip_free(&clip);
    test_folder_remove(&folder);
}

TEST(nan_values_are_reported)
{
    Clip clip, sound;
    Error err;
    ContainerReader *reader;
    TestFolder folder = test_folder_make();
    double power[4];
    (void)state;
    assert_int_equal(sample_clip(&clip, 2, 2, 0), 0);
    assert_int_equal(sample_clip(&sound, 2, 2, 0), 0);
    clip.dynamics.power[3] = NAN;
    altered_file(&sound, &clip, test_folder_file(&folder, "clip.h5"));
    assert_int_equal(container_reader_open(folder.name, &reader, NULL), STATUS_OK);
    int dataset = schema_find(GROUP_DYNAMICS, "power");
    assert_int_equal(container_reader_rows(reader, dataset, 0, 1, power, &err), STATUS_OK);
    assert_int_equal(container_reader_rows(reader, dataset, 0, 2, power, &err), STATUS_BAD_INPUT);
    assert_string_equal(err.text, "/dynamics/power holds a value that is not finite");
    container_reader_close(reader);
    clip_free(&sound);
    clip_free(&clip);
    test_folder_remove(&folder);
}
