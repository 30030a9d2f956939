/* analysis/contact/tracked_contact: what touches a simulated body, and pushes, as points of /contact. */
#include "tests/support/test.h"

#include "analysis/contact/tracked_contact.h"

enum { JOINTS = 3, STEPS = 2 };

/* A trunk, and an ankle at (1, 0.1, 0) with 100 N at (1.1, 0, 0.05). */
TEST(wrenches_become_points_and_the_load_of_a_foot)
{
    Skeleton s;
    Contact out;
    int pushed;
    Vec3 position[STEPS * JOINTS] = {{0, 1, 0}, {1, 0.1, 0}, {0, 1.5, 0}, {0, 1, 0}, {1, 0.1, 0}, {0, 1.5, 0}};
    Vec3 force[STEPS * JOINTS] = {{0, 0, 0}, {0, 100, 0}}, moment[STEPS * JOINTS] = {{0, 0, 0}};
    Vec3 push[STEPS * JOINTS] = {{0, 0, 0}}, couple[STEPS * JOINTS] = {{0, 0, 0}};
    Quat turn[STEPS * JOINTS];
    for (int i = 0; i < STEPS * JOINTS; i++)
        turn[i] = QUAT_IDENTITY;
    moment[1] = vec3_cross(vec3(0.1, -0.1, 0.05), force[1]);
    push[1] = vec3(7, 0, 0);
    push[2] = vec3(0, 0, 50);
    couple[2] = vec3(1, 2, 3);
    assert_int_equal(skeleton_init(&s, JOINTS, 0, NULL), STATUS_OK);
    for (int j = 0; j < JOINTS; j++)
        s.parent[j] = j ? 0 : -1;
    s.segment[1] = ROLE_LEFT_ANKLE;
    Kinematics pose = {.frame_count = STEPS, .joint_count = JOINTS, .position = position, .orientation = turn};
    TrackingRun run = {.contact_force = force, .contact_moment = moment, .push_force = push, .push_moment = couple};
    assert_int_equal(tracked_contact(&(TrackedBody){&run, &s, &pose, NULL}, &out, &pushed, NULL), STATUS_OK);
    assert_int_equal(out.point_count, 3);
    assert_int_equal(pushed, 1);
    assert_int_equal(out.point_joint[0], 1);
    assert_int_equal(out.point_joint[1], 1);
    assert_int_equal(out.point_joint[2], 2);
    assert_vec3_near(out.force[0], vec3(0, 100, 0), 0);
    assert_vec3_near(out.foot_force[FOOT_LEFT], vec3(0, 100, 0), 0); /* without the push on the foot */
    assert_vec3_near(out.foot_cop[FOOT_LEFT], vec3(1.1, 0, 0.05), 1e-12);
    assert_vec3_near(out.foot_force[FOOT_COUNT + FOOT_LEFT], vec3(0, 0, 0), 0);
    assert_vec3_near(out.force[2], vec3(0, 0, 50), 0);
    assert_vec3_near(out.moment[2], vec3(1, 2, 3), 0);
    assert_near(out.state[2], 1, 0);
    assert_near(out.state[3 + 2], 0, 0);
    contact_free(&out);
    TrackingRun none = {0};
    assert_int_equal(tracked_contact(&(TrackedBody){&none, &s, &pose, NULL}, &out, &pushed, NULL), STATUS_OK);
    assert_int_equal(out.point_count, 0);
    contact_free(&out);
    skeleton_free(&s);
}
