/* control: gains of PID, of single joints and after a hit; inverse dynamics torques with PD feedback. */
#include "tests/support/test.h"

#include "analysis/control/playback.h"
#include "analysis/control/playback_search.h"
#include "analysis/control/two_links.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "tests/support/control_case.h"

#define DEGREE (PI / 180)
enum { LINKS = 2, STEPS = 601 };

/* The two links for 6 s; optionally a ball of 1 kg hits link B at 3 s. */
static Tracking run_links(TwoLinksScene scene, const ControllerDef *controller, int with_ball)
{
    Clip clip;
    Playback playback;
    Tracking tracking;
    PlaybackDef def = playback_default_def();
    def.hinges = 1;
    if (with_ball)
        def.ball = (BallDrop){.mass = 1, .radius = 0.05, .height = 1, .time = -1, .joint = 1};
    assert_int_equal(two_links_clip(scene, 6, def.dt, &clip, NULL), STATUS_OK);
    ClipView view = {&clip.skeleton, &clip.body, &clip.motion, &clip.kinematics};
    assert_int_equal(playback_init(&playback, &view, &def, NULL), STATUS_OK);
    assert_int_equal(playback_tracking(&playback, &tracking, NULL), STATUS_OK);
    assert_int_equal(playback_run(&playback, controller, &tracking, NULL), STATUS_OK);
    playback_free(&playback);
    clip_free(&clip);
    return tracking;
}

static double error_at(const Tracking *t, ControllerKind kind, int frame, int link)
{
    return t->run[kind].orientation_error[(size_t)frame * LINKS + (size_t)link];
}

static double final_error(const ControllerDef *def)
{
    Tracking t = run_links(TWO_LINKS_STEADY, def, 0);
    double error = t.run[def->kind].final_error;
    tracking_free(&t);
    return error;
}

/* Gravity is a constant load: PD has a steady-state error at which kp times the error supports it, PID has none. */
TEST(integral_gain_removes_the_steady_error)
{
    static const ControllerKind kinds[] = {CONTROLLER_STABLE_PD, CONTROLLER_PD_FEEDFORWARD};
    for (int i = 0; i < 2; i++) {
        ControllerDef def = controller_default_def();
        def.kind = kinds[i];
        def.gains.stiffness = 200;
        assert_true(final_error(&def) > 2 * DEGREE);
        def.gains.integral = 400;
        assert_true(final_error(&def) < 1e-4 * DEGREE);
        def.gains.integral_max = 0.01; /* integral limit too small to support the weight */
        assert_true(final_error(&def) > 1 * DEGREE);
    }
}

/* ki times error times dt after the first step, in parent axes; twice that after the second. */
TEST(integral_error_accumulates_per_step)
{
    ControlCase c;
    Controller with, without;
    Vec3 a[CASE_JOINTS], b[CASE_JOINTS];
    control_case_init(&c, 31);
    ControllerDef def = {.kind = CONTROLLER_PD, .gains = {.stiffness = 50, .scale = GAINS_PLAIN, .integral_max = 9}};
    assert_int_equal(controller_init(&without, CASE_JOINTS, &def, NULL), STATUS_OK);
    def.gains.integral = 7;
    assert_int_equal(controller_init(&with, CASE_JOINTS, &def, NULL), STATUS_OK);
    for (int step = 1; step <= 2; step++) {
        assert_int_equal(controller_torques(&without, &c.plant, &c.desired, &c.desired, a, NULL), STATUS_OK);
        assert_int_equal(controller_torques(&with, &c.plant, &c.desired, &c.desired, b, NULL), STATUS_OK);
        for (int j = 0; j < CASE_JOINTS; j++) {
            JointError e = joint_error_find(&c.plant, &c.desired, j, 0);
            assert_vec3_near(vec3_sub(b[j], a[j]), vec3_scale(e.rotation, 7 * step * c.plant.dt), 1e-12);
        }
    }
    controller_free(&with);
    controller_free(&without);
    control_case_free(&c);
}

/* Gains and the torque limit of one joint affect only that joint. */
TEST(joint_gains_affect_their_joint_only)
{
    ControlCase c;
    Controller all, own;
    Vec3 a[CASE_JOINTS], b[CASE_JOINTS];
    JointGains gains[CASE_JOINTS];
    for (int j = 0; j < CASE_JOINTS; j++)
        gains[j] = (JointGains){NAN, NAN, NAN, NAN};
    control_case_init(&c, 32);
    ControllerDef def = {.kind = CONTROLLER_PD, .gains = {.stiffness = 50, .damping = 4, .scale = GAINS_PLAIN}};
    assert_int_equal(controller_init(&all, CASE_JOINTS, &def, NULL), STATUS_OK);
    gains[4] = (JointGains){80, NAN, NAN, NAN};
    gains[6].torque_max = 0.5;
    def.gains.joint = gains;
    assert_int_equal(controller_init(&own, CASE_JOINTS, &def, NULL), STATUS_OK);
    assert_int_equal(controller_torques(&all, &c.plant, &c.desired, &c.desired, a, NULL), STATUS_OK);
    assert_int_equal(controller_torques(&own, &c.plant, &c.desired, &c.desired, b, NULL), STATUS_OK);
    for (int j = 0; j < CASE_JOINTS; j++) {
        JointError e = joint_error_find(&c.plant, &c.desired, j, 0);
        Vec3 expected = j == 4 ? vec3_mad(a[j], 30, e.rotation) : a[j];
        if (j == 6)
            expected = vec3_scale(a[j], 0.5 / vec3_norm(a[j]));
        assert_vec3_near(b[j], expected, 1e-12 * (1 + vec3_norm(expected)));
    }
    assert_true(vec3_norm(a[6]) > 0.6);
    controller_free(&all);
    controller_free(&own);
    control_case_free(&c);
}

/* If body and reference agree, only inverse dynamics torques remain; otherwise inverse dynamics reduces the PD error to
 * a tenth. */
TEST(reference_torques_reduce_the_pd_torque)
{
    double error[2];
    static const ControllerKind kinds[2] = {CONTROLLER_STABLE_PD, CONTROLLER_PD_INVERSE};
    for (int i = 0; i < 2; i++) {
        ControllerDef def = controller_default_def();
        def.kind = kinds[i];
        Tracking t = run_links(TWO_LINKS_MOVING, &def, 0);
        error[i] = t.run[kinds[i]].mean_error;
        tracking_free(&t);
    }
    assert_true(error[1] < 0.1 * error[0]);

    ControlCase c;
    Controller controller;
    Vec3 torque[CASE_JOINTS];
    Dynamics dynamics = {0};
    InverseDynamicsDef inverse = inverse_dynamics_default_def();
    control_case_init(&c, 33);
    Kinematics *k = &c.plant.kinematics;
    Vec3 alpha[CASE_JOINTS];
    for (int j = 0; j < CASE_JOINTS; j++)
        alpha[j] = k->angular_acceleration[j] = vec3(0, 0, 0);
    k->acceleration[0] = vec3(1, 2, 3);
    Desired same = {k->orientation, k->angular_velocity, alpha, k->acceleration[0], k->position[0], k->velocity[0]};
    ControllerDef def = controller_default_def();
    def.kind = CONTROLLER_PD_INVERSE;
    def.gains.stiffness = 1e-9; /* the PD torque vanishes */
    def.gains.damping = 1e-9;
    assert_int_equal(controller_init(&controller, CASE_JOINTS, &def, NULL), STATUS_OK);
    assert_int_equal(controller_torques(&controller, &c.plant, &same, &same, torque, NULL), STATUS_OK);
    ClipView view = plant_view(&c.plant);
    assert_int_equal(inverse_dynamics(&view, &c.plant.loads, &inverse, &dynamics, NULL), STATUS_OK);
    for (int j = 0; j < CASE_JOINTS; j++)
        assert_vec3_near(torque[j], dynamics.torque[j], 1e-6 * (1 + vec3_norm(torque[j])));
    dynamics_free(&dynamics);
    controller_free(&controller);
    control_case_free(&c);
}

static double worst(const Tracking *t, ControllerKind kind, int from, int to)
{
    double max = 0;
    for (int f = from; f < to; f++)
        max = fmax(max, error_at(t, kind, f, 1));
    return max;
}

/* All runs agree until the hit; lower gains yield more, higher ones less, and both return to the pose. */
TEST(gains_change_when_the_ball_hits)
{
    double yields[3], before[3], end[3];
    static const double factor[3] = {0.2, 0, 4};
    for (int i = 0; i < 3; i++) {
        ControllerDef def = controller_default_def();
        def.kind = CONTROLLER_KANE;
        def.hit_stiffness = factor[i];
        Tracking t = run_links(TWO_LINKS_STEADY, &def, 1);
        before[i] = worst(&t, def.kind, 0, 290);
        yields[i] = worst(&t, def.kind, 290, 400);
        end[i] = worst(&t, def.kind, STEPS - 10, STEPS);
        tracking_free(&t);
    }
    assert_near(before[0], before[1], 0);
    assert_near(before[2], before[1], 0);
    assert_true(yields[0] > 1.5 * yields[1]);
    assert_true(yields[2] < 0.7 * yields[1]);
    assert_true(end[0] < 0.2 * DEGREE && end[2] < 0.2 * DEGREE);
}

static Playback walking_links(Clip *clip)
{
    Playback playback;
    PlaybackDef def = playback_default_def();
    def.hinges = 1;
    assert_int_equal(two_links_clip(TWO_LINKS_MOVING, 2, def.dt, clip, NULL), STATUS_OK);
    ClipView view = {&clip->skeleton, &clip->body, &clip->motion, &clip->kinematics};
    assert_int_equal(playback_init(&playback, &view, &def, NULL), STATUS_OK);
    return playback;
}

/* The search finds better gains than the default and all of a grid, reproducibly. */
TEST(search_finds_better_gains)
{
    Clip clip;
    Playback p = walking_links(&clip);
    Tracking t;
    ControllerDef def = controller_default_def();
    GainSearch found, again;
    def.kind = CONTROLLER_STABLE_PD;
    assert_int_equal(playback_search_gains(&p, &def, &found, NULL), STATUS_OK);
    assert_int_equal(playback_search_gains(&p, &def, &again, NULL), STATUS_OK);
    assert_memory_equal(&found, &again, sizeof found);
    assert_int_equal(playback_tracking(&p, &t, NULL), STATUS_OK);
    assert_int_equal(playback_run(&p, &def, &t, NULL), STATUS_OK);
    assert_true(found.mean_error < 0.5 * t.run[def.kind].mean_error);
    def.gains.stiffness = found.stiffness;
    def.gains.damping_ratio = found.damping_ratio;
    assert_int_equal(playback_run(&p, &def, &t, NULL), STATUS_OK);
    assert_near(t.run[def.kind].mean_error, found.mean_error, 0);
    for (double k = 100; k < 2e4; k *= 2) {
        def.gains.stiffness = k;
        def.gains.damping_ratio = 1;
        assert_int_equal(playback_run(&p, &def, &t, NULL), STATUS_OK);
        assert_true(t.run[def.kind].is_flown_apart || t.run[def.kind].mean_error >= 0.98 * found.mean_error);
    }
    tracking_free(&t);
    playback_free(&p);
    clip_free(&clip);
}

/* Half of the critical damping overshoots: a joint moves from rest to a constant pose. */
TEST(damping_ratio_is_of_the_critical_damping)
{
    for (int i = 0; i < 3; i++) {
        static const double ratio[3] = {0.5, 1, 2};
        Subtree chain = {.mass = 2, .inertia = {0.3, 0.3, 0.3, 0, 0, 0}};
        Gains gains = {.stiffness = 70, .damping_ratio = ratio[i]};
        GainMatrices g = pd_gains(&gains, 0, &chain);
        assert_near(g.kd.xx, ratio[i] * 2 * sqrt(70) * 0.3, 1e-12);
    }
}

/* Each run adds the feedback torques of the previous one: the error falls to a fiftieth in ten runs. */
TEST(feedback_error_learning_repeats_the_clip)
{
    Clip clip;
    Playback p = walking_links(&clip);
    Tracking t;
    double error[10];
    ControllerDef def = controller_default_def();
    def.kind = CONTROLLER_STABLE_PD;
    assert_int_equal(playback_tracking(&p, &t, NULL), STATUS_OK);
    assert_int_equal(playback_learn(&p, &def, 10, error, &t, NULL), STATUS_OK);
    for (int i = 1; i < 6; i++)
        assert_true(error[i] < 0.6 * error[i - 1]);
    assert_true(error[9] < 0.02 * error[0]);
    assert_near(error[9], t.run[def.kind].mean_error, 0);
    def.kind = CONTROLLER_KANE;
    assert_int_equal(playback_learn(&p, &def, 2, error, &t, NULL), STATUS_USAGE);
    tracking_free(&t);
    playback_free(&p);
    clip_free(&clip);
}
