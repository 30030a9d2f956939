/* analysis/dynamics/inverse_dynamics: interpolates forces and moments, not points of application; the body moves
 * contact points. */
#include "analysis/dynamics/loads.h"
#include "tests/support/test.h"

#include <string.h>

#include "tests/support/random_clip.h"

enum { FOOT = 3, HAND = 1 };

/* Rows at 0.10 and 0.12 s on the foot, the second in two parts; one on the hand. */
static void make_rows(ExternalRows *rows)
{
    assert_int_equal(external_rows_init(rows, 4, NULL), STATUS_OK);
    const double time[] = {0.10, 0.10, 0.12, 0.12};
    const int joint[] = {FOOT, HAND, FOOT, FOOT};
    memcpy(rows->time, time, sizeof time);
    memcpy(rows->joint, joint, sizeof joint);
    rows->force[0] = vec3(0, 100, 0);
    rows->point[0] = vec3(1, 0, 0);
    rows->couple[0] = vec3(0, 4, 0);
    rows->force[1] = vec3(7, 8, 9);
    rows->force[2] = vec3(0, 200, 0);
    rows->point[2] = vec3(2, 0, 0);
    rows->force[3] = vec3(30, 100, 0);
    rows->point[3] = vec3(3, 0, 0);
}

TEST(force_and_moment_are_interpolated)
{
    ExternalRows rows;
    Motion m;
    Loads l;
    make_rows(&rows);
    assert_int_equal(motion_init(&m, 14, 5, 0.01, 0, NULL), STATUS_OK);
    assert_int_equal(loads_from_external(&rows, &m, &l, NULL), STATUS_OK);
    assert_int_equal(l.load_count, 2);
    assert_int_equal(l.joint[0], HAND);
    assert_int_equal(l.joint[1], FOOT);
    assert_vec3_near(l.force[2 * 10 + 1], vec3(0, 100, 0), 1e-12);
    assert_vec3_near(l.moment[2 * 10 + 1], vec3(0, 4, 100), 1e-12);
    assert_vec3_near(l.force[2 * 12 + 1], vec3(30, 300, 0), 1e-12);
    assert_vec3_near(l.moment[2 * 12 + 1], vec3(0, 0, 700), 1e-12);
    assert_vec3_near(l.force[2 * 11 + 1], vec3(15, 200, 0), 1e-9);
    assert_vec3_near(l.moment[2 * 11 + 1], vec3(0, 2, 400), 1e-9);
    loads_free(&l);
    motion_free(&m);
    external_rows_free(&rows);
}

TEST(rows_extend_by_half_a_frame)
{
    const double force_at[] = {0, 7, 7, 0}; /* one row for the hand, at 0.10 */
    ExternalRows rows;
    Motion m;
    Loads l;
    make_rows(&rows);
    assert_int_equal(motion_init(&m, 4, 5, 0.01, 0, NULL), STATUS_OK);
    for (int f = 0; f < 4; f++)
        m.time[f] = 0.085 + 0.01 * f;
    m.time[0] -= 1e-6;
    assert_int_equal(loads_from_external(&rows, &m, &l, NULL), STATUS_OK);
    for (int f = 0; f < 4; f++)
        assert_near(l.force[2 * f].x, force_at[f], 0);
    loads_free(&l);
    motion_free(&m);
    external_rows_free(&rows);
}

TEST(decreasing_time_is_refused)
{
    ExternalRows rows;
    Motion m;
    Loads l;
    Error err;
    make_rows(&rows);
    rows.time[2] = 0.05;
    assert_int_equal(motion_init(&m, 14, 5, 0.01, 0, NULL), STATUS_OK);
    assert_int_equal(loads_from_external(&rows, &m, &l, &err), STATUS_BAD_INPUT);
    assert_null(l.force);
    rows.time[2] = 0.12;
    rows.joint[1] = 5;
    assert_int_equal(loads_from_external(&rows, &m, &l, &err), STATUS_USAGE);
    motion_free(&m);
    external_rows_free(&rows);
}

TEST(contact_points_move_with_their_body)
{
    Clip c;
    Loads l;
    assert_true(random_clip_init(&c, 4, 2, 11));
    assert_int_equal(contact_init(&c.contact, 2, 3, 1, NULL), STATUS_OK);
    memcpy(c.contact.point_joint, (int[]){FOOT, HAND, FOOT}, 3 * sizeof(int));
    Random r = {12};
    Vec3 force = {0, 0, 0}, moment = {0, 0, 0};
    const size_t body = 4 + FOOT; /* frame 1 */
    for (int i = 0; i < 6; i++) {
        c.contact.point_position[i % 3] = random_vec3(&r, 0.3);
        c.contact.force[i] = random_vec3(&r, 100);
        c.contact.moment[i] = random_vec3(&r, 10);
    }
    for (int p = 0; p < 3; p += 2) {
        Mat3 rotation = quat_to_mat3(c.kinematics.orientation[body]);
        Vec3 at = vec3_add(c.kinematics.position[body], mat3_mul(rotation, c.contact.point_position[p]));
        force = vec3_add(force, c.contact.force[3 + p]);
        moment = vec3_add(moment, vec3_add(c.contact.moment[3 + p], vec3_cross(at, c.contact.force[3 + p])));
    }
    assert_int_equal(loads_from_contact(&c.contact, &c.kinematics, &l, NULL), STATUS_OK);
    assert_int_equal(l.load_count, 2);
    assert_int_equal(l.joint[1], FOOT);
    assert_vec3_near(l.force[2 + 1], force, 1e-12);
    assert_vec3_near(l.moment[2 + 1], moment, 1e-12);
    loads_free(&l);
    c.contact.point_joint[1] = 4;
    assert_int_equal(loads_from_contact(&c.contact, &c.kinematics, &l, NULL), STATUS_BAD_INPUT);
    clip_free(&c);
}

TEST(contact_without_points_has_no_loads)
{
    Clip c;
    Loads l;
    assert_true(random_clip_init(&c, 4, 2, 13));
    assert_int_equal(contact_init(&c.contact, 2, 0, 0, NULL), STATUS_OK);
    assert_int_equal(loads_from_contact(&c.contact, &c.kinematics, &l, NULL), STATUS_OK);
    assert_int_equal(l.load_count, 0);
    loads_free(&l);
    clip_free(&c);
}
