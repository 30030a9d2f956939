/* analysis/contact/ground: height and tilt of the ground for takes that float, are sunken or noisy, climb a ramp,
 * drift, stand on a box or walk on a treadmill. */
#include "tests/support/test.h"

#include <stdlib.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/contact/contact_constants.h"
#include "analysis/contact/contact_estimate.h"
#include "analysis/contact/contact_points.h"
#include "analysis/contact/ground.h"
#include "tests/support/puppet.h"

#define FPS 100.0
#define STRIDE 1.1 /* s */
#define STANCE 0.62 /* fraction of a stride */
#define DEGREE (PI / 180)

enum { FRAMES = 500 };

typedef struct Walk {
    double floor;  /* m */
    double slope;  /* rise over run along +z */
    double speed;  /* m/s */
    double drift;  /* m/s, upward drift of the whole take */
    int stairs;    /* 1: level soles on the slope */
    double belt;   /* m/s, of the ground along -z: the pelvis is stationary if speed = belt */
} Walk;

/* Feet rest for STANCE of each stride, then swing to the next position. */
static PuppetPose walk_path(double t, const void *context)
{
    const Walk *w = context;
    double length = w->speed * STRIDE, shift = -w->belt * t;
    PuppetPose pose = {.pelvis = {0, 0, w->speed * t}};
    for (int side = 0; side < 2; side++) {
        double cycle = t / STRIDE + 0.5 * side, number = floor(cycle), phase = cycle - number;
        double swing = phase < STANCE ? 0 : (phase - STANCE) / (1 - STANCE);
        double z = length * (number - 0.5 * side + 0.5 * STANCE + puppet_ease(swing));
        double lift = 0.1 * 16 * swing * swing * (1 - swing) * (1 - swing);
        pose.sole[side] = vec3(side ? -0.09 : 0.09, w->floor + w->slope * z + lift + w->drift * t, z + shift);
        pose.pitch[side] = w->stairs ? 0 : -elementary_atan2(w->slope, 1);
    }
    pose.pelvis.y = w->floor + w->slope * pose.pelvis.z + PUPPET_STAND - 0.03 + w->drift * t;
    pose.pelvis.z += shift;
    return pose;
}

static Contact contact_of(Clip *c, const GroundDef *ground)
{
    ContactEstimateDef def = contact_estimate_default_def();
    Error err;
    if (ground)
        def.ground = *ground;
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    Status status = contact_estimate(&view, &def, &c->contact, &err);
    if (status)
        fail_msg("%s", err.text);
    c->has_contact = 1;
    return c->contact;
}

static double vertical(const Contact *c, int frame)
{
    double sum = 0;
    for (int i = 0; i < c->point_count; i++)
        sum += c->force[(size_t)frame * (size_t)c->point_count + (size_t)i].y;
    return sum;
}

/* Mean vertical force over whole strides, in body weights. */
static double mean_load(const Clip *c)
{
    int first = 60, frames = (int)(3 * STRIDE * FPS);
    double sum = 0;
    for (int f = first; f < first + frames; f++)
        sum += vertical(&c->contact, f);
    return sum / frames / (c->body.total_mass * GRAVITY);
}

static void walk(Clip *c, Walk w, int noisy)
{
    puppet_clip(c, FRAMES, FPS, walk_path, &w);
    if (noisy)
        puppet_shake(c, 0.002, 0.5 * DEGREE);
    puppet_differentiate(c);
}

TEST(floating_and_sunken_takes_have_their_own_floor)
{
    static const double floors[] = {0, 0.7, -0.4};
    for (int i = 0; i < 3; i++)
        for (int noisy = 0; noisy < 2; noisy++) {
            Clip c;
            walk(&c, (Walk){.floor = floors[i], .speed = 1.2}, noisy);
            Contact contact = contact_of(&c, NULL);
            assert_near(contact.ground_height, floors[i], 0.01);
            assert_near(contact.ground_normal.y, 1, 1e-4);
            assert_near(mean_load(&c), 1, 0.02);
            clip_free(&c);
        }
}

TEST(ramp_is_found_within_half_a_degree)
{
    for (int noisy = 0; noisy < 2; noisy++) {
        Clip c;
        walk(&c, (Walk){.slope = elementary_tan(5 * DEGREE), .speed = 1.2}, noisy);
        Vec3 n = contact_of(&c, NULL).ground_normal;
        Vec3 expected = vec3(0, elementary_cos(5 * DEGREE), -elementary_sin(5 * DEGREE));
        assert_true(vec3_norm(vec3_cross(n, expected)) < elementary_sin(0.5 * DEGREE));
        assert_near(c.contact.ground_height, 0, 0.02);
        assert_near(mean_load(&c), 1, 0.02);
        clip_free(&c);
    }
}

TEST(stairs_are_not_a_ramp)
{
    static const double slopes[] = {0.28, -0.28}; /* 12 cm per step, up and down */
    for (int i = 0; i < 2; i++) {
        Clip c;
        walk(&c, (Walk){.slope = slopes[i], .speed = 0.8, .stairs = 1}, 0);
        assert_near(contact_of(&c, NULL).ground_normal.y, 1, 0);
        assert_near(mean_load(&c), 1, 0.03);
        clip_free(&c);
    }
}

TEST(drifting_take_keeps_its_feet_on_the_ground)
{
    static const double drifts[] = {0.03, 0.3}; /* 0.15 and 1.5 m over the clip */
    for (int i = 0; i < 2; i++) {
        Clip c;
        walk(&c, (Walk){.speed = 1.2, .drift = drifts[i]}, 0);
        contact_of(&c, NULL);
        assert_near(mean_load(&c), 1, 0.03);
        clip_free(&c);
    }
}

TEST(treadmill_belt_has_its_speed)
{
    Clip c;
    ContactPoints points;
    Ground g;
    GroundDef def = ground_default_def();
    walk(&c, (Walk){.speed = 1.3, .belt = 1.3}, 0);
    assert_int_equal(contact_points_init(&contact_constants, &c.skeleton, &c.body, &c.kinematics, &points, NULL),
                     STATUS_OK);
    assert_int_equal(ground_estimate(&points, &c.kinematics, 1 / FPS, &def, &g, NULL), STATUS_OK);
    assert_vec3_near(g.belt, vec3(0, 0, -1.3), 0.03);
    ground_free(&g);
    contact_of(&c, NULL);
    assert_near(mean_load(&c), 1, 0.02);
    clip_free(&c);
    /* overground walking has no belt */
    walk(&c, (Walk){.speed = 1.3}, 0);
    assert_int_equal(ground_estimate(&points, &c.kinematics, 1 / FPS, &def, &g, NULL), STATUS_OK);
    assert_near(vec3_norm(g.belt), 0, 0);
    ground_free(&g);
    contact_points_free(&points);
    clip_free(&c);
}

/* Feet 5 cm below a given ground, as in a shifted take: the forces act on the given ground. */
TEST(given_height_is_used)
{
    Clip c;
    GroundDef given = {.has_height = 1, .height = 0.75};
    walk(&c, (Walk){.floor = 0.7, .speed = 1.2}, 0);
    assert_near(contact_of(&c, &given).ground_height, 0.75, 1e-12);
    assert_near(mean_load(&c), 1, 0.02);
    for (int f = 0; f < FRAMES; f++)
        for (int foot = 0; foot < FOOT_COUNT; foot++)
            if (c.contact.foot_force[f * FOOT_COUNT + foot].y > 0)
                assert_near(c.contact.foot_cop[f * FOOT_COUNT + foot].y, 0.75, 1e-9);
    clip_free(&c);
}

/* 300 of 500 frames are bridged, with the body 3 cm lower: without them the floor estimate is unchanged. */
TEST(bridged_frames_do_not_affect_the_ground)
{
    uint8_t bridged[FRAMES] = {0};
    double height[3];
    for (int i = 0; i < 3; i++) {
        Clip c;
        GroundDef def = {.bridged = i == 2 ? bridged : NULL};
        walk(&c, (Walk){.speed = 1.2}, 0);
        for (int f = 100; i > 0 && f < 400; f++) {
            bridged[f] = 1;
            for (int j = 0; j < c.kinematics.joint_count; j++)
                c.kinematics.position[(size_t)f * (size_t)c.kinematics.joint_count + (size_t)j].y -= 0.03;
        }
        height[i] = contact_of(&c, &def).ground_height;
        clip_free(&c);
    }
    assert_true(height[1] < height[0] - 0.01);
    assert_near(height[2], height[0], 0.002);
}

/* Shifts the weight to the right, lifts the left foot by 0.2 m and holds it; then leans back by `lean` m. */
static PuppetPose lifted_path(double t, const void *context)
{
    const double *lean = context;
    double s = puppet_ease(t - 1), side = *lean * s - 0.09 * puppet_ease((t - 0.2) / 0.6);
    return (PuppetPose){.pelvis = {side, PUPPET_STAND - 0.06 + 0.02 * s, *lean * s},
                        .sole = {{0.09, 0.2 * s, 0.2 * s}, {-0.09, 0, 0}}};
}

/* Both feet rest, the left one 0.2 m above the floor. The centre of mass decides whether that foot rests on an object
 * or is held up by the leg. */
TEST(raised_foot_supports_load_outside_other_foot)
{
    static const double leans[] = {0, 0.09};
    for (int i = 0; i < 2; i++) {
        Clip c;
        puppet_clip(&c, FRAMES, FPS, lifted_path, &leans[i]);
        puppet_differentiate(&c);
        Contact contact = contact_of(&c, NULL);
        double weight = c.body.total_mass * GRAVITY;
        assert_near(contact.ground_height, 0, 0.01);
        for (int f = 300; f < 450; f++) {
            double left = contact.foot_force[2 * f].y / weight, right = contact.foot_force[2 * f + 1].y / weight;
            assert_near(left + right, 1, 0.02);
            if (leans[i] > 0)
                assert_true(left > 0.25 && right > 0.25);
            else
                assert_near(left, 0, 0);
        }
        clip_free(&c);
    }
}
