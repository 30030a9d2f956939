/* Contact of the whole body: hands in a handstand, back and legs of who lies, knees of who kneels, all fours, and a
 * quadruped on its paws. */
#include "tests/assert_near.h"

#include <string.h>

#include "analysis/contact/contact_estimate.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "tests/puppet.h"

enum { FRAMES = 100 };

static Quat turn(double x, double y, double z, double angle)
{
    return quat_from_axis_angle(vec3(x, y, z), angle);
}

/* A pose held still: rotations by name, the rest as in the skeleton. */
typedef struct PoseRow {
    const char *joint;
    Vec3 axis;
    double angle; /* rad */
} PoseRow;

static void hold(Clip *c, Vec3 pelvis, const PoseRow *rows, int count)
{
    BodyDef body = body_default_def();
    *c = (Clip){0};
    walker_skeleton(&c->skeleton);
    assert_int_equal(motion_init(&c->motion, FRAMES, WALKER_JOINTS, 0.01, 0, NULL), STATUS_OK);
    assert_int_equal(body_from_skeleton(&c->skeleton, &body, &c->body, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        c->motion.root_position[f] = pelvis;
        for (int j = 0; j < WALKER_JOINTS; j++) {
            Quat *q = &c->motion.rotation[motion_index(&c->motion, f, j)];
            *q = QUAT_IDENTITY;
            for (int r = 0; r < count; r++)
                if (strcmp(rows[r].joint, c->skeleton.name[j]) == 0)
                    *q = quat_mul(*q, turn(rows[r].axis.x, rows[r].axis.y, rows[r].axis.z, rows[r].angle));
        }
    }
    puppet_differentiate(c);
}

/* Vertical force, in body weights, on the points whose joint has one of two roles; ROLE_NONE: on all. */
static double load_on(const Clip *c, Role one, Role other)
{
    const Contact *contact = &c->contact;
    double sum = 0;
    int f = FRAMES / 2;
    for (int i = 0; i < contact->point_count; i++) {
        Role role = c->skeleton.role[contact->point_joint[i]];
        if (one == ROLE_NONE || role == one || role == other)
            sum += contact->force[(size_t)f * (size_t)contact->point_count + (size_t)i].y;
    }
    return sum / (c->body.total_mass * GRAVITY);
}

static void estimate(Clip *c)
{
    ContactEstimateDef def = contact_estimate_default_def();
    Error err;
    if (contact_estimate(&c->skeleton, &c->body, &c->motion, &c->kinematics, &def, &c->contact, &err))
        fail_msg("%s", err.text);
    c->has_contact = 1;
}

static void hands_hold_a_handstand(void **state)
{
    (void)state;
    static const PoseRow rows[] = {{"Hips", {1, 0, 0}, PI}, {"LeftArm", {0, 0, 1}, PI / 2},
                                   {"RightArm", {0, 0, 1}, -PI / 2}};
    Clip c;
    hold(&c, vec3(0.2, 1.1, 0), rows, 3);
    estimate(&c);
    assert_near(load_on(&c, ROLE_NONE, ROLE_NONE), 1, 0.02);
    assert_near(load_on(&c, ROLE_LEFT_WRIST, ROLE_RIGHT_WRIST), 1, 0.02);
    assert_near(load_on(&c, ROLE_LEFT_WRIST, ROLE_LEFT_WRIST), load_on(&c, ROLE_RIGHT_WRIST, ROLE_RIGHT_WRIST), 1e-9);
    clip_free(&c);
}

static void a_lying_body_rests_on_its_back(void **state)
{
    (void)state;
    static const PoseRow rows[] = {{"Hips", {1, 0, 0}, -PI / 2}, {"LeftArm", {0, 0, 1}, -1.4},
                                   {"RightArm", {0, 0, 1}, 1.4}};
    Clip c;
    hold(&c, vec3(0, 0.1, 0), rows, 3);
    estimate(&c);
    assert_near(load_on(&c, ROLE_NONE, ROLE_NONE), 1, 0.02);
    double seat = load_on(&c, ROLE_LEFT_HIP, ROLE_RIGHT_HIP), back = load_on(&c, ROLE_LEFT_SHOULDER, ROLE_RIGHT_SHOULDER);
    assert_true(seat + back + load_on(&c, ROLE_HEAD, ROLE_HEAD) > 0.5);
    assert_true(seat > 0.05 && back > 0.2);
    clip_free(&c);
}

static void knees_hold_a_kneeling_body(void **state)
{
    (void)state;
    static const PoseRow rows[] = {{"LeftUpLeg", {1, 0, 0}, -0.25}, {"RightUpLeg", {1, 0, 0}, -0.25},
                                   {"LeftLeg", {1, 0, 0}, PI / 2 + 0.25}, {"RightLeg", {1, 0, 0}, PI / 2 + 0.25},
                                   {"LeftFoot", {1, 0, 0}, 0.9},   {"RightFoot", {1, 0, 0}, 0.9},
                                   {"LeftArm", {0, 0, 1}, -1.3},   {"RightArm", {0, 0, 1}, 1.3}};
    Clip c;
    hold(&c, vec3(0, 0.507, 0), rows, 8);
    estimate(&c);
    assert_near(load_on(&c, ROLE_NONE, ROLE_NONE), 1, 0.02);
    assert_true(load_on(&c, ROLE_LEFT_KNEE, ROLE_RIGHT_KNEE) > 0.6);
    clip_free(&c);
}

static void all_fours_share_the_load(void **state)
{
    (void)state;
    static const PoseRow rows[] = {{"Hips", {1, 0, 0}, PI / 2},     {"LeftUpLeg", {1, 0, 0}, -PI / 2},
                                   {"RightUpLeg", {1, 0, 0}, -PI / 2}, {"LeftLeg", {1, 0, 0}, PI / 2},
                                   {"RightLeg", {1, 0, 0}, PI / 2}, {"LeftFoot", {1, 0, 0}, 0.9},
                                   {"RightFoot", {1, 0, 0}, 0.9},   {"LeftArm", {0, 1, 0}, -0.83},
                                   {"RightArm", {0, 1, 0}, 0.83}};
    Clip c;
    hold(&c, vec3(0, 0.47, 0), rows, 9);
    estimate(&c);
    assert_near(load_on(&c, ROLE_NONE, ROLE_NONE), 1, 0.02);
    assert_true(load_on(&c, ROLE_LEFT_KNEE, ROLE_RIGHT_KNEE) > 0.25);
    assert_true(load_on(&c, ROLE_LEFT_WRIST, ROLE_RIGHT_WRIST) > 0.25);
    clip_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hands_hold_a_handstand),
        cmocka_unit_test(a_lying_body_rests_on_its_back),
        cmocka_unit_test(knees_hold_a_kneeling_body),
        cmocka_unit_test(all_fours_share_the_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
