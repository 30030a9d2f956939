/* analysis/clip/clip_schema: each group is allocated, copied, trimmed and freed by the rows of one table. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/same_clip.h"
#include "tests/support/zeroed_dynamics.h"

static const int sizes[DIM_COUNT] = {
    [DIM_FRAME] = 7, [DIM_JOINT] = 5, [DIM_END] = 2, [DIM_POINT] = 3, [DIM_STEP] = 9, [DIM_COORDINATE] = 6,
    [DIM_PARTICLE] = 4, [DIM_CONSTRAINT] = 2, [DIM_ACTUATOR] = 3, [DIM_DOF] = 3,
    [DIM_SHAPE] = 3, [DIM_SHAPE_POINT] = 5, [DIM_SHAPE_FACE] = 2, [DIM_MARKER] = 4};

static void *clip_group_struct(Clip *c, SchemaGroupId id) { return (char *)c + schema_groups[id].start; }

/* Each byte of each array differs from its neighbours. */
static void fill(Clip *c, const SchemaDataset *row)
{
    unsigned char *array = schema_array(c, row);
    size_t count = schema_count(c, row) * schema_element_size(row->element);
    for (size_t i = 0; i < count / sizeof(char *) && row->element == ELEMENT_NAME; i++)
        ((char **)schema_array(c, row))[i] = strdup((char[]){(char)('a' + i), 0});
    for (size_t i = 0; i < count && row->element != ELEMENT_NAME; i++)
        array[i] = (unsigned char)(i * 7 + row->member);
}

/* All groups with all their arrays. */
static void full_clip(Clip *c)
{
    *c = (Clip){0};
    for (int id = GROUP_SKELETON; id < GROUP_COUNT; id++)
        assert_int_equal(clip_add_group(c, (SchemaGroupId)id, sizes, NULL), STATUS_OK);
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const SchemaDataset *row = &schema_datasets[i];
        if (row->flags & SCHEMA_OPTIONAL && !(row->flags & SCHEMA_COPY))
            assert_int_equal(group_add(row->group, clip_group_struct(c, row->group), row->name, NULL), STATUS_OK);
    }
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        if (!(schema_datasets[i].flags & SCHEMA_COPY))
            fill(c, &schema_datasets[i]);
}

TEST(every_group_is_complete)
{
    Clip c;
    (void)state;
    full_clip(&c);
    assert_int_equal(schema_check(&c, NULL), STATUS_OK);
    assert_int_equal(clip_groups(&c), (CLIP_MARKERS << 1) - 1);
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        assert_true(schema_has_dataset(&c, &schema_datasets[i]));
        assert_non_null(schema_array(&c, &schema_datasets[i]));
    }
    assert_int_equal(schema_count(&c, &schema_datasets[schema_find_path("/dynamics/torque_correlation")]), 7 * 5 * 3);
    assert_int_equal(schema_count(&c, &schema_datasets[schema_find_path("/dof/position")]), 7 * 3);
    assert_int_equal(schema_count(&c, &schema_datasets[schema_find_path("/tracking/kane/orientation")]), 9 * 5 * 4);
    clip_free(&c);
    assert_memory_equal(&c, &(Clip){0}, sizeof c);
}

/* Two rows refer to one member only if marked as such. */
TEST(each_array_has_one_schema_row)
{
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        for (int k = 0; k < i; k++)
            if (!(schema_datasets[i].flags & SCHEMA_COPY) && !(schema_datasets[k].flags & SCHEMA_COPY))
                assert_true(schema_datasets[i].member != schema_datasets[k].member);
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        char path[64];
        schema_path(&schema_datasets[i], path, sizeof path);
        assert_int_equal(schema_find_path(path), i);
    }
    assert_int_equal(schema_find_path("/motion/turn"), -1);
    assert_int_equal(schema_find_path("/simulation/hinge_velocity"), schema_find(GROUP_DOF, "velocity"));
}

TEST(old_paths_are_found)
{
    (void)state;
    assert_int_equal(schema_find_path("/anatomy/angle"), schema_find(GROUP_ANGLES, "angle"));
    assert_int_equal(schema_find_path("/anatomy/utilization"), schema_find(GROUP_ANGLES, "utilization"));
    assert_int_equal(schema_find_path("/anatomy/use"), schema_find(GROUP_ANGLES, "utilization"));
    assert_int_equal(schema_find_path("/simulation/hinge_joint"), schema_find(GROUP_DOF, "joint"));
    assert_int_equal(schema_find_path("/angles/use"), -1);
    assert_int_equal(schema_find_path("/anatomy/torque"), -1);
    assert_int_equal(schema_find_path("/anatomy"), -1);
}

TEST(copy_is_equal_and_independent)
{
    Clip c, copy;
    (void)state;
    full_clip(&c);
    assert_int_equal(clip_copy(&c, ~0U, &copy, NULL), STATUS_OK);
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        assert_ptr_not_equal(schema_array(&copy, &schema_datasets[i]), schema_array(&c, &schema_datasets[i]));
    assert_same_arrays(&c, &copy);
    assert_int_equal(copy.tracking.run[CONTROLLER_KANE].present, 1);
    c.motion.rotation[3].x = .5; /* set: the fill pattern may be so large that adding 1 changes nothing */
    assert_false(is_same_array(&c, &copy, &schema_datasets[schema_find_path("/motion/rotation")], 0));
    clip_free(&c);
    assert_string_equal(copy.skeleton.name[4], "e");
    clip_free(&copy);
}

/* Trust is part of the motion. */
TEST(copy_has_the_requested_groups)
{
    Clip c, copy;
    (void)state;
    full_clip(&c);
    assert_int_equal(clip_copy(&c, CLIP_ALWAYS | CLIP_BODY, &copy, NULL), STATUS_OK);
    assert_int_equal(clip_groups(&copy), CLIP_ALWAYS | CLIP_BODY);
    assert_true(copy.has_trust && copy.body.mass && !copy.kinematics.position && !copy.tracking.time);
    clip_drop(&c, CLIP_ANGLES);
    clip_free(&copy);
    assert_int_equal(clip_copy(&c, CLIP_ANGLES | CLIP_CONTACT, &copy, NULL), STATUS_OK);
    assert_int_equal(clip_groups(&copy) & ~(unsigned)CLIP_ALWAYS, CLIP_CONTACT);
    clip_free(&copy);
    clip_free(&c);
}

TEST(frames_are_kept_in_every_array_over_them)
{
    Clip whole, part;
    int count = 0;
    (void)state;
    full_clip(&whole);
    full_clip(&part);
    clip_keep_frames(&part, 2, 4);
    assert_int_equal(schema_check(&part, NULL), STATUS_OK);
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        int over_time = schema_datasets[i].dim[0] == DIM_FRAME;
        assert_true(is_same_array(&part, &whole, &schema_datasets[i], over_time ? 2 : 0));
        count += over_time;
    }
    assert_int_equal(part.simulation.frame_count, 4);
    assert_int_equal(part.tracking.frame_count, 9);
    assert_true(count > 50);
    clip_free(&part);
    clip_free(&whole);
}

/* A group with another frame or joint count than the clip, and a missing array, are reported by name. */
TEST(mismatched_sizes_are_reported)
{
    Clip c;
    Error err = {0};
    (void)state;
    full_clip(&c);
    c.dynamics.joint_count--;
    assert_int_equal(schema_check(&c, &err), STATUS_INTERNAL);
    assert_string_equal(err.text, "the joints of /dynamics are not those of the clip");
    c.dynamics.joint_count++;
    c.particles.frame_count++;
    assert_int_equal(schema_check(&c, &err), STATUS_INTERNAL);
    assert_string_equal(err.text, "the frames of /particles are not those of the clip");
    c.particles.frame_count--;
    free(c.contact.state);
    c.contact.state = NULL;
    assert_int_equal(schema_check(&c, &err), STATUS_INTERNAL);
    assert_string_equal(err.text, "the clip has no array for /contact/state");
    c.contact.point_count = 0; /* not required then */
    assert_int_equal(schema_check(&c, &err), STATUS_OK);
    c.particles.particle_count = 0;
    assert_int_equal(schema_check(&c, &err), STATUS_INTERNAL);
    c.particles.particle_count = sizes[DIM_PARTICLE];
    clip_free(&c);
}

TEST(paired_optional_arrays_are_allocated_together)
{
    Dynamics d;
    JointAngles a;
    (void)state;
    assert_int_equal(zeroed_dynamics(&d, 2, 3), STATUS_OK);
    assert_true(!d.torque_sd && !d.torque_correlation);
    assert_int_equal(dynamics_add_spread(&d, NULL), STATUS_OK);
    assert_true(d.torque_sd && d.torque_correlation);
    dynamics_free(&d);
    assert_int_equal(joint_angles_init(&a, 2, 3, 1, NULL), STATUS_OK);
    assert_true(a.axis && a.coordinate && !a.capacity && !a.moment_sd);
    assert_int_equal(joint_angles_add_strength(&a, NULL), STATUS_OK);
    assert_true(a.capacity && a.utilization && !a.passive && !a.moment_sd);
    joint_angles_free(&a);
}
