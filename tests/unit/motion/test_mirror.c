/* analysis/motion/mirror: the image is exact, two reflections are the identity, an asymmetric skeleton's body is
 * mirrored with it, and a joint without a counterpart is reported. */
#include "analysis/motion/forward_kinematics.h"
#include "tests/support/test.h"

#include <string.h>

#include "analysis/clip/clip_schema.h"
#include "analysis/motion/kinematics.h"
#include "analysis/motion/mirror.h"
#include "tests/support/random_number.h"
#include "tests/support/skeleton_rows.h"
#include "tests/support/walker.h"

enum { FRAMES = 40, POSES = FRAMES * WALKER_JOINTS };

static void pose(const Skeleton *s, const Motion *m, Vec3 *position)
{
    static Quat orientation[POSES];
    ClipView view = {.skeleton = s, .motion = m};
    assert_int_equal(forward_kinematics(&view, LANES_AUTO, &(WorldPoses){position, orientation, NULL}, NULL),
                     STATUS_OK);
}

/* Rotates the axes of joint j by c; the body is unchanged. */
static void turn_axes(Skeleton *s, int j, Quat c)
{
    for (int child = j + 1; child < s->joint_count; child++)
        if (s->parent[child] == j)
            s->offset[child] = quat_rotate_inverse(c, s->offset[child]);
    for (int e = 0; e < s->end_count; e++)
        if (s->end_parent[e] == j)
            s->end_offset[e] = quat_rotate_inverse(c, s->end_offset[e]);
}

static void check_image(Skeleton *s)
{
    static Vec3 before[POSES], after[POSES];
    Motion motion, image, again;
    Mirror mirror;
    Skeleton other;
    walker_motion(&motion, FRAMES, 60);
    assert_int_equal(skeleton_copy(&other, s, NULL), STATUS_OK);
    assert_int_equal(mirror_init(&mirror, s, NULL, NULL), STATUS_OK);
    assert_int_equal(mirror_motion(&mirror, s, &motion, &image, NULL), STATUS_OK);
    assert_int_equal(mirror_skeleton(&mirror, &other, NULL), STATUS_OK);
    pose(s, &motion, before);
    pose(&other, &image, after);
    for (int f = 0; f < FRAMES; f++)
        for (int j = 0; j < WALKER_JOINTS; j++) {
            Vec3 p = before[f * WALKER_JOINTS + mirror.pair[j]];
            assert_vec3_near(after[f * WALKER_JOINTS + j], vec3(-p.x, p.y, p.z), 1e-12);
        }
    mirror_free(&mirror);
    assert_int_equal(mirror_init(&mirror, &other, NULL, NULL), STATUS_OK);
    assert_int_equal(mirror_motion(&mirror, &other, &image, &again, NULL), STATUS_OK);
    assert_int_equal(mirror_skeleton(&mirror, &other, NULL), STATUS_OK);
    for (int j = 0; j < WALKER_JOINTS; j++)
        assert_memory_equal(&other.offset[j], &s->offset[j], sizeof(Vec3));
    for (int f = 0; f < FRAMES; f++) {
        assert_memory_equal(&again.root_position[f], &motion.root_position[f], sizeof(Vec3));
        for (int j = 0; j < WALKER_JOINTS; j++) {
            Quat a = again.rotation[motion_index(&again, f, j)], b = motion.rotation[motion_index(&motion, f, j)];
            assert_near(fabs(quat_dot(a, b)), quat_dot(b, b), 0);
        }
    }
    mirror_free(&mirror);
    skeleton_free(&other);
    motion_free(&motion);
    motion_free(&image);
    motion_free(&again);
}

TEST(counterparts_are_found_by_role_or_name)
{
    Skeleton s;
    walker_skeleton(&s);
    for (int pass = 0; pass < 2; pass++) {
        assert_int_equal(mirror_counterpart(&s, 1), 5);   /* LeftUpLeg */
        assert_int_equal(mirror_counterpart(&s, 18), 15); /* RightHand */
        assert_int_equal(mirror_counterpart(&s, 0), -1);
        assert_int_equal(mirror_counterpart(&s, 19), -1);
        for (int j = 0; j < s.joint_count; j++)
            s.role[j] = ROLE_NONE;
    }
    skeleton_free(&s);
}

/* Joints without a role or a side in their name, as twist joints and fingers of "j17", belong to those of the limb that
 * is their limb's counterpart. */
TEST(counterparts_without_names_are_found_in_the_tree)
{
    static const JointRow rows[] = {
        {"j0", NULL, {0, 1, 0}, 0, {0, 0, 0}},       {"j1", "j0", {0.2, 0, 0}, 0, {0, 0, 0}},
        {"j2", "j1", {0.1, 0, 0}, 0, {0, 0, 0}},     {"j3", "j2", {0, -0.1, 0}, 1, {0, -0.1, 0}},
        {"j4", "j1", {0.3, 0, 0}, 1, {0.1, 0, 0}},   {"j5", "j0", {-0.2, 0, 0}, 0, {0, 0, 0}},
        {"j6", "j5", {-0.3, 0, 0}, 1, {-0.1, 0, 0}}, {"j7", "j5", {-0.1, 0, 0}, 0, {0, 0, 0}},
        {"j8", "j7", {0, -0.1, 0}, 1, {0, -0.1, 0}}, {"j9", "j7", {0, 0.1, 0}, 1, {0, 0.1, 0}},
    };
    static const int expected[] = {-1, 5, 7, 8, 6, 1, 4, 2, 3, -1};
    Skeleton s;
    skeleton_from_rows(&s, rows, 10);
    s.role[1] = ROLE_LEFT_ELBOW;
    s.role[5] = ROLE_RIGHT_ELBOW;
    s.role[4] = ROLE_LEFT_WRIST;
    s.role[6] = ROLE_RIGHT_WRIST;
    for (int j = 0; j < 10; j++)
        assert_int_equal(mirror_counterpart(&s, j), expected[j]);
    skeleton_free(&s);
}

TEST(left_and_right_are_exchanged)
{
    Skeleton s;
    Mirror mirror;
    (void)state;
    walker_skeleton(&s);
    assert_int_equal(mirror_init(&mirror, &s, NULL, NULL), STATUS_OK);
    assert_int_equal(mirror.pair[1], 5);
    assert_int_equal(mirror.pair[11], 11);
    assert_near(mirror.asymmetry, 0, 0);
    mirror_free(&mirror);
    check_image(&s);
    skeleton_free(&s);
}

/* A rig that faces +x has its sides along z: z changes sign in the world and in each joint. */
TEST(rig_with_sides_along_z_is_mirrored_in_z)
{
    static Vec3 before[POSES], after[POSES];
    Skeleton s;
    Motion motion, image;
    Mirror mirror;
    (void)state;
    walker_skeleton(&s);
    walker_motion(&motion, FRAMES, 60);
    for (int j = 0; j < WALKER_JOINTS; j++)
        s.offset[j] = vec3(s.offset[j].z, s.offset[j].y, -s.offset[j].x);
    for (int e = 0; e < WALKER_ENDS; e++)
        s.end_offset[e] = vec3(s.end_offset[e].z, s.end_offset[e].y, -s.end_offset[e].x);
    assert_int_equal(mirror_init(&mirror, &s, NULL, NULL), STATUS_OK);
    assert_int_equal(mirror.world, 4);
    assert_near(mirror.asymmetry, 0, 0);
    for (int j = 0; j < WALKER_JOINTS; j++)
        assert_int_equal(mirror.flip[j], 4);
    assert_int_equal(mirror_motion(&mirror, &s, &motion, &image, NULL), STATUS_OK);
    pose(&s, &motion, before);
    pose(&s, &image, after);
    for (int f = 0; f < FRAMES; f++)
        for (int j = 0; j < WALKER_JOINTS; j++) {
            Vec3 other = before[f * WALKER_JOINTS + mirror.pair[j]];
            assert_vec3_near(after[f * WALKER_JOINTS + j], vec3(other.x, other.y, -other.z), 1e-12);
        }
    mirror_free(&mirror);
    motion_free(&motion);
    motion_free(&image);
    skeleton_free(&s);
}

TEST(rotated_joint_axes_are_reflected)
{
    Skeleton s;
    (void)state;
    walker_skeleton(&s);
    for (int j = 1; j < 8; j++)
        turn_axes(&s, j, quat_from_axis_angle(vec3(0, 0, 1), PI / 2));
    check_image(&s);
    s.offset[2] = vec3_scale(s.offset[2], 0.9);
    check_image(&s);
    skeleton_free(&s);
}

TEST(asymmetric_body_is_mirrored)
{
    Skeleton s;
    Mirror mirror;
    (void)state;
    walker_skeleton(&s);
    s.offset[2] = vec3_scale(s.offset[2], 0.9);
    assert_int_equal(mirror_init(&mirror, &s, NULL, NULL), STATUS_OK);
    assert_near(mirror.asymmetry, 0.042, 1e-12);
    mirror_free(&mirror);
    check_image(&s);
    skeleton_free(&s);
}

/* For a slightly asymmetric spine, reflection front to back may fit marginally better than left to right: it is still
 * reflected like its parent, so that the rest pose becomes its image. */
TEST(asymmetric_spine_is_reflected_like_its_parent)
{
    Skeleton s;
    Mirror mirror;
    (void)state;
    walker_skeleton(&s);
    s.offset[10] = vec3(0.003, 0.18, -0.002);
    s.offset[14] = vec3(0.32, 0, 0); /* one upper arm is 4 cm longer: no common reflection */
    assert_int_equal(mirror_init(&mirror, &s, NULL, NULL), STATUS_OK);
    for (int j = 0; j < WALKER_JOINTS; j++)
        assert_int_equal(mirror.flip[j], 1);
    mirror_free(&mirror);
    check_image(&s);
    skeleton_free(&s);
}

/* Both shanks' axes are turned by 90 degrees about the bone, to the same side: offsets along the bone fit several
 * reflections, and only one makes a symmetric pose its own image. */
TEST(motion_decides_between_reflections_that_fit_the_offsets)
{
    Skeleton s;
    Motion motion;
    Mirror mirror;
    Quat turn = quat_from_axis_angle(vec3(0, 1, 0), PI / 2);
    (void)state;
    walker_skeleton(&s);
    walker_motion(&motion, FRAMES, 60);
    for (int f = 0; f < FRAMES; f++)
        for (int shank = 2; shank <= 6; shank += 4) {
            Quat *q = motion.rotation + motion_index(&motion, f, shank);
            q[0] = quat_mul(q[0], turn);
            q[1] = quat_mul(quat_conjugate(turn), q[1]);
        }
    assert_int_equal(mirror_init(&mirror, &s, &motion, NULL), STATUS_OK);
    assert_int_equal(mirror.flip[1], 1);
    assert_int_equal(mirror.flip[2], 4);
    assert_int_equal(mirror.flip[3], 1);
    Quat pose[WALKER_JOINTS] = {[2] = turn, [6] = turn};
    assert_near(fabs(quat_dot(mirror_rotation(&mirror, &s, pose, 2), turn)), 1, 1e-12);
    mirror_free(&mirror);
    assert_int_equal(mirror_init(&mirror, &s, NULL, NULL), STATUS_OK);
    assert_int_equal(mirror.flip[2], 1);
    mirror_free(&mirror);
    motion_free(&motion);
    skeleton_free(&s);
}

TEST(joint_without_a_counterpart_is_reported)
{
    Skeleton s;
    Mirror mirror;
    Error err;
    (void)state;
    walker_skeleton(&s);
    s.parent[19] = 15;
    assert_int_equal(mirror_init(&mirror, &s, NULL, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "HeadNub"));
    skeleton_free(&s);
}

/* Derivatives of the image are the image of the derivatives. */
TEST(kinematics_are_mirrored)
{
    Skeleton s;
    Motion motion, image;
    Mirror mirror;
    Kinematics before = {0}, after = {0}, mirrored;
    DifferenceDef def = difference_default_def();
    (void)state;
    walker_skeleton(&s);
    walker_motion(&motion, FRAMES, 60);
    assert_int_equal(mirror_init(&mirror, &s, NULL, NULL), STATUS_OK);
    assert_int_equal(mirror_motion(&mirror, &s, &motion, &image, NULL), STATUS_OK);
    assert_int_equal(differentiate(&(ClipView){.skeleton = &s, .motion = &motion}, &def, &before, NULL), STATUS_OK);
    assert_int_equal(differentiate(&(ClipView){.skeleton = &s, .motion = &image}, &def, &after, NULL), STATUS_OK);
    assert_int_equal(mirror_kinematics(&mirror, &before, &mirrored, NULL), STATUS_OK);
    for (int i = 0; i < POSES; i++) {
        assert_vec3_near(mirrored.position[i], after.position[i], 1e-12);
        assert_vec3_near(mirrored.velocity[i], after.velocity[i], 1e-9);
        assert_vec3_near(mirrored.acceleration[i], after.acceleration[i], 1e-6);
        assert_near(fabs(quat_dot(mirrored.orientation[i], after.orientation[i])), 1, 1e-12);
        assert_vec3_near(mirrored.angular_velocity[i], after.angular_velocity[i], 1e-9);
        assert_vec3_near(mirrored.angular_acceleration[i], after.angular_acceleration[i], 1e-6);
    }
    kinematics_free(&before);
    kinematics_free(&after);
    kinematics_free(&mirrored);
    mirror_free(&mirror);
    skeleton_free(&s);
    motion_free(&motion);
    motion_free(&image);
}

/* A walker with every array of a group over time, and of the body, filled with numbers none of which are equal. */
static Clip clip_of_all_arrays(void)
{
    Clip c = {0};
    unsigned seed = 3;
    walker_skeleton(&c.skeleton);
    walker_motion(&c.motion, FRAMES, 60);
    int size[DIM_COUNT] = {[DIM_FRAME] = FRAMES, [DIM_JOINT] = WALKER_JOINTS, [DIM_POINT] = 2,
                           [DIM_COORDINATE] = 2 * COORDINATES_PER_JOINT};
    for (int g = GROUP_BODY; g <= GROUP_ANGLES; g++)
        assert_int_equal(clip_add_group(&c, (SchemaGroupId)g, size, NULL), STATUS_OK);
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const SchemaDataset *row = &schema_datasets[i];
        const SchemaGroup *g = &schema_groups[row->group];
        if (row->group < GROUP_BODY || row->group > GROUP_ANGLES || row->flags & SCHEMA_COPY)
            continue;
        if (row->flags & SCHEMA_OPTIONAL)
            assert_int_equal(group_add(row->group, (char *)&c + g->start, row->name, NULL), STATUS_OK);
        for (size_t k = 0; k < schema_count(&c, row) && row->element == ELEMENT_DOUBLE; k++)
            ((double *)schema_array(&c, row))[k] = random_number(&seed);
        for (size_t k = 0; k < schema_count(&c, row) && row->element == ELEMENT_BYTE; k++)
            ((unsigned char *)schema_array(&c, row))[k] = random_number(&seed) > 0;
    }
    for (int i = 0; i < 2; i++)
        c.contact.point_joint[i] = i ? 8 : 4; /* the toes */
    for (int i = 0; i < 2 * COORDINATES_PER_JOINT; i++) {
        int is_right = i >= COORDINATES_PER_JOINT;
        Coordinate first = coordinate_of_role(is_right ? ROLE_RIGHT_KNEE : ROLE_LEFT_KNEE);
        c.angles.coordinate[i] = (Coordinate)((int)first + i % COORDINATES_PER_JOINT);
        c.angles.joint[i] = is_right ? 6 : 2;
    }
    return c;
}

/* Whether the image of an array differs from it. */
static int has_sides_or_directions(const SchemaDataset *row)
{
    int over_time = row->dim[0] == DIM_FRAME, sides = row->group == GROUP_BODY;
    for (int k = over_time; k < schema_rank(row); k++)
        sides |= over_time && (row->dim[k] == DIM_JOINT || row->dim[k] == DIM_FOOT || row->dim[k] == DIM_COORDINATE ||
                               row->dim[k] == DIM_XYZ);
    return sides;
}

/* An array that mirror.c does not name would keep its sides, or be lost. */
TEST(every_dataset_of_sides_or_directions_is_mirrored)
{
    Clip c = clip_of_all_arrays(), image;
    Mirror mirror;
    char path[64];
    (void)state;
    assert_int_equal(mirror_init(&mirror, &c.skeleton, NULL, NULL), STATUS_OK);
    assert_int_equal(clip_copy(&c, clip_groups(&c), &image, NULL), STATUS_OK);
    assert_int_equal(mirror_computed(&mirror, &image, NULL), STATUS_OK);
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const SchemaDataset *row = &schema_datasets[i];
        size_t size = schema_count(&c, row) * schema_element_size(row->element);
        if (row->group < GROUP_BODY || row->group > GROUP_ANGLES || row->flags & SCHEMA_COPY)
            continue;
        schema_path(row, path, sizeof path);
        if (!schema_array(&image, row))
            fail_msg("mirror.c loses %s", path);
        if (has_sides_or_directions(row) && !memcmp(schema_array(&c, row), schema_array(&image, row), size))
            fail_msg("mirror.c leaves %s as it is", path);
    }
    assert_int_equal(mirror_computed(&mirror, &image, NULL), STATUS_OK);
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const SchemaDataset *row = &schema_datasets[i];
        if (row->group >= GROUP_BODY && row->group <= GROUP_ANGLES && row->element == ELEMENT_DOUBLE &&
            !(row->flags & SCHEMA_COPY) && row->dim[schema_rank(row) - 1] != DIM_WXYZ)
            assert_memory_equal(schema_array(&c, row), schema_array(&image, row),
                                schema_count(&c, row) * sizeof(double));
    }
    mirror_free(&mirror);
    clip_free(&c);
    clip_free(&image);
}
