/* Forward simulation of a clip's torques on a free base: reproduces the motion, converges with the order of the
 * integrator, agrees between Kane's equations and linear-time joints, and deviates if a torque is omitted. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/body/body_model.h"
#include "analysis/control/forward_play.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/motion/kinematics.h"
#include "analysis/sim/scene_def.h"
#include "tests/support/chain_motion.h"
#include "tests/support/walker.h"

#define DEGREE (PI / 180)

/* A flying, waving body: each joint rotates sinusoidally, the root translates. */
static void wave(Motion *m, int frame)
{
    double t = frame * m->frame_time;
    m->root_position[frame] = vec3(0.8 * t, 1 + 0.05 * elementary_sin(5 * t), 0.1 * elementary_cos(4 * t));
    for (int j = 0; j < m->joint_count; j++) {
        double w = 2 + 0.3 * j;
        Vec3 turn = {0.12 * elementary_sin(w * t + j), 0.1 * elementary_cos((w + 1) * t), 0.08 * elementary_sin(3 * t)};
        m->rotation[motion_index(m, frame, j)] = quat_exp(turn);
    }
}

/* Body, kinematics and dynamics of a motion. */
static void finish(Clip *c)
{
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    DifferenceDef difference = difference_default_def();
    InverseDynamicsDef inverse = inverse_dynamics_default_def();
    difference.scheme = DIFFERENCE_FIVE_POINT;
    motion_make_continuous(&c->motion);
    assert_int_equal(differentiate(&view, &difference, &c->kinematics, NULL), STATUS_OK);
    assert_int_equal(inverse_dynamics(&view, NULL, &inverse, &c->dynamics, NULL), STATUS_OK);
    c->has_body = c->has_kinematics = c->has_dynamics = 1;
}

static void make_walker(Clip *c, double fps)
{
    BodyDef def = body_default_def();
    *c = (Clip){0};
    walker_skeleton(&c->skeleton);
    assert_int_equal(body_from_skeleton(&c->skeleton, &def, &c->body, NULL), STATUS_OK);
    assert_int_equal(motion_init(&c->motion, (int)lround(0.7 * fps), WALKER_JOINTS, 1 / fps, 0, NULL), STATUS_OK);
    for (int f = 0; f < c->motion.frame_count; f++)
        wave(&c->motion, f);
    finish(c);
}

/* Four bodies: a small tree. */
static void make_chain(Clip *c, double fps)
{
    static const Vec3 com[CHAIN_JOINTS] = {{0, 0.25, 0}, {0.15, 0, 0}, {0.15, 0, 0}, {0.03, 0, 0}};
    *c = (Clip){0};
    chain_motion(&c->skeleton, &c->motion, (int)lround(0.7 * fps), fps, 0);
    assert_int_equal(body_init(&c->body, CHAIN_JOINTS, NULL), STATUS_OK);
    for (int j = 0; j < CHAIN_JOINTS; j++) {
        double m = 8 - 2 * j, r = 0.02 * m;
        c->body.mass[j] = m;
        c->body.com[j] = com[j];
        c->body.inertia[j] = (Sym3){r, 0.8 * r, 0.9 * r, 0, 0, 0};
        c->body.total_mass += m;
    }
    finish(c);
}

static ForwardPlay play(const Clip *c, IntegratorKind kind, double dt)
{
    ForwardPlay p;
    ForwardDef def = forward_default_def();
    def.integrator = kind;
    def.dt = dt;
    def.duration = 0.5;
    assert_int_equal(forward_play(c, &def, &p, NULL), STATUS_OK);
    assert_true(p.ended < 0);
    return p;
}

/* Largest angle between the joints of two motions and distance of their roots in the last frame. */
static double apart(const ForwardPlay *a, const ForwardPlay *b)
{
    int last = a->motion.frame_count - 1;
    double max = vec3_distance(a->motion.root_position[last], b->motion.root_position[last]);
    assert_int_equal(a->motion.frame_count, b->motion.frame_count);
    for (int j = 0; j < a->motion.joint_count; j++) {
        size_t at = motion_index(&a->motion, last, j);
        Quat turn = quat_mul(a->motion.rotation[at], quat_conjugate(b->motion.rotation[at]));
        max = fmax(max, 2 * vec3_norm(quat_log(turn)));
    }
    return max;
}

TEST(half_a_second_returns_within_1_cm_and_2_degrees)
{
    Clip walker, chain;
    make_walker(&walker, 120);
    make_chain(&chain, 120);
    ForwardPlay w = play(&walker, SCENE_INTEGRATOR_AUTO, 0.001);
    ForwardPlay c = play(&chain, SCENE_INTEGRATOR_AUTO, 0.001);
    assert_near(w.half.time, 0.5, 1e-9);
    assert_true(w.half.distance < 0.01 && w.half.angle < 2 * DEGREE);
    assert_true(c.half.distance < 0.01 && c.half.angle < 2 * DEGREE);
    assert_int_equal(w.stance.count, 0);
    assert_int_equal(w.flight.count, 2);
    assert_true(w.flight.distance < w.half.distance);
    for (size_t i = (size_t)w.motion.joint_count; i < (size_t)w.motion.frame_count * (size_t)w.motion.joint_count; i++)
        assert_true(quat_dot(w.motion.rotation[i], w.motion.rotation[i - (size_t)w.motion.joint_count]) > 0);
    assert_true(w.motion.rotation[0].w >= 0);
    forward_play_free(&w);
    forward_play_free(&c);
    clip_free(&walker);
    clip_free(&chain);
}

static double order(const Clip *c, IntegratorKind kind)
{
    ForwardPlay coarse = play(c, kind, 0.01), fine = play(c, kind, 0.005);
    ForwardPlay exact = play(c, BRIDSON_MARINO, 0.000625);
    double ratio = apart(&coarse, &exact) / apart(&fine, &exact);
    forward_play_free(&coarse);
    forward_play_free(&fine);
    forward_play_free(&exact);
    return ratio;
}

TEST(error_decreases_with_integrator_order)
{
    Clip c;
    make_chain(&c, 100);
    assert_near(order(&c, BRIDSON_MARINO), 4, 0.3);
    assert_near(order(&c, TRAPEZOIDAL), 4, 0.4);
    assert_near(order(&c, SYMPLECTIC_EULER), 2, 0.2);
    assert_near(order(&c, IMPLICIT_EULER), 2, 0.3);
    assert_near(order(&c, SCENE_VARIATIONAL), 4, 0.3);
    clip_free(&c);
}

TEST(two_integrators_give_equal_motion)
{
    Clip c;
    make_chain(&c, 100);
    ForwardPlay halves = play(&c, BRIDSON_MARINO, 0.0005);
    ForwardPlay kept = play(&c, SCENE_VARIATIONAL, 0.0005);
    assert_true(apart(&halves, &kept) < 1e-4);
    forward_play_free(&halves);
    forward_play_free(&kept);
    clip_free(&c);
}

/* Only the residual supports a body without ground contact. */
TEST(body_without_residual_force_falls)
{
    Clip c;
    make_chain(&c, 100);
    ForwardDef def = forward_default_def();
    ForwardPlay p;
    def.no_residual = 1;
    def.duration = 0.3;
    assert_int_equal(forward_play(&c, &def, &p, NULL), STATUS_OK);
    assert_true(p.end.distance > 0.3);
    forward_play_free(&p);
    def.no_residual = 0;
    assert_int_equal(forward_play(&c, &def, &p, NULL), STATUS_OK);
    assert_true(p.end.distance < 0.001);
    forward_play_free(&p);
    clip_free(&c);
}

TEST(invalid_step_and_invalid_frames_are_refused)
{
    Clip c;
    Error err = {0};
    ForwardPlay p;
    ForwardDef def = forward_default_def();
    make_chain(&c, 100);
    def.dt = 0;
    assert_int_equal(forward_play(&c, &def, &p, &err), STATUS_USAGE);
    def = forward_default_def();
    for (int f = 1; f < c.kinematics.frame_count; f++)
        c.kinematics.valid[f] = 0;
    assert_int_equal(forward_play(&c, &def, &p, &err), STATUS_BAD_INPUT);
    clip_free(&c);
}

/* The tip's rotation relative to its parent against the motion's, in the last frame. */
static double tip_error(const Clip *c, const ForwardPlay *p)
{
    int tip = CHAIN_JOINTS - 1, last = p->motion.frame_count - 1;
    int frame = (int)lround(p->motion.time[last] / c->motion.frame_time);
    Quat is = p->motion.rotation[motion_index(&p->motion, last, tip)];
    Quat wanted = c->motion.rotation[motion_index(&c->motion, frame, tip)];
    return 2 * vec3_norm(quat_log(quat_mul(is, quat_conjugate(wanted))));
}

/* A wrong torque at the tip makes it deviate from the motion; with feedback it stays. If the torque is far too large
 * the simulation diverges, and the tip is reported as the first body to do so. */
TEST(feedback_follows_motion_despite_wrong_torque)
{
    Clip c;
    ForwardPlay p;
    Error err = {0};
    ForwardDef def = forward_default_def();
    int tip = CHAIN_JOINTS - 1, root = 0;
    make_chain(&c, 120);
    def.duration = 0.3;
    for (int f = 0; f < c.motion.frame_count; f++) {
        Vec3 *torque = &c.dynamics.torque[motion_index(&c.motion, f, tip)];
        *torque = vec3_add(*torque, vec3(0.6, 0.3, 0.9));
    }
    assert_int_equal(forward_play(&c, &def, &p, NULL), STATUS_OK);
    assert_true(tip_error(&c, &p) > 10 * DEGREE);
    forward_play_free(&p);
    def.hold_count = 1;
    def.hold = &tip;
    assert_int_equal(forward_play(&c, &def, &p, NULL), STATUS_OK);
    assert_true(tip_error(&c, &p) < 1 * DEGREE);
    assert_int_equal(p.leaver, -1);
    forward_play_free(&p);
    def.hold = &root;
    assert_int_equal(forward_play(&c, &def, &p, &err), STATUS_USAGE);
    assert_non_null(strstr(err.text, "root"));
    def.hold_count = 0;
    for (int f = 0; f < c.motion.frame_count; f++)
        c.dynamics.torque[motion_index(&c.motion, f, tip)].z += 40;
    assert_int_equal(forward_play(&c, &def, &p, NULL), STATUS_OK);
    assert_true(p.ended >= 0);
    assert_int_equal(p.leaver, tip);
    assert_true(p.left <= p.ended + 1.0 / 120);
    forward_play_free(&p);
    clip_free(&c);
}
