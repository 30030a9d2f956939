/* analysis/contact/contact_prior: what people have in common, and the pressure along a foot that rolls over. */
#include "tests/support/test.h"

#include <math.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/contact/contact_constants.h"
#include "analysis/contact/contact_estimate.h"
#include "analysis/contact/roll_over.h"
#include "tests/support/puppet.h"

/* Position of the centre of pressure along a foot as it rolls over. */

static double at(double com, double pitch, double run)
{
    return roll_over_position(&roll_over, (RollOverPose){.com = com, .pitch = pitch, .length = 0.2, .run = run});
}

/* From behind the ankle at landing to past the toe joint at push-off; a foot extends from -0.2 L to 0.25 L. */
TEST(pressure_moves_from_heel_to_toe)
{
    (void)state;
    assert_true(at(-0.45, -0.3, 0) < -0.12);
    assert_true(at(0.35, 0.7, 0) > 0.01 && at(0.35, 0.7, 0) < 0.15);
    assert_true(at(0.4, 0.8, 1) > at(-0.3, 0, 1) + 0.1);
    for (double com = -0.4; com < 0.15; com += 0.05)
        assert_true(at(com + 0.05, 0, 0) > at(com, 0, 0));
}

TEST(position_is_the_polynomial)
{
    RollOver table = {.walk = {1, 2, 3, 4, 5, 6, 7}, .run = {.at = 9}, .foot_length = 10};
    double x = 0.3, p = 0.2;
    double walk = 1 + 2 * x + 3 * x * x + 4 * x * x * x + 5 * p + 6 * p * p + 7 * p * x;
    (void)state;
    assert_near(roll_over_position(&table, (RollOverPose){x, p, 0.2, 0}), walk + 2, 1e-12);
    assert_near(roll_over_position(&table, (RollOverPose){x, p, 0.2, 1}), 11, 1e-12);
    assert_near(roll_over_position(&table, (RollOverPose){x, p, 0.2, 0.25}), 0.75 * walk + 0.25 * 9 + 2, 1e-12);
}

/* No pose moves the centre of pressure off the foot. */
TEST(poses_beyond_the_fit_are_clamped)
{
    (void)state;
    assert_near(at(2, 0, 0), at(0.5, 0, 0), 0);
    assert_near(at(0, 3, 1), at(0, 1, 1), 0);
    for (double com = -1; com <= 1; com += 0.1)
        for (double pitch = -1.5; pitch <= 1.5; pitch += 0.1)
            assert_true(fabs(at(com, pitch, 0)) < 0.6);
    assert_near(roll_over_position(&roll_over, (RollOverPose){0, 0, 0, 0}),
                roll_over_position(&roll_over, (RollOverPose){0, 0, 0.16, 0}), 0);
}

/* The load is transferred linearly from foot to foot, single support before and
 * after; two standing feet push against each other by a saturating function of step width, and their lines of force
 * pass near the ankles in the frontal plane. */

#define FPS 100.0
#define STRIDE 1.1  /* s */
#define STANCE 0.62 /* fraction of a stride */

enum { FRAMES = 400 };

static void estimate_with(Clip *c, const ContactConstants *constants)
{
    ContactEstimateDef def = contact_estimate_default_def();
    def.constants = constants;
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    assert_int_equal(contact_estimate(&view, &def, &c->contact, NULL), STATUS_OK);
    c->has_contact = 1;
}

static void estimate(Clip *c) { estimate_with(c, &contact_constants); }

/* Stands still, feet `width` m apart. */
static PuppetPose standing_path(double t, const void *context)
{
    double half = 0.5 * *(const double *)context;
    (void)t;
    return (PuppetPose){.pelvis = {0, PUPPET_STAND - 0.08, 0}, .sole = {{half, 0, 0}, {-half, 0, 0}}};
}

TEST(standing_feet_push_by_their_width)
{
    static const double widths[] = {0.2, 0.4};
    (void)state;
    for (int i = 0; i < 2; i++) {
        Clip c;
        puppet_clip(&c, FRAMES, FPS, standing_path, &widths[i]);
        puppet_differentiate(&c);
        estimate(&c);
        double weight = c.body.total_mass * GRAVITY, leg = PUPPET_THIGH + PUPPET_SHANK;
        const Vec3 *foot = c.contact.foot_force + FOOT_COUNT * (FRAMES / 2);
        assert_near((foot[FOOT_LEFT].y + foot[FOOT_RIGHT].y) / weight, 1, 0.01);
        assert_near((foot[FOOT_LEFT].x + foot[FOOT_RIGHT].x) / weight, 0, 1e-6);
        double width = widths[i] / leg; /* L */
        double push = contact_constants.stand_push * width / (contact_constants.stand_push_width + width);
        assert_near(-foot[FOOT_LEFT].x / weight, push, 0.1 * push);
        clip_free(&c);
    }
}

/* Mean distance of the lines of the forces from the ankles at their height, m: from side to side and forward. */
static void lines_off_ankles(const ContactConstants *constants, double *side, double *forward)
{
    double width = 0.5;
    Clip c;
    puppet_clip(&c, FRAMES, FPS, standing_path, &width);
    puppet_differentiate(&c);
    estimate_with(&c, constants);
    static const Role ankle[FOOT_COUNT] = {ROLE_LEFT_ANKLE, ROLE_RIGHT_ANKLE};
    *side = *forward = 0;
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        int joint = skeleton_find_role(&c.skeleton, ankle[foot]);
        Vec3 at = c.kinematics.position[(size_t)(FRAMES / 2 * c.kinematics.joint_count + joint)];
        Vec3 force = c.contact.foot_force[FOOT_COUNT * (FRAMES / 2) + foot];
        Vec3 off = vec3_sub(c.contact.foot_cop[FOOT_COUNT * (FRAMES / 2) + foot], at);
        off = vec3_mad(off, -off.y / force.y, force);
        *side += fabs(off.x) / FOOT_COUNT;
        *forward += off.z / FOOT_COUNT;
    }
    clip_free(&c);
}

TEST(forces_on_standing_feet_pass_near_the_ankles)
{
    ContactConstants even = contact_constants;
    double side, forward, side_even, forward_even;
    (void)state;
    even.stand_ankle_side_effort = even.stand_ankle_effort;
    lines_off_ankles(&contact_constants, &side, &forward);
    lines_off_ankles(&even, &side_even, &forward_even);
    print_message("%.4f m aside, %.4f m ahead; with one weight %.4f, %.4f\n", side, forward, side_even, forward_even);
    assert_true(side < 0.005 && side < 0.6 * side_even);
    assert_near(forward, forward_even, 0.005);
}

/* Walks along z at 1.2 m/s. */
static PuppetPose walk_path(double t, const void *context)
{
    double length = 1.2 * STRIDE;
    PuppetPose pose = {.pelvis = {0, PUPPET_STAND - 0.03, 1.2 * t}};
    (void)context;
    for (int side = 0; side < 2; side++) {
        double cycle = t / STRIDE + 0.5 * side, number = floor(cycle), phase = cycle - number;
        double swing = phase < STANCE ? 0 : (phase - STANCE) / (1 - STANCE);
        double lift = 0.1 * 16 * swing * swing * (1 - swing) * (1 - swing);
        double z = length * (number - 0.5 * side + 0.5 * STANCE + puppet_ease(swing));
        pose.sole[side] = vec3(side ? -0.09 : 0.09, lift, z);
    }
    return pose;
}

TEST(load_transfers_linearly)
{
    Clip c;
    int both = 0, alone = 0;
    (void)state;
    puppet_clip(&c, FRAMES, FPS, walk_path, NULL);
    puppet_differentiate(&c);
    estimate(&c);
    double before = NAN;
    for (int f = 60; f < FRAMES - 60; f++) {
        double left = c.contact.foot_force[2 * f].y, right = c.contact.foot_force[2 * f + 1].y;
        double share = left / (left + right);
        int passes = left > 0 && right > 0;
        both += passes;
        alone += !passes;
        if (passes && !isnan(before))
            assert_true(fabs(share - before) < 0.2 && fabs(share - before) > 0.01); /* linear over some 0.14 s */
        before = passes ? share : NAN;
    }
    assert_true(both > 0.1 * (both + alone) && both < 0.4 * (both + alone));
    clip_free(&c);
}

/* Mean forward and outward force of both feet in double support, body weights. */
static void shared_forces(const ContactConstants *constants, double *forward, double *outward)
{
    Clip c;
    int both = 0;
    puppet_clip(&c, FRAMES, FPS, walk_path, NULL);
    puppet_differentiate(&c);
    estimate_with(&c, constants);
    double weight = c.body.total_mass * GRAVITY;
    *forward = *outward = 0;
    for (int f = 60; f < FRAMES - 60; f++) {
        const Vec3 *foot = c.contact.foot_force + FOOT_COUNT * f;
        if (!(foot[FOOT_LEFT].y > 0 && foot[FOOT_RIGHT].y > 0))
            continue;
        both++;
        *forward += (foot[FOOT_LEFT].z + foot[FOOT_RIGHT].z) / weight;
        *outward += (foot[FOOT_LEFT].x - foot[FOOT_RIGHT].x) / weight;
    }
    assert_true(both > 10);
    *forward /= both;
    *outward /= both;
    clip_free(&c);
}

TEST(shared_load_leans_forward_and_outward)
{
    ContactConstants none = contact_constants;
    double forward, outward, forward_without, outward_without;
    (void)state;
    none.shared_lean = none.shared_side_lean = 0;
    shared_forces(&contact_constants, &forward, &outward);
    shared_forces(&none, &forward_without, &outward_without);
    assert_true(forward > forward_without + 0.005);
    assert_true(outward > outward_without + 0.005);
}
