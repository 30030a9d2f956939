/* analysis/angles/opensim_pose: known rotations of pelvis and arms, and the moments about their axes. */
#include "tests/support/test.h"

#include "analysis/angles/opensim_pose.h"
#include "analysis/clip/clip.h"
#include "analysis/math/elementary.h"
#include "tests/support/walker.h"
#include "tests/support/zeroed_dynamics.h"

#define DEGREE (PI / 180)

static Quat about(double x, double y, double z, double degrees)
{
    return quat_from_axis_angle(vec3(x, y, z), degrees * DEGREE);
}

/* One frame of the walker, facing +z with its left at +x and arms out: rotations of hips and arms. */
static Clip posed(Quat hips, Quat left_arm, Quat right_arm)
{
    Clip c = {0};
    walker_skeleton(&c.skeleton);
    assert_int_equal(motion_init(&c.motion, 1, WALKER_JOINTS, 0.01, 0, NULL), STATUS_OK);
    assert_int_equal(kinematics_init(&c.kinematics, 1, WALKER_JOINTS, 0, NULL), STATUS_OK);
    c.has_kinematics = 1;
    for (int j = 0; j < WALKER_JOINTS; j++) {
        Role role = c.skeleton.role[j];
        Quat local = role == ROLE_HIPS ? hips : role == ROLE_LEFT_SHOULDER ? left_arm
                     : role == ROLE_RIGHT_SHOULDER ? right_arm : QUAT_IDENTITY;
        c.motion.rotation[j] = local;
        c.kinematics.orientation[j] = j ? quat_mul(c.kinematics.orientation[c.skeleton.parent[j]], local) : local;
    }
    return c;
}

static OpensimPose clip_joint_frame(Clip *c, const Dynamics *dynamics)
{
    OpensimPose pose;
    ClipView view = clip_view(c);
    assert_int_equal(opensim_pose_init(&pose, &view, dynamics, NULL), STATUS_OK);
    return pose;
}

/* Tilt, list and rotation composed in the model's order about world axes are recovered; the body faces the world's
 * x. */
TEST(pelvis_rotates_about_z_x_and_y)
{
    Quat facing = about(0, 1, 0, 90);
    Quat turn = quat_mul(about(0, 0, 1, 12), quat_mul(about(1, 0, 0, -7), about(0, 1, 0, 35)));
    Clip c = posed(quat_mul(turn, facing), QUAT_IDENTITY, QUAT_IDENTITY);
    OpensimPose pose = clip_joint_frame(&c, NULL);
    assert_int_equal(pose.pelvis, skeleton_find_role(&c.skeleton, ROLE_HIPS));
    assert_near(pose.pelvis_angle[0].x / DEGREE, 12, 1e-9);
    assert_near(pose.pelvis_angle[0].y / DEGREE, -7, 1e-9);
    assert_near(pose.pelvis_angle[0].z / DEGREE, 35, 1e-9);
    assert_near(vec3_norm(pose.pelvis_moment[0]), 0, 0);
    opensim_pose_free(&pose);
    clip_free(&c);
}

/* Virtual work: tilt is about the world's z, rotation about the pelvis' y, list about the normal of both. */
TEST(pelvis_moment_is_about_pelvis_axes)
{
    Quat lists = about(1, 0, 0, 30);
    Clip c = posed(quat_mul(lists, about(0, 1, 0, 90)), QUAT_IDENTITY, QUAT_IDENTITY);
    assert_int_equal(zeroed_dynamics(&c.dynamics, 1, WALKER_JOINTS), STATUS_OK);
    c.dynamics.torque[skeleton_find_role(&c.skeleton, ROLE_HIPS)] = vec3(5, 7, 11);
    OpensimPose pose = clip_joint_frame(&c, &c.dynamics);
    Vec3 own = quat_rotate(lists, vec3(0, 1, 0));
    assert_near(pose.pelvis_moment[0].x, 11, 1e-12);
    assert_near(pose.pelvis_moment[0].y, 5, 1e-12);
    assert_near(pose.pelvis_moment[0].z, vec3_dot(own, vec3(5, 7, 11)), 1e-12);
    opensim_pose_free(&pose);
    clip_free(&c);
}

static double arm(const OpensimPose *pose, Coordinate coordinate)
{
    int place = joint_angles_find(&pose->arms, coordinate);
    assert_true(place >= 0);
    return pose->arms.angle[place] / DEGREE;
}

/* From hanging, an arm flexes by 40 degrees, then abducts by 25; both arms alike. */
TEST(arms_flex_and_abduct)
{
    Quat left = quat_mul(about(1, 0, 0, -40), quat_mul(about(0, 0, 1, 25), about(0, 0, 1, -90)));
    Quat right = quat_mul(about(1, 0, 0, -40), quat_mul(about(0, 0, 1, -25), about(0, 0, 1, 90)));
    Clip c = posed(QUAT_IDENTITY, left, right);
    OpensimPose pose = clip_joint_frame(&c, NULL);
    assert_int_equal(pose.arms.coordinate_count, 6);
    assert_near(arm(&pose, COORDINATE_LEFT_SHOULDER_PLANE), 40, 1e-9);
    assert_near(arm(&pose, COORDINATE_LEFT_SHOULDER_ELEVATION), -25, 1e-9);
    assert_near(arm(&pose, COORDINATE_LEFT_SHOULDER_ROTATION), 0, 1e-9);
    assert_near(arm(&pose, COORDINATE_RIGHT_SHOULDER_PLANE), 40, 1e-9);
    assert_near(arm(&pose, COORDINATE_RIGHT_SHOULDER_ELEVATION), -25, 1e-9);
    assert_near(arm(&pose, COORDINATE_RIGHT_SHOULDER_ROTATION), 0, 1e-9);
    opensim_pose_free(&pose);
    clip_free(&c);
}

/* Lying on the side, tilt and rotation have one axis; flexion of an arm straight out is undefined. */
TEST(singular_poses_have_no_angles)
{
    Clip c = posed(quat_mul(about(1, 0, 0, 85), about(0, 1, 0, 90)), QUAT_IDENTITY, QUAT_IDENTITY);
    OpensimPose pose = clip_joint_frame(&c, NULL);
    assert_true(isnan(pose.pelvis_angle[0].x));
    assert_true(isnan(arm(&pose, COORDINATE_LEFT_SHOULDER_PLANE)));
    opensim_pose_free(&pose);
    clip_free(&c);
}
