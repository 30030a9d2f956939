/* Measured forces as contact: plate readings are reproduced. */
#include "analysis/contact/measured.h"
#include "tests/support/test.h"

enum { FRAMES = 5, JOINTS = 3, FOOT = 2 };

typedef struct Setup {
    Skeleton skeleton;
    Motion motion;
    Kinematics kinematics;
    ExternalRows rows;
} Setup;

/* A leg whose foot moves along a line, and a plate with a constant force. */
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
    MeasuredDef def = measured_default_def();
    def.ground = ground;
    return contact_from_external(&s->rows, &view, &def, contact, err);
}

TEST(a_plate_gets_its_own_figures_back)
{
    const Vec3 force = {-40, 700, 25}, point = {0.2, 0.05, -0.1}, couple = {0, 3, 0};
    Setup s;
    Contact contact;
    (void)state;
    setup_make(&s, force, point, couple, FOOT);
    assert_int_equal(measure(&s, point.y, &contact, NULL), STATUS_OK);
    assert_int_equal(contact.point_count, 1);
    assert_int_equal(contact.point_joint[0], FOOT);
    assert_true(contact_is_measured(&contact));
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

/* Moment about the joint centre of a force at its point: M_P = (point - P) x F + couple. */
TEST(the_couple_is_about_the_joint_centre)
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

TEST(a_push_on_another_joint_is_no_footstep)
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

/* Fraction of a force that remains in the frames: 1 all, 0 none. */
static int is_kept(Vec3 force, int joint, double threshold)
{
    Setup s;
    Contact contact;
    setup_make(&s, force, (Vec3){0.2, 0, -0.1}, (Vec3){0, 3, 0}, joint);
    ClipView view = {&s.skeleton, NULL, &s.motion, &s.kinematics};
    MeasuredDef def = {.threshold = threshold};
    assert_int_equal(contact_from_external(&s.rows, &view, &def, &contact, NULL), STATUS_OK);
    int kept = contact.state[0] > 0;
    for (int f = 0; f < FRAMES; f++) {
        assert_vec3_near(contact.force[f], vec3_scale(force, kept), 1e-12);
        assert_int_equal(vec3_norm(contact.moment[f]) > 0, kept);
        assert_int_equal(contact.state[f] > 0, kept);
        if (joint == FOOT)
            assert_int_equal(vec3_norm(contact.foot_force[f * FOOT_COUNT + FOOT_RIGHT]) > 0, kept);
    }
    contact_free(&contact);
    setup_free(&s);
    return kept;
}

TEST(a_plate_below_the_threshold_carries_nothing)
{
    assert_false(is_kept((Vec3){3, 19.9, -4}, FOOT, 20));
    assert_false(is_kept((Vec3){3, -8, -4}, FOOT, 20));  /* a plate with downward drift */
    assert_true(is_kept((Vec3){3, 20.1, -4}, FOOT, 20));
    assert_true(is_kept((Vec3){3, 19.9, -4}, FOOT, 0));
    assert_true(is_kept((Vec3){-90, 2, 30}, FOOT, 20)); /* a foot against a wall */
    assert_true(is_kept((Vec3){1, -5, 2}, 0, 20));       /* a light hand contact is not plate noise */
}

/* A step with a peak of 30 N, 12 N and 4 N before and after it, on a plate that otherwise reads 5 N: the tails stay,
 * the contact is the step. */
TEST(the_tail_of_a_step_is_no_noise)
{
    static const double plate[FRAMES] = {5, 4, 12, 30, 12}, kept[FRAMES] = {0, 4, 12, 30, 12};
    Setup s;
    Contact contact;
    (void)state;
    setup_make(&s, (Vec3){0, 0, 0}, (Vec3){0, 0, 0}, (Vec3){0, 0, 0}, FOOT);
    external_rows_free(&s.rows);
    assert_int_equal(external_rows_init(&s.rows, FRAMES, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        s.rows.time[f] = s.motion.time[f];
        s.rows.joint[f] = FOOT;
        s.rows.force[f].y = plate[f];
    }
    assert_int_equal(measure(&s, 0, &contact, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        assert_near(contact.foot_force[f * FOOT_COUNT + FOOT_RIGHT].y, kept[f], 1e-9);
        assert_near(contact.state[f], plate[f] >= 20, 0);
    }
    contact_free(&contact);
    setup_free(&s);
}

/* Heel and toe on two plates: the sum over the foot counts. */
TEST(the_threshold_is_the_foots_not_the_plates)
{
    Setup s;
    Contact contact;
    (void)state;
    setup_make(&s, (Vec3){0, 12, 0}, (Vec3){0, 0, 0}, (Vec3){0, 0, 0}, FOOT);
    s.skeleton.segment[1] = ROLE_RIGHT_TOE;
    s.rows.joint[0] = 1;
    s.rows.time[0] = s.rows.time[1] = 0;
    assert_int_equal(measure(&s, 0, &contact, NULL), STATUS_OK);
    assert_vec3_near(contact.foot_force[FOOT_RIGHT], ((Vec3){0, 24, 0}), 1e-12);
    contact_free(&contact);
    setup_free(&s);
}

TEST(a_threshold_below_zero_is_wrong_usage)
{
    Setup s;
    Contact contact;
    Error err;
    (void)state;
    setup_make(&s, (Vec3){0, 300, 0}, (Vec3){0, 0, 0}, (Vec3){0, 0, 0}, FOOT);
    ClipView view = {&s.skeleton, NULL, &s.motion, &s.kinematics};
    MeasuredDef def = {.threshold = -1};
    assert_int_equal(contact_from_external(&s.rows, &view, &def, &contact, &err), STATUS_USAGE);
    assert_int_equal(contact.point_count, 0);
    setup_free(&s);
}

TEST(times_that_run_back_are_an_error)
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
