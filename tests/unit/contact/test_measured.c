/* Measured forces as contact: what a force plate says comes back. */
#include "analysis/contact/measured.h"
#include "tests/support/assert_near.h"

enum { FRAMES = 5, JOINTS = 3, FOOT = 2 };

typedef struct Setup {
    Skeleton skeleton;
    Motion motion;
    Kinematics kinematics;
    ExternalRows rows;
} Setup;

/* A leg whose foot moves along a line, and a plate that feels the same force all the time. */
static void setup_make(Setup *s, Vec3 force, Vec3 point, Vec3 couple, int joint)
{
    assert_int_equal(skeleton_init(&s->skeleton, JOINTS, 0, NULL), STATUS_OK);
    for (int j = 1; j < JOINTS; j++)
        s->skeleton.parent[j] = j - 1;
    s->skeleton.role[FOOT] = s->skeleton.segment[FOOT] = ROLE_RIGHT_ANKLE;
    assert_int_equal(motion_init(&s->motion, FRAMES, JOINTS, 0.01, 0, NULL), STATUS_OK);
    assert_int_equal(kinematics_init(&s->kinematics, FRAMES, JOINTS, 0, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++)
        for (int j = 0; j < JOINTS; j++)
            s->kinematics.position[f * JOINTS + j] = (Vec3){0.1 * f, 1 - 0.45 * j, 0.3};
    assert_int_equal(external_rows_init(&s->rows, 2, NULL), STATUS_OK);
    for (int i = 0; i < 2; i++) {
        s->rows.time[i] = i * 0.04;
        s->rows.joint[i] = joint;
        s->rows.force[i] = force;
        s->rows.point[i] = point;
        s->rows.couple[i] = couple;
    }
}

static void setup_free(Setup *s)
{
    skeleton_free(&s->skeleton);
    motion_free(&s->motion);
    kinematics_free(&s->kinematics);
    external_rows_free(&s->rows);
}

static Status measure(Setup *s, double ground, Contact *contact, Error *err)
{
    ClipView view = {&s->skeleton, NULL, &s->motion, &s->kinematics};
    return contact_from_external(&s->rows, &view, ground, contact, err);
}

static void a_plate_gets_its_own_figures_back(void **state)
{
    const Vec3 force = {-40, 700, 25}, point = {0.2, 0.05, -0.1}, couple = {0, 3, 0};
    Setup s;
    Contact contact;
    (void)state;
    setup_make(&s, force, point, couple, FOOT);
    assert_int_equal(measure(&s, point.y, &contact, NULL), STATUS_OK);
    assert_int_equal(contact.point_count, 1);
    assert_int_equal(contact.point_joint[0], FOOT);
    for (int f = 0; f < FRAMES; f++) {
        size_t right = (size_t)f * FOOT_COUNT + FOOT_RIGHT, left = (size_t)f * FOOT_COUNT + FOOT_LEFT;
        assert_vec3_near(contact.foot_force[right], force, 1e-12);
        assert_vec3_near(contact.foot_cop[right], point, 1e-12);
        assert_vec3_near(contact.foot_free_moment[right], couple, 1e-12);
        assert_vec3_near(contact.foot_force[left], ((Vec3){0, 0, 0}), 0);
        assert_near(contact.state[f], 1, 0);
    }
    contact_free(&contact);
    setup_free(&s);
}

/* The moment about the joint centre is that of the force at its point: M_P = (point - P) x F + couple. */
static void the_couple_is_about_the_joint_centre(void **state)
{
    const Vec3 force = {10, 500, -30}, point = {0.2, 0, 0.4}, couple = {0, -2, 0};
    Setup s;
    Contact contact;
    (void)state;
    setup_make(&s, force, point, couple, FOOT);
    assert_int_equal(measure(&s, 0, &contact, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        Vec3 centre = s.kinematics.position[f * JOINTS + FOOT];
        Vec3 expected = vec3_add(vec3_cross(vec3_sub(point, centre), force), couple);
        assert_vec3_near(contact.moment[f], expected, 1e-10);
    }
    contact_free(&contact);
    setup_free(&s);
}

static void a_push_on_another_joint_is_no_footstep(void **state)
{
    Setup s;
    Contact contact;
    (void)state;
    setup_make(&s, (Vec3){0, 300, 0}, (Vec3){0, 1, 0}, (Vec3){0, 0, 0}, 0);
    assert_int_equal(measure(&s, 0, &contact, NULL), STATUS_OK);
    assert_vec3_near(contact.force[0], ((Vec3){0, 300, 0}), 0);
    for (int i = 0; i < FRAMES * FOOT_COUNT; i++)
        assert_vec3_near(contact.foot_force[i], ((Vec3){0, 0, 0}), 0);
    contact_free(&contact);
    setup_free(&s);
}

static void times_that_run_back_are_an_error(void **state)
{
    Setup s;
    Contact contact;
    Error err;
    (void)state;
    setup_make(&s, (Vec3){0, 300, 0}, (Vec3){0, 0, 0}, (Vec3){0, 0, 0}, FOOT);
    s.rows.time[1] = -1;
    assert_int_equal(measure(&s, 0, &contact, &err), STATUS_BAD_INPUT);
    assert_int_equal(contact.point_count, 0);
    contact_free(&contact);
    setup_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plate_gets_its_own_figures_back),
        cmocka_unit_test(the_couple_is_about_the_joint_centre),
        cmocka_unit_test(a_push_on_another_joint_is_no_footstep),
        cmocka_unit_test(times_that_run_back_are_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
