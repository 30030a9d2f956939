/* Lean clip files: what they leave out is computed again, equal to a full file's. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "formats/container/container_reader.h"
#include "formats/container/container_store.h"
#include "formats/container/container_lean.h"
#include "pipeline/stages/contact_options.h"
#include "pipeline/stages/pipeline.h"
#include "tests/support/lean_difference.h"
#include "tests/support/test_folder.h"

enum { AT_CONTACT = 4 };

static void run(const Pipeline *pipeline, const char *path, Clip *clip)
{
    Error err = {0};
    assert_int_equal(pipeline_import(pipeline, path, clip, NULL, &err), STATUS_OK);
    if (pipeline_run(pipeline, clip, NULL, &err))
        fail_msg("%s", err.text);
}

static size_t encoded_size(const Clip *clip, ContainerDef def)
{
    ContainerImage image;
    assert_int_equal(container_encode(clip, &def, &image, NULL), STATUS_OK);
    size_t size = image.size;
    container_image_free(&image);
    return size;
}

TEST(lean_walk_has_all_arrays_within_a_millionth)
{
    Pipeline pipeline = pipeline_defaults();
    Clip clip, back;
    run(&pipeline, "data/walk.bvh", &clip);
    lean_round_trip(&clip, &back);
    assert_int_equal(back.provenance.is_lean, 1);
    assert_string_equal(back.provenance.history, clip.provenance.history);
    assert_string_equal(back.angles.neutral, clip.angles.neutral);
    assert_lean_equal(&clip, &back, "walk");
    clip_free(&clip);
    clip_free(&back);
}

TEST(motion_and_kinematics_of_a_lean_file_are_exact)
{
    Pipeline pipeline = pipeline_defaults();
    Clip clip, back;
    run(&pipeline, "data/walk.bvh", &clip);
    lean_round_trip(&clip, &back);
    size_t count = (size_t)clip.motion.frame_count * (size_t)clip.motion.joint_count;
    assert_memory_equal(back.motion.rotation, clip.motion.rotation, count * sizeof(Quat));
    assert_memory_equal(back.kinematics.angular_acceleration, clip.kinematics.angular_acceleration,
                        count * sizeof(Vec3));
    assert_memory_equal(back.angles.angle, clip.angles.angle,
                        (size_t)clip.motion.frame_count * (size_t)clip.angles.coordinate_count * sizeof(double));
    clip_free(&clip);
    clip_free(&back);
}

/* A frame of 23 joints has 2,500 bytes at most, that of 22 joints as many less in proportion. */
TEST(lean_walk_takes_2500_bytes_a_frame_of_23_joints)
{
    Pipeline pipeline = pipeline_defaults();
    Clip clip;
    run(&pipeline, "data/walk.bvh", &clip);
    size_t size = encoded_size(&clip, (ContainerDef){.lean = 1});
    double bytes = (double)size / clip.motion.frame_count / clip.motion.joint_count * 23;
    if (!(bytes <= 2500))
        fail_msg("%.0f bytes a frame", bytes);
    clip_free(&clip);
}

TEST(reduced_residuals_and_tables_leave_nothing_out)
{
    Pipeline pipeline = pipeline_defaults();
    Clip clip, back;
    LeanRecipe recipe;
    ((ContactOptions *)&pipeline.stage[AT_CONTACT])->reduce_residual = 1;
    run(&pipeline, "data/walk.bvh", &clip);
    assert_true(clip.contact.linear_reduction > 0);
    assert_int_equal(lean_recipe_read(&clip, &recipe), 0);
    lean_round_trip(&clip, &back);
    assert_int_equal(back.provenance.is_lean, 0);
    assert_lean_equal(&clip, &back, "reduced");
    clip.contact.linear_reduction = clip.contact.angular_reduction = 0;
    assert_int_equal(lean_recipe_read(&clip, &recipe), 1);
    const char *const lines[] = {"torque --springs bands.tsv", "torque --external plates.tsv",
                                 "angles --strength person.tsv", "trim --from 1", "kinematics --scheme sideways"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char *kept = strdup(clip.provenance.history);
        assert_int_equal(clip_add_history(&clip, lines[i], NULL), STATUS_OK);
        assert_int_equal(lean_recipe_read(&clip, &recipe), 0);
        free(clip.provenance.history);
        clip.provenance.history = kept;
    }
    clip_free(&clip);
    clip_free(&back);
}

TEST(recipe_has_the_options_of_the_last_line)
{
    Clip clip = {0};
    LeanRecipe recipe;
    clip.has_body = clip.has_dynamics = clip.has_angles = 1;
    clip.provenance.history =
        strdup("kinematics --scheme central # --scheme backward\nkinematics --scheme fivepoint\ntorque\n"
               "angles --strength strong --sex female --age 60 --knee-axis geometry --axes");
    assert_int_equal(lean_recipe_read(&clip, &recipe), 1);
    assert_string_equal(difference_scheme_names[recipe.kinematics.scheme], "fivepoint");
    assert_string_equal(strength_people_names[recipe.angles.strength.people], "strong");
    assert_string_equal(sex_names[recipe.angles.strength.sex], "female");
    assert_near(recipe.angles.strength.age, 60, 0);
    assert_int_equal(recipe.angles.knee_axis, KNEE_GEOMETRY);
    assert_int_equal(recipe.angles.keep_axes, 1);
    free(clip.provenance.history);
}

/* The reader of single arrays gives what the whole clip has, in any steps. */
TEST(rows_of_left_out_arrays_are_those_of_the_clip)
{
    Pipeline pipeline = pipeline_defaults();
    Clip clip;
    run(&pipeline, "data/walk.bvh", &clip);
    TestFolder folder = test_folder_make();
    const char *path = test_folder_file(&folder, "walk.h5");
    ContainerReader *reader;
    ContainerDef def = {.lean = 1};
    assert_int_equal(container_store(&clip, &def, path, NULL), STATUS_OK);
    assert_int_equal(container_reader_open(path, &reader, NULL), STATUS_OK);
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        if (schema_datasets[i].flags & SCHEMA_DERIVED)
            assert_int_equal(container_reader_has(reader, i), schema_has_dataset(&clip, &schema_datasets[i]));
    int spin = schema_find(GROUP_KINEMATICS, "angular_velocity"), valid = schema_find(GROUP_KINEMATICS, "valid");
    int joints = clip.motion.joint_count;
    double *value = calloc((size_t)joints * 3 * 7, sizeof *value), is_valid[181];
    for (int f = 0; f + 7 <= clip.motion.frame_count; f += 7) {
        assert_int_equal(container_reader_rows(reader, spin, f, 7, value, NULL), STATUS_OK);
        assert_memory_equal(value, clip.kinematics.angular_velocity + f * joints, (size_t)joints * 7 * sizeof(Vec3));
    }
    assert_int_equal(container_reader_rows(reader, valid, 0, 181, is_valid, NULL), STATUS_OK);
    for (int f = 0; f < 181; f++)
        assert_near(is_valid[f], clip.kinematics.valid[f], 0);
    free(value);
    container_reader_close(reader);
    test_folder_remove(&folder);
    clip_free(&clip);
}
