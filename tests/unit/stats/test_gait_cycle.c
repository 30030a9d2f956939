/* analysis/stats/gait_cycle, contact_phases and joint_curves: a walk with known steps and torques. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/stats/contact_phases.h"
#include "analysis/stats/gait_cycle.h"
#include "analysis/stats/joint_curves.h"
#include "tests/support/hinge_clip.h"
#include "tests/support/sample_clip.h"

enum { FRAMES = 560, PERIOD = 100, STANCE = 60 }; /* frames; the hinge oscillates with the same period, 1 s */

/* The knee's segment counts as the left foot: in contact for STANCE of PERIOD frames, first from frame 40 on. */
static Clip walk(void)
{
    Clip c = hinge_clip(FRAMES, 30);
    assert_int_equal(contact_init(&c.contact, FRAMES, 1, 0, NULL), STATUS_OK);
    c.has_contact = 1;
    c.contact.point_joint[0] = 1;
    c.skeleton.segment[1] = ROLE_LEFT_TOE;
    for (int f = 0; f < FRAMES; f++) {
        c.contact.state[f] = f >= 40 && (f - 40) % PERIOD < STANCE;
        c.contact.force[f] = vec3(0, 700 * c.contact.state[f], 0);
    }
    return c;
}

TEST(periodic_signal_equals_its_mean_cycle)
{
    Clip c = walk();
    GaitCycles g;
    double value[FRAMES], mean[GAIT_POINTS], deviation[GAIT_POINTS];
    (void)state;
    assert_int_equal(gait_cycles_init(&g, &c, FOOT_LEFT, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_int_equal(g.count, 5); /* strikes at 40, 140 ... 540 */
    assert_int_equal(g.left_out, 0);
    assert_near(g.stance, (double)STANCE / PERIOD, 1e-12);
    assert_near(g.duration, 1, 1e-12);
    assert_int_equal(joint_quantity(&c, 1, QUANTITY_TORQUE, COMPONENT_Z, value, NULL), STATUS_OK);
    gait_cycles_profile(&g, c.motion.time, value, mean, deviation);
    for (int p = 0; p < GAIT_POINTS; p++) {
        assert_near(mean[p], 30 * elementary_sin(2 * PI * (0.4 + p / 100.0)), 1e-12);
        assert_near(deviation[p], 0, 1e-12);
    }
    gait_cycles_free(&g);
    clip_free(&c);
}

/* A ramp over the frames: cycle k is k periods above the first, so mean and deviation are those of 0, 1 ... 4. */
TEST(mean_and_deviation_are_over_cycles)
{
    Clip c = walk();
    GaitCycles g;
    double ramp[FRAMES], mean[GAIT_POINTS], deviation[GAIT_POINTS];
    (void)state;
    for (int f = 0; f < FRAMES; f++)
        ramp[f] = (double)f / PERIOD;
    assert_int_equal(gait_cycles_init(&g, &c, FOOT_LEFT, FRAMES_TRUSTED, NULL), STATUS_OK);
    gait_cycles_profile(&g, c.motion.time, ramp, mean, deviation);
    for (int p = 0; p < GAIT_POINTS; p++) {
        assert_near(mean[p], 0.4 + 2 + p / 100.0, 1e-12);
        assert_near(deviation[p], sqrt(2.5), 1e-12);
    }
    gait_cycles_free(&g);
    clip_free(&c);
}

TEST(uncertain_frames_stay_in_a_cycle)
{
    static const struct {
        uint32_t reason;
        int count, left_out;
    } cases[] = {{TRUST_UNCERTAIN, 5, 0}, {TRUST_UNCERTAIN | TRUST_FLICKER, 4, 1}, {TRUST_FLICKER, 4, 1}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        Clip c = walk();
        GaitCycles g;
        c.has_trust = trust_init(&c.trust, FRAMES, c.skeleton.joint_count, 0, NULL) == STATUS_OK;
        c.trust.reason[170] = cases[i].reason;
        trust_settle(&c.trust);
        assert_int_equal(c.trust.trusted[170], 0);
        assert_int_equal(gait_cycles_init(&g, &c, FOOT_LEFT, FRAMES_TRUSTED, NULL), STATUS_OK);
        assert_int_equal(g.count, cases[i].count);
        assert_int_equal(g.left_out, cases[i].left_out);
        gait_cycles_free(&g);
        clip_free(&c);
    }
}

TEST(one_cycle_has_no_deviation)
{
    Clip c = walk();
    GaitCycles g;
    double ramp[FRAMES], mean[GAIT_POINTS], deviation[GAIT_POINTS];
    (void)state;
    for (int f = 0; f < FRAMES; f++) {
        ramp[f] = (double)f / PERIOD;
        c.contact.state[f] = f < 250 ? c.contact.state[f] : 0;
    }
    c.contact.state[240] = c.contact.state[241] = 1;
    for (int f = 0; f < 140; f++)
        c.contact.state[f] = 0;
    assert_int_equal(gait_cycles_init(&g, &c, FOOT_LEFT, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_int_equal(g.count, 1);
    gait_cycles_profile(&g, c.motion.time, ramp, mean, deviation);
    for (int p = 0; p < GAIT_POINTS; p++) {
        assert_near(mean[p], 1.4 + p / 100.0, 1e-12);
        assert_true(isnan(deviation[p]));
    }
    gait_cycles_free(&g);
    clip_free(&c);
}

/* Cycles of different lengths, with strikes between frames: a line remains a line in normalised time. */
TEST(time_is_normalised_by_each_cycle)
{
    Clip c = walk();
    GaitCycles g;
    double phase[FRAMES], mean[GAIT_POINTS], deviation[GAIT_POINTS];
    const int strike[] = {40, 113, 200, 291};
    (void)state;
    for (int f = 0; f < FRAMES; f++) {
        int k = f < 113 ? 0 : f < 200 ? 1 : 2;
        c.contact.state[f] = f >= 40 && f < 291 + 9 && f - strike[f < 113 ? 0 : f < 200 ? 1 : f < 291 ? 2 : 3] < 30;
        phase[f] = f == 291 ? 0 : (double)(f - strike[k]) / (strike[k + 1] - strike[k]);
    }
    assert_int_equal(gait_cycles_init(&g, &c, FOOT_LEFT, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_int_equal(g.count, 3);
    gait_cycles_profile(&g, c.motion.time, phase, mean, deviation);
    for (int p = 0; p <= 98; p++) { /* the last step returns to 0 */
        assert_near(mean[p], p / 100.0, 1e-12);
        assert_near(deviation[p], 0, 1e-12);
    }
    gait_cycles_free(&g);
    clip_free(&c);
}

TEST(pauses_gaps_and_edges_make_no_cycles)
{
    Clip c = walk();
    GaitCycles g;
    ContactPhases phases;
    (void)state;
    for (int f = 0; f < 40; f++)
        c.contact.state[f] = 1;           /* in contact from the start: the first strike is that of frame 140 */
    c.contact.state[160] = 0;             /* one frame of flicker is not a swing */
    c.kinematics.valid[250] = 0;          /* 240 to 340 is dropped */
    for (int f = 400; f < FRAMES; f++)
        c.contact.state[f] = f >= 555;    /* 340 to 555: twice as long as 140 to 240 */
    assert_int_equal(contact_phases_init(&phases, &c, FOOT_LEFT, GAIT_FLICKER, NULL), STATUS_OK);
    assert_int_equal(phases.count, 5);
    assert_int_equal(phases.span[1].last, 199);
    contact_phases_free(&phases);
    assert_int_equal(gait_cycles_init(&g, &c, FOOT_LEFT, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_int_equal(g.count, 1);
    assert_int_equal(g.left_out, 2);
    assert_int_equal(g.cycle[0].begin, 140);
    assert_int_equal(g.cycle[0].lift, 200);
    assert_int_equal(g.cycle[0].end, 240);
    gait_cycles_free(&g);
    clip_free(&c);
}

/* Contact noise (a foot that lifts briefly, a toe that brushes the ground) does not change the cycles. */
TEST(contact_flicker_does_not_split_a_cycle)
{
    Clip c = walk();
    GaitCycles g;
    (void)state;
    for (int f = 165; f < 177; f++)
        c.contact.state[f] = 0; /* 0.12 s, in the stance from 140 on */
    for (int f = 325; f < 328; f++)
        c.contact.state[f] = 1; /* 0.03 s, in the swing until 340 */
    assert_int_equal(gait_cycles_init(&g, &c, FOOT_LEFT, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_int_equal(g.count, 5);
    assert_int_equal(g.left_out, 0);
    for (int i = 0; i < g.count; i++) {
        assert_int_equal(g.cycle[i].begin, 40 + PERIOD * i);
        assert_int_equal(g.cycle[i].lift, 40 + PERIOD * i + STANCE);
    }
    gait_cycles_free(&g);
    clip_free(&c);
}

TEST(clip_without_cycles_is_an_error)
{
    Clip c = walk();
    GaitCycles g;
    Error err;
    (void)state;
    assert_int_equal(gait_cycles_init(&g, &c, FOOT_RIGHT, FRAMES_TRUSTED, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "right foot"));
    assert_null(g.cycle);
    contact_free(&c.contact);
    c.has_contact = 0;
    assert_int_equal(gait_cycles_init(&g, &c, FOOT_LEFT, FRAMES_TRUSTED, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "no contact points"));
    clip_free(&c);
}

TEST(joint_quantities_are_clip_arrays)
{
    Clip c = walk();
    double value[FRAMES];
    (void)state;
    assert_int_equal(joint_quantity(&c, 1, QUANTITY_TORQUE, COMPONENT_NORM, value, NULL), STATUS_OK);
    assert_near(value[75], 30, 1e-12);
    assert_int_equal(joint_quantity(&c, 1, QUANTITY_POWER, COMPONENT_NORM, value, NULL), STATUS_OK);
    assert_near(value[75], -100, 1e-12);
    assert_int_equal(joint_quantity(&c, 0, QUANTITY_ANGULAR_VELOCITY, COMPONENT_Z, value, NULL), STATUS_OK);
    assert_near(value[75], 1, 0);
    assert_int_equal(joint_quantity(&c, 1, QUANTITY_CONTACT_FORCE, COMPONENT_Y, value, NULL), STATUS_OK);
    assert_near(value[75], 700, 0);
    c.has_contact = c.has_dynamics = c.has_kinematics = 0;
    for (JointQuantity q = QUANTITY_TORQUE; q <= QUANTITY_CONTACT_FORCE; q++)
        assert_int_equal(joint_quantity(&c, 1, q, COMPONENT_X, value, NULL), STATUS_BAD_INPUT);
    c.has_contact = c.has_dynamics = c.has_kinematics = 1;
    clip_free(&c);
}

/* The sample has the coordinates of the spine and of the left knee. */
TEST(coordinate_quantities_are_arrays_of_angles)
{
    Clip c;
    double value[5];
    assert_int_equal(sample_clip(&c, 5, 3, 1), 0);
    const JointAngles *a = &c.angles;
    assert_int_equal(coordinate_quantity(&c, COORDINATE_LEFT_KNEE_ADDUCTION, QUANTITY_ANGLE, value, NULL), STATUS_OK);
    assert_near(value[2], a->angle[joint_angles_index(a, 2, 4)] * 180 / PI, 1e-12);
    assert_int_equal(coordinate_quantity(&c, COORDINATE_LEFT_KNEE_ADDUCTION, QUANTITY_MOMENT, value, NULL), STATUS_OK);
    assert_near(value[4], a->moment[joint_angles_index(a, 4, 4)], 0);
    assert_int_equal(coordinate_quantity(&c, COORDINATE_SPINE_ROTATION, QUANTITY_USE, value, NULL), STATUS_OK);
    assert_true(isnan(value[0]) && value[1] == a->utilization[joint_angles_index(a, 1, 2)]);
    assert_int_equal(coordinate_quantity(&c, COORDINATE_RIGHT_KNEE_FLEXION, QUANTITY_USE, value, NULL),
                     STATUS_BAD_INPUT);
    double *use = c.angles.utilization;
    c.angles.utilization = NULL;
    assert_int_equal(coordinate_quantity(&c, COORDINATE_SPINE_ROTATION, QUANTITY_USE, value, NULL), STATUS_BAD_INPUT);
    c.angles.utilization = use;
    c.has_angles = 0;
    assert_int_equal(coordinate_quantity(&c, COORDINATE_SPINE_ROTATION, QUANTITY_ANGLE, value, NULL), STATUS_BAD_INPUT);
    c.has_angles = 1;
    clip_free(&c);
}
