/* Whole-body contact: hands in a handstand, back and legs when lying, knees when kneeling, all fours, a quadruped on
 * its paws; and a real cartwheel (../shared/mocap) from feet to hands to feet. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/contact/contact_estimate.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "tests/support/puppet.h"
#include "tests/support/real_clip.h"
#include "tests/support/skeleton_rows.h"

enum { FRAMES = 100 };

static Quat turn(double x, double y, double z, double angle)
{
    return quat_from_axis_angle(vec3(x, y, z), angle);
}

/* A static pose: rotations by name, others as in the skeleton. */
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

/* Vertical force, in body weights, on the points whose joint has one of two roles; ROLE_NONE: all points. */
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
    if (contact_estimate(&(ClipView){&c->skeleton, &c->body, &c->motion, &c->kinematics}, &def, &c->contact, &err))
        fail_msg("%s", err.text);
    c->has_contact = 1;
}

TEST(hands_hold_a_handstand)
{
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

TEST(a_lying_body_rests_on_its_back)
{
    static const PoseRow rows[] = {{"Hips", {1, 0, 0}, -PI / 2}, {"LeftArm", {0, 0, 1}, -1.4},
                                   {"RightArm", {0, 0, 1}, 1.4}};
    Clip c;
    hold(&c, vec3(0, 0.1, 0), rows, 3);
    estimate(&c);
    assert_near(load_on(&c, ROLE_NONE, ROLE_NONE), 1, 0.02);
    double seat = load_on(&c, ROLE_LEFT_HIP, ROLE_RIGHT_HIP);
    double back = load_on(&c, ROLE_LEFT_SHOULDER, ROLE_RIGHT_SHOULDER);
    assert_true(seat + back + load_on(&c, ROLE_HEAD, ROLE_HEAD) > 0.5);
    assert_true(seat > 0.05 && back > 0.2);
    clip_free(&c);
}

TEST(knees_hold_a_kneeling_body)
{
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

TEST(all_fours_share_the_load)
{
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

#define LEG(name, parent, x, z)                                                  \
    {name, parent, {x, -0.05, z}, 0, {0, 0, 0}},                                 \
    {name "Lower", name, {0, -0.25, 0}, 0, {0, 0, 0}},                           \
    {name "Paw", name "Lower", {0, -0.2, 0}, 1, {0, -0.03, 0.06}}

/* Trunk along +z, 0.53 m above its paws; a tail, a plate on the back, and a marker on the floor. */
static const JointRow dog_rows[] = {
    {"Root", NULL, {0, 0.53, 0}, 0, {0, 0, 0}},
    {"Spine", "Root", {0, 0, 0.25}, 0, {0, 0, 0}},
    {"Chest", "Spine", {0, 0, 0.25}, 0, {0, 0, 0}},
    {"Head", "Chest", {0, 0.1, 0.15}, 1, {0, 0, 0.15}},
    {"Tail", "Root", {0, 0, -0.1}, 0, {0, 0, 0}},
    {"TailTip", "Tail", {0, -0.1, -0.1}, 1, {0, -0.1, -0.05}},
    LEG("LF", "Chest", 0.1, 0), LEG("RF", "Chest", -0.1, 0), LEG("LH", "Root", 0.1, 0), LEG("RH", "Root", -0.1, 0),
    {"Plate", "Spine", {0, 0.15, 0}, 0, {0, 0, 0}},
    {"Marker", "Root", {0, -0.53, 0.1}, 0, {0, 0, 0}},
};
enum { DOG_JOINTS = sizeof dog_rows / sizeof *dog_rows };

TEST(a_quadruped_stands_on_its_paws)
{
    Clip c = {0};
    BodyDef body = body_default_def();
    body.model = BODY_CAPSULES;
    skeleton_from_rows(&c.skeleton, dog_rows, DOG_JOINTS);
    assert_int_equal(motion_init(&c.motion, FRAMES, DOG_JOINTS, 0.01, 0, NULL), STATUS_OK);
    assert_int_equal(body_from_skeleton(&c.skeleton, &body, &c.body, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++)
        c.motion.root_position[f] = vec3(1, 0.53, 2);
    for (int i = 0; i < FRAMES * DOG_JOINTS; i++)
        c.motion.rotation[i] = QUAT_IDENTITY;
    puppet_differentiate(&c);
    estimate(&c);
    double paws = 0, total = load_on(&c, ROLE_NONE, ROLE_NONE), weight = c.body.total_mass * GRAVITY;
    for (int i = 0; i < c.contact.point_count; i++) {
        const char *name = c.skeleton.name[c.contact.point_joint[i]];
        double load = c.contact.force[FRAMES / 2 * c.contact.point_count + i].y / weight;
        if (strstr(name, "Paw") || strstr(name, "Lower"))
            paws += load;
        if (strstr(name, "Paw"))
            assert_true(load > 0.05);
        assert_true(c.contact.point_position[i].y > -0.5); /* no point on the marker */
    }
    assert_near(total, 1, 0.02);
    assert_near(paws, total, 1e-12);
    clip_free(&c);
}

TEST(a_cartwheel_goes_from_feet_to_hands_to_feet)
{
    Clip c;
    if (!real_clip(&c, "mocap/mass__mass_cart.bvh")) {
        print_message("skipped: no ../shared/mocap\n");
        skip();
    }
    puppet_differentiate(&c);
    estimate(&c);
    double weight = c.body.total_mass * GRAVITY;
    int on_feet[3] = {0}, on_hands[3] = {0}, frames = c.motion.frame_count;
    for (int f = 0; f < frames; f++) {
        double feet = 0, hands = 0;
        int part = 3 * f / frames;
        for (int foot = 0; foot < FOOT_COUNT; foot++)
            feet += c.contact.foot_force[f * FOOT_COUNT + foot].y / weight;
        for (int i = 0; i < c.contact.point_count; i++) {
            Role role = c.skeleton.segment[c.contact.point_joint[i]];
            if (role == ROLE_LEFT_WRIST || role == ROLE_RIGHT_WRIST)
                hands += c.contact.force[f * c.contact.point_count + i].y / weight;
        }
        on_feet[part] += feet > 0.5 && hands < 0.02;
        on_hands[part] += hands > 0.5 && feet < 0.02;
    }
    assert_true(on_feet[0] > frames / 5 && on_hands[0] == 0);
    assert_true(on_hands[1] > frames / 8);
    assert_true(on_feet[2] > frames / 5 && on_hands[2] == 0);
    clip_free(&c);
}
