/* analysis/contact/measured: measured forces as contact. */
#include "tests/support/test.h"

#include "analysis/contact/foot_load.h"
#include "analysis/contact/measured.h"
#include "tests/support/random_number.h"
#include "tests/support/walker.h"

/* Force, centre of pressure and free moment of a foot are equivalent to the forces at its
 * points. */

enum { POINTS = 4, LEFT_ANKLE = 3, LEFT_TOE = 4, LEFT_KNEE = 2 };

static Vec3 random_vector(unsigned *seed, double size)
{
    return vec3(size * random_number(seed), size * random_number(seed), size * random_number(seed));
}

typedef struct Foot {
    Skeleton skeleton;
    Kinematics kinematics;
    Contact contact;
} Foot;

/* One frame: two points on the left ankle, one on its toe, one on the knee. */
static void make(Foot *x, unsigned seed)
{
    static const int joint[POINTS] = {LEFT_ANKLE, LEFT_ANKLE, LEFT_TOE, LEFT_KNEE};
    walker_skeleton(&x->skeleton);
    assert_int_equal(kinematics_init(&x->kinematics, 1, WALKER_JOINTS, 0, NULL), STATUS_OK);
    assert_int_equal(contact_init(&x->contact, 1, POINTS, 1, NULL), STATUS_OK);
    for (int j = 0; j < WALKER_JOINTS; j++) {
        x->kinematics.position[j] = random_vector(&seed, 1);
        x->kinematics.orientation[j] = quat_from_axis_angle(vec3_normalize(random_vector(&seed, 1)), 1.3);
    }
    for (int i = 0; i < POINTS; i++) {
        x->contact.point_joint[i] = joint[i];
        x->contact.point_position[i] = random_vector(&seed, 0.2);
        x->contact.force[i] = vec3_add(random_vector(&seed, 100), vec3(0, 300, 0));
        x->contact.moment[i] = random_vector(&seed, 5);
    }
    x->contact.ground_normal = vec3_normalize(vec3(0.1, 1, -0.05));
    x->contact.ground_height = 0.3;
}

static void drop(Foot *x)
{
    contact_free(&x->contact);
    kinematics_free(&x->kinematics);
    skeleton_free(&x->skeleton);
}

/* About any point: sum (p - O) x f + m = (COP - O) x F + T, with T along the normal and the COP on the ground. */
TEST(foot_force_is_the_sum_of_its_points)
{
    for (unsigned seed = 1; seed < 20; seed++) {
        Foot x;
        make(&x, seed);
        Contact *c = &x.contact;
        foot_summarize(&x.skeleton, &x.kinematics, c);
        Vec3 about = {0.7, -2, 1.1}, force = {0, 0, 0}, moment = {0, 0, 0}, n = c->ground_normal;
        for (int i = 0; i < 3; i++) { /* the knee is not part of a foot */
            int j = c->point_joint[i];
            Vec3 arm = quat_rotate(x.kinematics.orientation[j], c->point_position[i]);
            Vec3 at = vec3_add(x.kinematics.position[j], arm);
            force = vec3_add(force, c->force[i]);
            moment = vec3_add(moment, vec3_add(vec3_cross(vec3_sub(at, about), c->force[i]), c->moment[i]));
        }
        Vec3 cop = c->foot_cop[FOOT_LEFT], free_moment = c->foot_free_moment[FOOT_LEFT];
        assert_vec3_near(c->foot_force[FOOT_LEFT], force, 1e-10);
        assert_vec3_near(vec3_add(vec3_cross(vec3_sub(cop, about), force), free_moment), moment, 1e-9);
        assert_near(vec3_dot(n, vec3_sub(cop, vec3(0, 0.3, 0))), 0, 1e-12);
        assert_near(vec3_norm(vec3_cross(n, free_moment)), 0, 1e-10);
        drop(&x);
    }
}

TEST(foot_without_load_has_no_centre_of_pressure)
{
    Foot x;
    make(&x, 3);
    for (int i = 0; i < POINTS; i++)
        x.contact.force[i] = vec3(0, 0.1, 0);
    foot_summarize(&x.skeleton, &x.kinematics, &x.contact);
    assert_vec3_near(x.contact.foot_cop[FOOT_LEFT], vec3(0, 0, 0), 0);
    assert_vec3_near(x.contact.foot_free_moment[FOOT_LEFT], vec3(0, 0, 0), 0);
    assert_vec3_near(x.contact.foot_force[FOOT_RIGHT], vec3(0, 0, 0), 0);
    drop(&x);
}

/* Measured forces as contact: plate readings are reproduced. */

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

TEST(plate_round_trip_is_exact)
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
TEST(couple_is_about_the_joint_centre)
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

TEST(push_on_another_joint_is_no_foot_force)
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

TEST(plate_below_the_threshold_has_no_force)
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
TEST(end_of_a_step_is_not_noise)
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
TEST(threshold_applies_to_the_foot)
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

TEST(threshold_below_zero_is_wrong_usage)
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

TEST(decreasing_time_is_an_error)
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
