/* analysis/contact/contact_estimate: forces that support a standing body, none in flight, and invariance to position
 * and heading of the clip; whole-body contact: hands in a handstand, back and legs when lying, knees when kneeling,
 * all fours, a quadruped on its paws; and a real cartwheel (../shared/mocap) from feet to hands to feet. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/body/body_model.h"
#include "analysis/clip/clip.h"
#include "analysis/contact/contact_estimate.h"
#include "analysis/motion/kinematics.h"
#include "tests/support/puppet.h"
#include "tests/support/real_clip.h"
#include "tests/support/skeleton_rows.h"
#include "tests/support/walker.h"

enum { FRAMES = 120 };

static void walker_clip(Clip *c)
{
    BodyDef body = body_default_def();
    *c = (Clip){0};
    walker_skeleton(&c->skeleton);
    walker_motion(&c->motion, FRAMES, 60);
    assert_int_equal(body_from_skeleton(&c->skeleton, &body, &c->body, NULL), STATUS_OK);
}

static void differentiate_clip(Clip *c)
{
    DifferenceDef def = difference_default_def();
    clip_drop(c, CLIP_KINEMATICS);
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    assert_int_equal(differentiate(&view, &def, &c->kinematics, NULL), STATUS_OK);
    c->has_kinematics = 1;
}

static void estimate(Clip *c, const ContactEstimateDef *def)
{
    ContactEstimateDef standard = contact_estimate_default_def();
    Error err;
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    Status status = contact_estimate(&view, def ? def : &standard,
                                     &c->contact, &err);
    if (status)
        print_error("%s\n", err.text);
    assert_int_equal(status, STATUS_OK);
    c->has_contact = 1;
}

static Vec3 total_force(const Contact *c, int frame)
{
    Vec3 sum = {0, 0, 0};
    for (int i = 0; i < c->point_count; i++)
        sum = vec3_add(sum, c->force[(size_t)frame * (size_t)c->point_count + (size_t)i]);
    return sum;
}

/* The walker frozen in its first frame. */
static void stand_still(Clip *c)
{
    for (int f = 1; f < FRAMES; f++) {
        c->motion.root_position[f] = c->motion.root_position[0];
        for (int j = 0; j < WALKER_JOINTS; j++)
            c->motion.rotation[motion_index(&c->motion, f, j)] = c->motion.rotation[j];
    }
}

static void both_feet_flat(Clip *c)
{
    for (int j = 0; j < WALKER_JOINTS; j++)
        c->motion.rotation[j] = QUAT_IDENTITY;
    c->motion.root_position[0] = vec3(0.3, 0.95, -0.2);
    stand_still(c);
}

TEST(standing_body_is_supported_by_both_feet)
{
    Clip c;
    walker_clip(&c);
    both_feet_flat(&c);
    differentiate_clip(&c);
    estimate(&c, NULL);
    double weight = c.body.total_mass * GRAVITY;
    Vec3 sum = total_force(&c.contact, FRAMES / 2);
    assert_near(sum.y, weight, 0.005 * weight);
    assert_near(sum.x, 0, 0.005 * weight);
    assert_near(sum.z, 0, 0.005 * weight);
    /* symmetric: each foot supports half, and the common centre of pressure is below the centre of mass */
    size_t f = FRAMES / 2;
    assert_near(c.contact.foot_force[2 * f].y, c.contact.foot_force[2 * f + 1].y, 1e-9 * weight);
    Vec3 cop = vec3_scale(vec3_add(c.contact.foot_cop[2 * f], c.contact.foot_cop[2 * f + 1]), 0.5);
    assert_near(cop.x, c.kinematics.com[f].x, 1e-6);
    assert_near(cop.z, c.kinematics.com[f].z, 0.01);
    assert_true(c.contact.confidence[f] > 0.95);
    clip_free(&c);
}

TEST(flight_has_no_force)
{
    Clip c;
    walker_clip(&c);
    both_feet_flat(&c);
    /* 0.5 s on the ground, 0.6 s of free flight, then on the ground again */
    for (int f = 30; f < 66; f++) {
        double t = (f - 30) / 60.0;
        c.motion.root_position[f].y += 0.5 * GRAVITY * t * (0.6 - t);
    }
    differentiate_clip(&c);
    estimate(&c, NULL);
    for (int f = 36; f < 60; f++)
        assert_near(vec3_norm(total_force(&c.contact, f)), 0, 0);
    assert_true(total_force(&c.contact, 20).y > 0);
    clip_free(&c);
}

/* Scale of force comparisons. */
static double weight_of(const Clip *c) { return c->body.total_mass * GRAVITY; }

static void turn_and_shift(Clip *c, Quat yaw)
{
    for (int f = 0; f < c->motion.frame_count; f++) {
        Quat *root = &c->motion.rotation[motion_index(&c->motion, f, 0)];
        c->motion.root_position[f] = vec3_add(quat_rotate(yaw, c->motion.root_position[f]), vec3(3, 0.7, -5));
        *root = quat_mul(yaw, *root);
    }
}

TEST(rotated_and_shifted_clip_rotates_and_shifts_forces)
{
    Clip a, b;
    walker_clip(&a);
    walker_clip(&b);
    Quat yaw = quat_from_axis_angle(vec3(0, 1, 0), 1.1);
    turn_and_shift(&b, yaw);
    differentiate_clip(&a);
    differentiate_clip(&b);
    estimate(&a, NULL);
    estimate(&b, NULL);
    double loaded = 0;
    for (size_t i = 0; i < (size_t)FRAMES * (size_t)a.contact.point_count; i++) {
        assert_vec3_near(b.contact.force[i], quat_rotate(yaw, a.contact.force[i]), 1e-9 * weight_of(&a));
        loaded = fmax(loaded, vec3_norm(a.contact.force[i]));
    }
    assert_true(loaded > 0.1 * weight_of(&a));
    assert_near(b.contact.ground_height, a.contact.ground_height + 0.7, 1e-9);
    clip_free(&a);
    clip_free(&b);
}

static Vec3 mirror(Vec3 v) { return vec3(-v.x, v.y, v.z); }
static Quat mirror_rotation(Quat q) { return (Quat){q.w, q.x, -q.y, -q.z}; }

static void mirror_clip(Clip *c)
{
    Skeleton *s = &c->skeleton;
    for (int j = 0; j < s->joint_count; j++) {
        s->offset[j] = mirror(s->offset[j]);
        s->role[j] = role_mirror(s->role[j]);
        s->segment[j] = role_mirror(s->segment[j]);
        c->body.com[j] = mirror(c->body.com[j]);
        c->body.inertia[j].xy *= -1;
        c->body.inertia[j].xz *= -1;
    }
    for (int e = 0; e < s->end_count; e++)
        s->end_offset[e] = mirror(s->end_offset[e]);
    for (int f = 0; f < c->motion.frame_count; f++) {
        c->motion.root_position[f] = mirror(c->motion.root_position[f]);
        for (int j = 0; j < s->joint_count; j++) {
            Quat *q = &c->motion.rotation[motion_index(&c->motion, f, j)];
            *q = mirror_rotation(*q);
        }
    }
}

TEST(mirrored_clip_mirrors_the_forces)
{
    Clip a, b;
    walker_clip(&a);
    walker_clip(&b);
    mirror_clip(&b);
    differentiate_clip(&a);
    differentiate_clip(&b);
    estimate(&a, NULL);
    estimate(&b, NULL);
    for (size_t f = 0; f < FRAMES; f++)
        for (size_t foot = 0; foot < FOOT_COUNT; foot++) {
            assert_vec3_near(b.contact.foot_force[2 * f + 1 - foot], mirror(a.contact.foot_force[2 * f + foot]),
                             1e-9 * weight_of(&a));
            assert_vec3_near(b.contact.foot_cop[2 * f + 1 - foot], mirror(a.contact.foot_cop[2 * f + foot]), 1e-8);
        }
    clip_free(&a);
    clip_free(&b);
}

/* Files with a level floor, a tilt, uneven ground, hands on the floor, a run. */
static const char *const real_names[] = {
    "groundtruth/trials/walk_rajagopal/walk_rajagopal_lp6_std.bvh",
    "groundtruth/trials/run_rajagopal_rra/run_rajagopal_rra_raw_std.bvh",
    "mocap/cmu_cgspeed__02_01.bvh",
    "mocap/cmu_cgspeed__03_01.bvh",
    "mocap/mass__mass_cart.bvh",
};

TEST(real_clips_rotate_shift_and_mirror_the_forces)
{
    Quat yaw = quat_from_axis_angle(vec3(0, 1, 0), -2.3);
    for (size_t n = 0; n < sizeof real_names / sizeof *real_names; n++) {
        Clip a, turned, mirrored;
        if (!real_clip(&a, real_names[n]) || !real_clip(&turned, real_names[n]) ||
            !real_clip(&mirrored, real_names[n])) {
            print_message("skipped: no ../shared/%s\n", real_names[n]);
            skip();
        }
        double bound = 1e-9 * weight_of(&a);
        turn_and_shift(&turned, yaw);
        mirror_clip(&mirrored);
        Clip *all[] = {&a, &turned, &mirrored};
        for (int i = 0; i < 3; i++) {
            differentiate_clip(all[i]);
            estimate(all[i], NULL);
        }
        for (size_t i = 0; i < (size_t)a.contact.frame_count * FOOT_COUNT; i++) {
            Vec3 force = a.contact.foot_force[i];
            assert_vec3_near(turned.contact.foot_force[i], quat_rotate(yaw, force), bound);
            assert_vec3_near(mirrored.contact.foot_force[i ^ 1], mirror(force), bound);
        }
        for (int i = 0; i < 3; i++)
            clip_free(all[i]);
    }
}

/* In this dance, the penalty of a foot that has just left or is about to land is low for some frames. */
TEST(foot_that_brushes_the_ground_is_in_the_air)
{
    Clip c;
    const char *name = "mocap/cmu_cgspeed__05_02.bvh";
    if (!real_clip(&c, name)) {
        print_message("skipped: no ../shared/%s\n", name);
        skip();
    }
    differentiate_clip(&c);
    estimate(&c, NULL);
    int steps = 0;
    double max = 0;
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        for (int f = 1, since = 0; f < c.contact.frame_count; f++) {
            const Vec3 *force = c.contact.foot_force + (size_t)f * FOOT_COUNT + foot;
            int before = force[-FOOT_COUNT].y > 0, here = force->y > 0;
            if (here && !before) {
                since = f;
                max = 0;
            }
            max = fmax(max, vec3_norm(*force));
            if (before && !here && since > 0) {
                steps++;
                assert_true((f - since) * c.motion.frame_time > 0.04 || max > 0.15 * weight_of(&c));
            }
        }
    assert_true(steps > 1);
    clip_free(&c);
}

TEST(forces_stay_in_the_friction_cone)
{
    Clip c;
    ContactEstimateDef def = contact_estimate_default_def();
    walker_clip(&c);
    differentiate_clip(&c);
    def.friction = 0.1; /* less than this walk requires */
    estimate(&c, &def);
    double slip = 0;
    for (size_t i = 0; i < (size_t)FRAMES * (size_t)c.contact.point_count; i++) {
        Vec3 f = c.contact.force[i];
        double side = sqrt(f.x * f.x + f.z * f.z);
        assert_true(side <= 0.1 * f.y + 1e-9 * weight_of(&c));
        slip = fmax(slip, side / (f.y > 1 ? f.y : 1));
    }
    assert_true(slip > 0.05);
    clip_free(&c);
}

TEST(intervals_give_the_forces_of_the_whole)
{
    Clip a, b;
    ContactEstimateDef def = contact_estimate_default_def();
    walker_clip(&a);
    walker_clip(&b);
    differentiate_clip(&a);
    differentiate_clip(&b);
    estimate(&a, NULL);
    def.interval = 40;
    def.overlap = 1;
    estimate(&b, &def);
    for (size_t i = 0; i < (size_t)FRAMES * (size_t)a.contact.point_count; i++)
        assert_vec3_near(b.contact.force[i], a.contact.force[i], 1e-3 * weight_of(&a));
    clip_free(&a);
    clip_free(&b);
}

/* Largest difference of a foot's force from the exact one, N, for a clip solved to a tolerance. */
static double off_by(const Clip *exact, double tolerance)
{
    Clip rough;
    ContactEstimateDef def = contact_estimate_default_def();
    double max = 0;
    def.tolerance = tolerance;
    walker_clip(&rough);
    differentiate_clip(&rough);
    estimate(&rough, &def);
    for (size_t i = 0; i < (size_t)FRAMES * FOOT_COUNT; i++)
        max = fmax(max, vec3_distance(rough.contact.foot_force[i], exact->contact.foot_force[i]));
    clip_free(&rough);
    return max;
}

/* Ensemble members are solved to 1e-4. */
TEST(tolerance_ends_the_search_near_the_exact_forces)
{
    Clip exact;
    walker_clip(&exact);
    differentiate_clip(&exact);
    estimate(&exact, NULL);
    assert_true(off_by(&exact, 1e-4) < 1e-3 * weight_of(&exact));
    assert_true(off_by(&exact, 0.1) > 1e-4 * weight_of(&exact)); /* the tolerance has an effect */
    clip_free(&exact);
}

TEST(body_without_mass_is_refused)
{
    Clip c;
    Error err;
    ContactEstimateDef def = contact_estimate_default_def();
    walker_clip(&c);
    differentiate_clip(&c);
    c.body.total_mass = 0;
    ClipView view = {&c.skeleton, &c.body, &c.motion, &c.kinematics};
    assert_int_equal(contact_estimate(&view, &def, &c.contact, &err),
                     STATUS_BAD_INPUT);
    clip_free(&c);
}

/* ---- Whole-body contact ---- */

enum { POSE_FRAMES = 100 };

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
    assert_int_equal(motion_init(&c->motion, POSE_FRAMES, WALKER_JOINTS, 0.01, 0, NULL), STATUS_OK);
    assert_int_equal(body_from_skeleton(&c->skeleton, &body, &c->body, NULL), STATUS_OK);
    for (int f = 0; f < POSE_FRAMES; f++) {
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
    int f = POSE_FRAMES / 2;
    for (int i = 0; i < contact->point_count; i++) {
        Role role = c->skeleton.role[contact->point_joint[i]];
        if (one == ROLE_NONE || role == one || role == other)
            sum += contact->force[(size_t)f * (size_t)contact->point_count + (size_t)i].y;
    }
    return sum / (c->body.total_mass * GRAVITY);
}

TEST(hands_support_a_handstand)
{
    static const PoseRow rows[] = {{"Hips", {1, 0, 0}, PI}, {"LeftArm", {0, 0, 1}, PI / 2},
                                   {"RightArm", {0, 0, 1}, -PI / 2}};
    Clip c;
    hold(&c, vec3(0.2, 1.1, 0), rows, 3);
    estimate(&c, NULL);
    assert_near(load_on(&c, ROLE_NONE, ROLE_NONE), 1, 0.02);
    assert_near(load_on(&c, ROLE_LEFT_WRIST, ROLE_RIGHT_WRIST), 1, 0.02);
    assert_near(load_on(&c, ROLE_LEFT_WRIST, ROLE_LEFT_WRIST), load_on(&c, ROLE_RIGHT_WRIST, ROLE_RIGHT_WRIST), 1e-9);
    clip_free(&c);
}

TEST(lying_body_rests_on_its_back)
{
    static const PoseRow rows[] = {{"Hips", {1, 0, 0}, -PI / 2}, {"LeftArm", {0, 0, 1}, -1.4},
                                   {"RightArm", {0, 0, 1}, 1.4}};
    Clip c;
    hold(&c, vec3(0, 0.1, 0), rows, 3);
    estimate(&c, NULL);
    assert_near(load_on(&c, ROLE_NONE, ROLE_NONE), 1, 0.02);
    double seat = load_on(&c, ROLE_LEFT_HIP, ROLE_RIGHT_HIP);
    double back = load_on(&c, ROLE_LEFT_SHOULDER, ROLE_RIGHT_SHOULDER);
    assert_true(seat + back + load_on(&c, ROLE_HEAD, ROLE_HEAD) > 0.5);
    assert_true(seat > 0.05 && back > 0.2);
    clip_free(&c);
}

TEST(knees_support_a_kneeling_body)
{
    static const PoseRow rows[] = {{"LeftUpLeg", {1, 0, 0}, -0.25}, {"RightUpLeg", {1, 0, 0}, -0.25},
                                   {"LeftLeg", {1, 0, 0}, PI / 2 + 0.25}, {"RightLeg", {1, 0, 0}, PI / 2 + 0.25},
                                   {"LeftFoot", {1, 0, 0}, 0.9},   {"RightFoot", {1, 0, 0}, 0.9},
                                   {"LeftArm", {0, 0, 1}, -1.3},   {"RightArm", {0, 0, 1}, 1.3}};
    Clip c;
    hold(&c, vec3(0, 0.507, 0), rows, 8);
    estimate(&c, NULL);
    assert_near(load_on(&c, ROLE_NONE, ROLE_NONE), 1, 0.02);
    assert_true(load_on(&c, ROLE_LEFT_KNEE, ROLE_RIGHT_KNEE) > 0.6);
    clip_free(&c);
}

TEST(hands_and_knees_share_the_load)
{
    static const PoseRow rows[] = {{"Hips", {1, 0, 0}, PI / 2},     {"LeftUpLeg", {1, 0, 0}, -PI / 2},
                                   {"RightUpLeg", {1, 0, 0}, -PI / 2}, {"LeftLeg", {1, 0, 0}, PI / 2},
                                   {"RightLeg", {1, 0, 0}, PI / 2}, {"LeftFoot", {1, 0, 0}, 0.9},
                                   {"RightFoot", {1, 0, 0}, 0.9},   {"LeftArm", {0, 1, 0}, -0.83},
                                   {"RightArm", {0, 1, 0}, 0.83}};
    Clip c;
    hold(&c, vec3(0, 0.47, 0), rows, 9);
    estimate(&c, NULL);
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

TEST(paws_support_a_quadruped)
{
    Clip c = {0};
    BodyDef body = body_default_def();
    body.model = BODY_CAPSULES;
    skeleton_from_rows(&c.skeleton, dog_rows, DOG_JOINTS);
    assert_int_equal(motion_init(&c.motion, POSE_FRAMES, DOG_JOINTS, 0.01, 0, NULL), STATUS_OK);
    assert_int_equal(body_from_skeleton(&c.skeleton, &body, &c.body, NULL), STATUS_OK);
    for (int f = 0; f < POSE_FRAMES; f++)
        c.motion.root_position[f] = vec3(1, 0.53, 2);
    for (int i = 0; i < POSE_FRAMES * DOG_JOINTS; i++)
        c.motion.rotation[i] = QUAT_IDENTITY;
    puppet_differentiate(&c);
    estimate(&c, NULL);
    double paws = 0, total = load_on(&c, ROLE_NONE, ROLE_NONE), weight = c.body.total_mass * GRAVITY;
    for (int i = 0; i < c.contact.point_count; i++) {
        const char *name = c.skeleton.name[c.contact.point_joint[i]];
        double load = c.contact.force[POSE_FRAMES / 2 * c.contact.point_count + i].y / weight;
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

TEST(cartwheel_is_supported_by_feet_hands_feet)
{
    Clip c;
    if (!real_clip(&c, "mocap/mass__mass_cart.bvh")) {
        print_message("skipped: no ../shared/mocap\n");
        skip();
    }
    puppet_differentiate(&c);
    estimate(&c, NULL);
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
