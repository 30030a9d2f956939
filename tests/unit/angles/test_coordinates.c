/* analysis/angles/coordinates: angles of known poses for any rest pose; rates; sums of moments over axes. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/angles/coordinates.h"
#include "analysis/angles/joint_axes.h"
#include "analysis/angles/neutral_pose.h"
#include "analysis/clip/clip.h"
#include "analysis/motion/kinematics.h"
#include "tests/support/random_clip.h"
#include "tests/support/random_number.h"
#include "tests/support/walker.h"
#include "tests/support/zeroed_dynamics.h"

#define DEGREE (PI / 180)

/* The walker faces +z, its left is +x. Rotation about a world axis by degrees. */
typedef struct Turn {
    Role role;
    double x, y, z; /* degrees about world axes: first z, then x, then y */
} Turn;

static Quat turned(Turn t)
{
    return quat_mul(quat_from_axis_angle(vec3(0, 0, 1), t.z * DEGREE),
                    quat_mul(quat_from_axis_angle(vec3(1, 0, 0), t.x * DEGREE),
                             quat_from_axis_angle(vec3(0, 1, 0), t.y * DEGREE)));
}

/* One frame of the walker, arms along x in the rest pose, with some joints rotated from it. */
static Clip posed(const Turn *turns, int count)
{
    Clip c = {0};
    walker_skeleton(&c.skeleton);
    assert_int_equal(motion_init(&c.motion, 1, WALKER_JOINTS, 0.01, 0, NULL), STATUS_OK);
    for (int j = 0; j < WALKER_JOINTS; j++)
        c.motion.rotation[j] = QUAT_IDENTITY;
    for (int i = 0; i < count; i++)
        c.motion.rotation[skeleton_find_role(&c.skeleton, turns[i].role)] = turned(turns[i]);
    return c;
}

/* Static frames require no derivatives: orientation only. */
static void orient(Clip *c)
{
    assert_int_equal(kinematics_init(&c->kinematics, c->motion.frame_count, c->skeleton.joint_count, 0, NULL),
                     STATUS_OK);
    for (int f = 0; f < c->motion.frame_count; f++)
        for (int j = 0; j < c->skeleton.joint_count; j++) {
            size_t at = motion_index(&c->motion, f, j);
            Quat local = c->motion.rotation[at];
            c->kinematics.orientation[at] =
                j ? quat_mul(c->kinematics.orientation[motion_index(&c->motion, f, c->skeleton.parent[j])], local)
                  : local;
        }
}

static void compute_at(Clip *c, LaneWidth lanes)
{
    Arena arena = {0};
    NeutralPose neutral;
    JointAxesSet axes = {.keep_axes = 1, .lanes = lanes};
    ClipView view = clip_view(c);
    assert_int_equal(neutral_pose_init(&neutral, &view, &arena, NULL), STATUS_OK);
    axes.count = joint_axes_find(&neutral, axes.joint);
    joint_angles_free(&c->angles);
    assert_int_equal(coordinates_compute(&axes, &c->kinematics, c->has_dynamics ? &c->dynamics : NULL, &c->angles,
                                         NULL), STATUS_OK);
    neutral_pose_describe(&neutral, c->angles.neutral, sizeof c->angles.neutral);
    arena_free(&arena);
}

static void compute(Clip *c)
{
    orient(c);
    compute_at(c, LANES_AUTO);
}

static double rotation_angle(const Clip *c, Coordinate coordinate)
{
    int place = joint_angles_find(&c->angles, coordinate);
    assert_true(place >= 0);
    return c->angles.angle[place] / DEGREE;
}

/* A rotation of one joint, and the coordinate that it changes. */
typedef struct Sign {
    Turn turn;
    Coordinate coordinate;
    double degrees;
} Sign;

/* From the walker's view, flexion swings a thigh forward (a rotation about -x), a shank back, toes up. */
static const Sign signs[] = {
    {{ROLE_LEFT_HIP, -30, 0, 0}, COORDINATE_LEFT_HIP_FLEXION, 30},
    {{ROLE_RIGHT_HIP, -30, 0, 0}, COORDINATE_RIGHT_HIP_FLEXION, 30},
    {{ROLE_LEFT_HIP, 0, 0, -20}, COORDINATE_LEFT_HIP_ADDUCTION, 20},
    {{ROLE_RIGHT_HIP, 0, 0, 20}, COORDINATE_RIGHT_HIP_ADDUCTION, 20},
    {{ROLE_LEFT_HIP, 0, -15, 0}, COORDINATE_LEFT_HIP_ROTATION, 15},
    {{ROLE_RIGHT_HIP, 0, 15, 0}, COORDINATE_RIGHT_HIP_ROTATION, 15},
    {{ROLE_LEFT_KNEE, 60, 0, 0}, COORDINATE_LEFT_KNEE_FLEXION, 60},
    {{ROLE_RIGHT_KNEE, 60, 0, 0}, COORDINATE_RIGHT_KNEE_FLEXION, 60},
    {{ROLE_LEFT_ANKLE, -10, 0, 0}, COORDINATE_LEFT_ANKLE_DORSIFLEXION, 10},
    {{ROLE_RIGHT_ANKLE, 0, 0, 12}, COORDINATE_RIGHT_ANKLE_INVERSION, 12},
    {{ROLE_LEFT_ANKLE, 0, 0, -12}, COORDINATE_LEFT_ANKLE_INVERSION, 12},
    {{ROLE_SPINE, 25, 0, 0}, COORDINATE_SPINE_FLEXION, 25},
    {{ROLE_CHEST, 0, 0, 8}, COORDINATE_CHEST_BENDING, 8},
    {{ROLE_NECK, 0, 40, 0}, COORDINATE_NECK_ROTATION, 40},
    {{ROLE_LEFT_ELBOW, 0, -90, 0}, COORDINATE_LEFT_ELBOW_FLEXION, 90},
    {{ROLE_RIGHT_ELBOW, 0, 90, 0}, COORDINATE_RIGHT_ELBOW_FLEXION, 90},
    {{ROLE_LEFT_WRIST, 0, 0, -30}, COORDINATE_LEFT_WRIST_FLEXION, 30},
    {{ROLE_RIGHT_WRIST, 0, 0, 30}, COORDINATE_RIGHT_WRIST_FLEXION, 30},
    {{ROLE_RIGHT_WRIST, 0, -20, 0}, COORDINATE_RIGHT_WRIST_DEVIATION, 20},
};

TEST(single_rotation_has_its_clinical_angle)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        Clip c = posed(&signs[i].turn, 1);
        compute(&c);
        Coordinate first = coordinate_of_role(signs[i].turn.role);
        for (int k = 0; k < COORDINATES_PER_JOINT; k++) {
            Coordinate each = (Coordinate)((int)first + k);
            double expected = each == signs[i].coordinate ? signs[i].degrees : 0;
            if (fabs(rotation_angle(&c, each) - expected) > 1e-9)
                print_error("%s in the place of %s\n", coordinate_name(each), coordinate_name(signs[i].coordinate));
            assert_near(rotation_angle(&c, each), expected, 1e-9);
        }
        assert_string_equal(c.angles.neutral, "rest");
        clip_free(&c);
    }
}

/* Arms out to the side in the rest pose: elevation 90 degrees in the plane of abduction. */
TEST(shoulder_has_plane_elevation_and_rotation)
{
    Clip side = posed(NULL, 0);
    compute(&side);
    assert_near(rotation_angle(&side, COORDINATE_LEFT_SHOULDER_PLANE), 0, 1e-9);
    assert_near(rotation_angle(&side, COORDINATE_LEFT_SHOULDER_ELEVATION), 90, 1e-9);
    assert_near(rotation_angle(&side, COORDINATE_RIGHT_SHOULDER_ROTATION), 0, 1e-9);
    const Turn forward[] = {{ROLE_LEFT_SHOULDER, 0, -60, 0}, {ROLE_RIGHT_SHOULDER, 0, 60, 0}};
    Clip reach = posed(forward, 2);
    compute(&reach);
    for (int is_left = 0; is_left < 2; is_left++) {
        Coordinate plane = is_left ? COORDINATE_LEFT_SHOULDER_PLANE : COORDINATE_RIGHT_SHOULDER_PLANE;
        assert_near(rotation_angle(&reach, plane), 60, 1e-9);
        assert_near(rotation_angle(&reach, (Coordinate)((int)plane + 1)), 90, 1e-9);
        assert_near(rotation_angle(&reach, (Coordinate)((int)plane + 2)), 0, 1e-9);
    }
    clip_free(&reach);
    clip_free(&side);
}

/* The same body with another rest pose: bones rotated in it, and back in each rotation of the motion. */
static void bend_rest(Clip *c, const Turn *turns, int count)
{
    Quat rest[WALKER_JOINTS], world[WALKER_JOINTS];
    for (int j = 0; j < WALKER_JOINTS; j++) {
        int parent = c->skeleton.parent[j];
        rest[j] = QUAT_IDENTITY;
        for (int i = 0; i < count; i++)
            if (turns[i].role == c->skeleton.role[j])
                rest[j] = turned(turns[i]);
        world[j] = parent < 0 ? rest[j] : quat_mul(world[parent], rest[j]);
    }
    for (int j = WALKER_JOINTS - 1; j > 0; j--) {
        Quat up = world[c->skeleton.parent[j]];
        c->skeleton.offset[j] = quat_rotate(up, c->skeleton.offset[j]);
        c->motion.rotation[j] = quat_mul(up, quat_mul(c->motion.rotation[j], quat_conjugate(world[j])));
    }
    for (int e = 0; e < WALKER_ENDS; e++)
        c->skeleton.end_offset[e] = quat_rotate(world[c->skeleton.end_parent[e]], c->skeleton.end_offset[e]);
}

/* The same with a rest pose whose ankles are rotated, in all frames. */
static void draw_ankles(Clip *c, const Turn *turns, int count)
{
    for (int i = 0; i < count; i++) {
        int ankle = skeleton_find_role(&c->skeleton, turns[i].role);
        Quat turn = turned(turns[i]);
        for (int j = 0; j < WALKER_JOINTS; j++) {
            int below = c->skeleton.parent[j] == ankle;
            if (below)
                c->skeleton.offset[j] = quat_rotate(turn, c->skeleton.offset[j]);
            for (int f = 0; f < c->motion.frame_count; f++) {
                Quat *q = &c->motion.rotation[motion_index(&c->motion, f, j)];
                *q = j == ankle ? quat_mul(*q, quat_conjugate(turn)) : below ? quat_mul(turn, *q) : *q;
            }
        }
    }
}

TEST(angles_do_not_depend_on_rest_pose)
{
    static const Turn motion[] = {
        {ROLE_LEFT_HIP, -40, 5, 4},     {ROLE_LEFT_KNEE, 50, 0, 0},       {ROLE_LEFT_ANKLE, -12, 3, 2},
        {ROLE_RIGHT_HIP, 15, -8, 6},    {ROLE_RIGHT_KNEE, 20, 2, -1},     {ROLE_SPINE, 10, 5, 3},
        {ROLE_LEFT_SHOULDER, 5, 9, -50}, {ROLE_LEFT_ELBOW, 0, -35, 0},    {ROLE_RIGHT_SHOULDER, 4, -7, 40},
    };
    /* legs apart by 2 x 20 degrees as CMU's; knees flexed by 7 degrees as Mixamo's; arms half down, elbows flexed */
    static const Turn rests[][6] = {
        {{ROLE_LEFT_HIP, 0, 0, 20}, {ROLE_RIGHT_HIP, 0, 0, -20}, {ROLE_LEFT_ANKLE, 0, 0, -20},
         {ROLE_RIGHT_ANKLE, 0, 0, 20}},
        {{ROLE_LEFT_KNEE, 7, 0, 0}, {ROLE_RIGHT_KNEE, 7, 0, 0}, {ROLE_LEFT_ANKLE, -7, 0, 0},
         {ROLE_RIGHT_ANKLE, -7, 0, 0}},
        {{ROLE_LEFT_SHOULDER, 0, 0, -45}, {ROLE_RIGHT_SHOULDER, 0, 0, 45}},
    };
    static const char *const neutral[] = {"built from the rest pose (legs 20 degrees off)", "rest", "rest"};
    Clip straight = posed(motion, 9);
    compute(&straight);
    for (size_t i = 0; i < sizeof rests / sizeof *rests; i++) {
        Clip bent = posed(motion, 9);
        bend_rest(&bent, rests[i], 6);
        compute(&bent);
        assert_string_equal(bent.angles.neutral, neutral[i]);
        assert_int_equal(bent.angles.coordinate_count, COORDINATE_COUNT);
        for (int k = 0; k < COORDINATE_COUNT; k++)
            assert_near(bent.angles.angle[k], straight.angles.angle[k], 1e-9);
        clip_free(&bent);
    }
    clip_free(&straight);
}

/* A standing walker with toes raised by 10 degrees in the rest pose: the ankle angles must be zero, and later
 * rotations must be measured from there. */
TEST(flat_feet_have_neutral_ankles)
{
    enum { FLAT = 60, BENT = 30 };
    static const Turn drawn[] = {{ROLE_LEFT_ANKLE, -10, 0, 0}, {ROLE_RIGHT_ANKLE, -10, 0, 0}};
    for (int is_drawn = 0; is_drawn < 2; is_drawn++) {
        Clip c = posed(NULL, 0);
        motion_free(&c.motion);
        assert_int_equal(motion_init(&c.motion, FLAT + BENT, WALKER_JOINTS, 0.01, 0, NULL), STATUS_OK);
        for (int f = 0; f < FLAT + BENT; f++)
            for (int j = 0; j < WALKER_JOINTS; j++)
                c.motion.rotation[motion_index(&c.motion, f, j)] = QUAT_IDENTITY;
        int left = skeleton_find_role(&c.skeleton, ROLE_LEFT_ANKLE);
        for (int f = FLAT; f < FLAT + BENT; f++) { /* the body is off the ground, the left toes rise */
            c.motion.root_position[f] = vec3(0, 0.3, 0);
            c.motion.rotation[motion_index(&c.motion, f, left)] = turned((Turn){ROLE_LEFT_ANKLE, -25, 0, 0});
        }
        if (is_drawn)
            draw_ankles(&c, drawn, 2);
        compute(&c);
        size_t last = (size_t)(FLAT + BENT - 1) * (size_t)c.angles.coordinate_count;
        int place = joint_angles_find(&c.angles, COORDINATE_LEFT_ANKLE_DORSIFLEXION);
        assert_near(rotation_angle(&c, COORDINATE_LEFT_ANKLE_DORSIFLEXION), 0, 0.01);
        assert_near(rotation_angle(&c, COORDINATE_RIGHT_ANKLE_DORSIFLEXION), 0, 0.01);
        assert_near(rotation_angle(&c, COORDINATE_LEFT_ANKLE_INVERSION), 0, 0.01);
        assert_near(c.angles.angle[last + (size_t)place] / DEGREE, 25, 0.01);
        clip_free(&c);
    }
}

/* A moving clip with torques: the walker with random joint motion. */
static Clip in_motion(int frames)
{
    unsigned seed = 11;
    Clip c = posed(NULL, 0);
    DifferenceDef def = difference_default_def();
    motion_free(&c.motion);
    assert_int_equal(motion_init(&c.motion, frames, WALKER_JOINTS, 0.001, 0, NULL), STATUS_OK);
    for (int j = 0; j < WALKER_JOINTS; j++) {
        double x = random_number(&seed), y = random_number(&seed), z = random_number(&seed);
        for (int f = 0; f < frames; f++) {
            double phase = 0.02 * f + j, swing = 25 * elementary_sin(phase);
            c.motion.rotation[motion_index(&c.motion, f, j)] =
                turned((Turn){ROLE_NONE, swing * x, swing * y, swing * z + (j == 13 ? -40 : j == 16 ? 40 : 0)});
        }
    }
    motion_make_continuous(&c.motion);
    ClipView view = {&c.skeleton, NULL, &c.motion, &c.kinematics};
    assert_int_equal(differentiate(&view, &def, &c.kinematics, NULL), STATUS_OK);
    assert_int_equal(zeroed_dynamics(&c.dynamics, frames, WALKER_JOINTS), STATUS_OK);
    for (size_t i = 0; i < (size_t)frames * WALKER_JOINTS; i++) {
        double x = random_number(&seed), y = random_number(&seed), z = random_number(&seed);
        c.dynamics.torque[i] = vec3(100 * x, 100 * y, 100 * z);
    }
    c.has_kinematics = c.has_dynamics = c.has_angles = 1;
    compute_at(&c, LANES_AUTO);
    return c;
}

/* The dual basis of a joint's three axes: v = sum (v . axis[i]) dual[i]. */
static void find_dual(const Vec3 axis[COORDINATES_PER_JOINT], Vec3 dual[COORDINATES_PER_JOINT])
{
    double volume = vec3_dot(axis[0], vec3_cross(axis[1], axis[2]));
    for (int k = 0; k < COORDINATES_PER_JOINT; k++)
        dual[k] = vec3_scale(vec3_cross(axis[(k + 1) % 3], axis[(k + 2) % 3]), 1 / volume);
}

/* The coordinates of a joint are relative to its role's parent segment, so that distal less proximal angular velocity
 * is that of the joint. */
TEST(moments_times_rates_are_power)
{
    Clip c = in_motion(60);
    const JointAngles *a = &c.angles;
    int checked = 0;
    for (int f = 0; f < 60; f++)
        for (int i = 0; i < a->coordinate_count; i += COORDINATES_PER_JOINT) {
            size_t at = joint_angles_index(a, f, i), joint = motion_index(&c.motion, f, a->joint[i]);
            size_t parent = motion_index(&c.motion, f, c.skeleton.parent[a->joint[i]]);
            Vec3 omega = vec3_sub(c.kinematics.angular_velocity[joint], c.kinematics.angular_velocity[parent]);
            Vec3 torque = c.dynamics.torque[joint], back = {0, 0, 0}, dual[3];
            double power = 0, sum = 0;
            if (a->singular[at])
                continue;
            find_dual(&a->axis[at], dual);
            for (size_t k = 0; k < 3; k++) {
                power += a->moment[at + k] * a->velocity[at + k];
                sum += a->power[at + k];
                back = vec3_mad(back, a->moment[at + k], dual[k]);
            }
            assert_near(power, vec3_dot(torque, omega), 1e-9);
            assert_near(sum, vec3_dot(torque, omega), 1e-9);
            assert_vec3_near(back, torque, 1e-9);
            checked++;
        }
    assert_true(checked > 800);
    clip_free(&c);
}

TEST(velocity_is_the_rate_of_the_angle)
{
    Clip c = in_motion(60);
    const JointAngles *a = &c.angles;
    for (int f = 10; f < 50; f++)
        for (int i = 0; i < a->coordinate_count; i++) {
            double before = a->angle[joint_angles_index(a, f - 1, i)];
            double after = a->angle[joint_angles_index(a, f + 1, i)];
            if (isfinite(before) && isfinite(after) && fabs(after - before) < 1)
                assert_near(a->velocity[joint_angles_index(a, f, i)], (after - before) / 0.002, 0.02);
        }
    clip_free(&c);
}

TEST(angles_near_a_singular_pose_are_nan)
{
    const double elevation[] = {0, 9.9, 10.1, 169.9, 170.1}, adduction[] = {79.9, 80.1, -80.1};
    for (size_t i = 0; i < sizeof elevation / sizeof *elevation; i++) {
        const Turn arm = {ROLE_LEFT_SHOULDER, 0, 0, elevation[i] - 90};
        Clip c = posed(&arm, 1);
        compute(&c);
        int place = joint_angles_find(&c.angles, COORDINATE_LEFT_SHOULDER_PLANE), is_near = i < 2 || i == 4;
        for (int k = 0; k < 3; k++) {
            assert_int_equal(c.angles.singular[place + k], is_near);
            assert_int_equal(isnan(c.angles.angle[place + k]), is_near);
            assert_int_equal(isnan(c.angles.velocity[place + k]), is_near);
            assert_true(isfinite(c.angles.moment[place + k]));
            assert_near(vec3_norm(c.angles.axis[place + k]), 1, 1e-12);
        }
        clip_free(&c);
    }
    for (size_t i = 0; i < sizeof adduction / sizeof *adduction; i++) {
        const Turn leg = {ROLE_RIGHT_HIP, 0, 0, adduction[i]};
        Clip c = posed(&leg, 1);
        compute(&c);
        assert_int_equal(c.angles.singular[joint_angles_find(&c.angles, COORDINATE_RIGHT_HIP_FLEXION)], i > 0);
        clip_free(&c);
    }
}

TEST(all_lane_widths_give_same_bits)
{
    const LaneWidth widths[] = {LANES_PAIR, LANES_AVX2, LANES_AVX512};
    Clip c = in_motion(61), other = in_motion(61);
    compute_at(&c, LANES_SCALAR);
    size_t values = (size_t)61 * COORDINATE_COUNT;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        compute_at(&other, widths[i]);
        assert_memory_equal(c.angles.angle, other.angles.angle, values * sizeof(double));
        assert_memory_equal(c.angles.velocity, other.angles.velocity, values * sizeof(double));
        assert_memory_equal(c.angles.moment, other.angles.moment, values * sizeof(double));
        assert_memory_equal(c.angles.power, other.angles.power, values * sizeof(double));
        assert_memory_equal(c.angles.axis, other.angles.axis, values * sizeof(Vec3));
        assert_memory_equal(c.angles.singular, other.angles.singular, values);
    }
    clip_free(&other);
    clip_free(&c);
}

/* A joint without a role, or without its reference segment, has no axes. */
TEST(joints_without_a_pair_have_no_coordinates)
{
    Clip c = posed(NULL, 0), creature;
    const Role gone[] = {ROLE_LEFT_HIP, ROLE_CHEST, ROLE_RIGHT_WRIST};
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        c.skeleton.role[skeleton_find_role(&c.skeleton, gone[i])] = ROLE_NONE;
    compute(&c);
    const Coordinate absent[] = {COORDINATE_LEFT_HIP_FLEXION, COORDINATE_LEFT_KNEE_FLEXION, COORDINATE_CHEST_FLEXION,
                                 COORDINATE_RIGHT_WRIST_FLEXION};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        assert_int_equal(joint_angles_find(&c.angles, absent[i]), -1);
    assert_true(joint_angles_find(&c.angles, COORDINATE_RIGHT_KNEE_FLEXION) >= 0);
    assert_near(rotation_angle(&c, COORDINATE_LEFT_SHOULDER_ELEVATION), 90, 1e-9); /* relative to the spine now */
    clip_free(&c);
    assert_true(random_clip_init(&creature, 12, 3, 1));
    compute_at(&creature, LANES_AUTO);
    assert_int_equal(creature.angles.coordinate_count, 0);
    clip_free(&creature);
}

/* Trunk: half of the bend beyond that of standing people. Foot: the between-subject spread, scaled by the missing
 * flat-foot time. */
TEST(neutral_pose_error_has_trunk_and_foot_parts)
{
    NeutralPose n = {.from = {.frame = 0, .is_human = 1, .bend = NEUTRAL_BEND + 0.2}, .flat = 0.25 * NEUTRAL_FLAT};
    assert_near(neutral_pose_doubt(&n).trunk, 0.1, 1e-12);
    assert_near(neutral_pose_doubt(&n).foot, 0.75 * NEUTRAL_FOOT, 1e-12);
    n.flat = 2 * NEUTRAL_FLAT;
    n.from.bend = 0.5 * NEUTRAL_BEND;
    assert_near(neutral_pose_doubt(&n).trunk, 0, 0);
    assert_near(neutral_pose_doubt(&n).foot, 0, 0);
    n.flat = 0;
    n.from.is_human = 0;
    assert_near(neutral_pose_doubt(&n).foot, 0, 0);
}
