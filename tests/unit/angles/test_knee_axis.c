/* analysis/angles/knee_axis: the flexion axis of a knee is estimated if it flexes enough. */
#include "tests/support/test.h"

#include "analysis/angles/coordinates.h"
#include "analysis/angles/joint_axes.h"
#include "analysis/angles/knee_axis.h"
#include "analysis/angles/neutral_pose.h"
#include "analysis/clip/clip.h"
#include "analysis/motion/kinematics.h"
#include "tests/support/walker.h"

enum { FRAMES = 120 };

/* The walker's left knee oscillates about an axis of its thigh, given in anatomical axes; degrees. */
static Clip bending(Vec3 axis, double degrees)
{
    Clip c = {0};
    DifferenceDef def = difference_default_def();
    Vec3 world = vec3(-axis.z, axis.y, axis.x); /* the walker faces z, its right is -x */
    walker_skeleton(&c.skeleton);
    assert_int_equal(motion_init(&c.motion, FRAMES, WALKER_JOINTS, 0.01, 0, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++)
        for (int j = 0; j < WALKER_JOINTS; j++) {
            double angle = degrees * (PI / 180) * (1 - elementary_cos(0.1 * f)) / 2;
            int is_knee = c.skeleton.role[j] == ROLE_LEFT_KNEE;
            c.motion.rotation[motion_index(&c.motion, f, j)] =
                is_knee ? quat_from_axis_angle(world, -angle) : quat_from_axis_angle(vec3(0, 1, 0), j ? 0 : 0.001 * f);
        }
    ClipView view = {&c.skeleton, NULL, &c.motion, &c.kinematics};
    assert_int_equal(differentiate(&view, &def, &c.kinematics, NULL), STATUS_OK);
    c.has_kinematics = 1;
    return c;
}

/* Coordinates about the estimated axes; returns the left knee's axes in *knee. */
static int find(Clip *c, double min_fraction, JointAxes *knee)
{
    Arena arena = {0};
    NeutralPose neutral;
    JointAxesSet axes = {.keep_axes = 1};
    ClipView view = clip_view(c);
    assert_int_equal(neutral_pose_init(&neutral, &view, &arena, NULL), STATUS_OK);
    axes.count = joint_axes_find(&neutral, axes.joint);
    int i = 0, found;
    while (axes.joint[i].first != COORDINATE_LEFT_KNEE_FLEXION)
        i++;
    assert_int_equal(knee_axis_find(&c->kinematics, min_fraction, &axes.joint[i], &found, NULL), STATUS_OK);
    *knee = axes.joint[i];
    assert_int_equal(coordinates_compute(&axes, &c->kinematics, NULL, &c->angles, NULL), STATUS_OK);
    arena_free(&arena);
    return found;
}

TEST(flexion_axis_of_the_leg_is_found)
{
    const Vec3 axis = vec3_normalize(vec3(0.1, -0.2, 1));
    JointAxes knee;
    Clip c = bending(axis, 60);
    assert_true(find(&c, KNEE_HINGE_FRACTION, &knee));
    int place = joint_angles_find(&c.angles, COORDINATE_LEFT_KNEE_FLEXION);
    for (int f = 5; f < FRAMES - 5; f++) {
        double angle = 60 * (1 - elementary_cos(0.1 * f)) / 2;
        const double *found = &c.angles.angle[joint_angles_index(&c.angles, f, place)];
        const double *rate = &c.angles.velocity[joint_angles_index(&c.angles, f, place)];
        size_t thigh = (size_t)f * WALKER_JOINTS + (size_t)knee.proximal, shank = thigh + 1;
        Vec3 omega = vec3_sub(c.kinematics.angular_velocity[shank], c.kinematics.angular_velocity[thigh]);
        assert_near(fabs(rate[0]), vec3_norm(omega), 1e-3 * vec3_norm(omega) + 1e-4); /* all motion is flexion */
        assert_near(found[0] * 180 / PI, angle, 0.5);
    }
    clip_free(&c);
}

/* A knee with some axial rotation is no hinge, but has a flexion axis. */
TEST(loose_knee_is_not_a_hinge)
{
    JointAxes knee;
    Clip c = bending(vec3_normalize(vec3(0, -0.2, 1)), 60);
    for (int f = 0; f < FRAMES; f++)
        for (int j = 0; j < WALKER_JOINTS; j++)
            if (c.skeleton.role[j] == ROLE_LEFT_KNEE) {
                Quat *q = &c.motion.rotation[motion_index(&c.motion, f, j)];
                *q = quat_mul(*q, quat_from_axis_angle(vec3(0, 1, 0), 0.08 * elementary_sin(0.2 * f)));
            }
    ClipView view = {&c.skeleton, NULL, &c.motion, &c.kinematics};
    DifferenceDef def = difference_default_def();
    kinematics_free(&c.kinematics);
    assert_int_equal(differentiate(&view, &def, &c.kinematics, NULL), STATUS_OK);
    assert_false(find(&c, KNEE_HINGE_FRACTION, &knee));
    joint_angles_free(&c.angles);
    assert_true(find(&c, KNEE_MIN_FRACTION, &knee));
    clip_free(&c);
}

TEST(aligned_axis_is_unchanged)
{
    JointAxes knee;
    Clip c = bending(vec3(0, 0, 1), 60);
    assert_true(find(&c, KNEE_HINGE_FRACTION, &knee));
    Vec3 z = quat_rotate(knee.proximal_axes, vec3(0, 0, 1));
    assert_vec3_near(z, vec3(-1, 0, 0), 1e-5);
    clip_free(&c);
}

TEST(leg_with_25_degrees_of_flexion_has_no_axis)
{
    JointAxes knee;
    Clip little = bending(vec3(0, 0, 1), 25), across = bending(vec3_normalize(vec3(1, 0, 1)), 80);
    assert_false(find(&little, KNEE_MIN_FRACTION, &knee));
    assert_false(find(&across, KNEE_MIN_FRACTION, &knee));   /* 45 degrees from the hip line: implausible for a knee */
    clip_free(&little);
    clip_free(&across);
}
