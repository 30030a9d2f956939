/* analysis/dynamics/inverse_dynamics: the terms sum to the torque of inverse dynamics; values of each term. */
#include "analysis/dynamics/torque_terms.h"
#include "tests/support/test.h"

#include <string.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "tests/support/random_clip.h"

enum { JOINTS = 23, FRAMES = 5, LOADS = 4 };

static const TorqueTerm terms[LOADS] = {TERM_GROUND_LEFT, TERM_GROUND_RIGHT, TERM_CONTACT, TERM_CONTACT};

/* Forces on four joints. */
static void random_loads(Loads *loads, uint64_t seed)
{
    char loaded[JOINTS] = {[3] = 1, [7] = 1, [11] = 1, [22] = 1};
    Random r = {seed};
    assert_int_equal(loads_init(loads, FRAMES, loaded, JOINTS, NULL), STATUS_OK);
    for (int i = 0; i < FRAMES * LOADS; i++) {
        loads->force[i] = random_vec3(&r, 800);
        loads->moment[i] = random_vec3(&r, 900);
    }
}

static void init(TorqueTerms *t, const Clip *c, const Loads *loads)
{
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    TermSource source = {loads, terms};
    assert_int_equal(torque_terms_init(t, &view, &source, loads != NULL, NULL), STATUS_OK);
}

static void terms_give_the_torque(const Clip *c, const Loads *loads)
{
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    InverseDynamicsDef def = inverse_dynamics_default_def();
    Dynamics dynamics = {0};
    TorqueTerms t;
    assert_int_equal(inverse_dynamics(&view, loads, &def, &dynamics, NULL), STATUS_OK);
    init(&t, c, loads);
    for (int f = 0; f < c->motion.frame_count; f++) {
        torque_terms_at(&t, f);
        for (int j = 0; j < c->skeleton.joint_count; j++)
            assert_vec3_near(torque_terms_sum(joint_torque_terms(&t, j)),
                             dynamics.torque[motion_index(&c->motion, f, j)], 1e-9);
    }
    torque_terms_free(&t);
    dynamics_free(&dynamics);
}

TEST(terms_sum_to_the_torque_of_every_joint)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        Clip c;
        Loads loads;
        assert_true(random_clip_init(&c, JOINTS, FRAMES, seed));
        random_loads(&loads, seed + 100);
        terms_give_the_torque(&c, NULL);
        terms_give_the_torque(&c, &loads);
        loads_free(&loads);
        clip_free(&c);
    }
}

/* The acceleration of sliding joints is that of the kinematics. */
TEST(terms_sum_where_joints_slide)
{
    Clip c;
    Random r = {9};
    assert_true(random_clip_init(&c, JOINTS, FRAMES, 8));
    size_t count = (size_t)JOINTS * FRAMES;
    assert_non_null(c.motion.translation = calloc(count, sizeof(Vec3)));
    for (size_t i = 0; i < count; i++) {
        int j = (int)(i % JOINTS), parent = c.skeleton.parent[j];
        if (parent < 0)
            continue;
        size_t up = i - (size_t)(j - parent);
        c.motion.translation[i] = random_vec3(&r, 0.3);
        c.kinematics.position[i] = vec3_add(c.kinematics.position[up],
                                            quat_rotate(c.kinematics.orientation[up], c.motion.translation[i]));
        c.kinematics.acceleration[i] = random_vec3(&r, 30);
    }
    terms_give_the_torque(&c, NULL);
    clip_free(&c);
}

/* A body of one segment: each term separately. */
TEST(each_term_has_its_closed_form)
{
    Clip c;
    TorqueTerms t;
    Vec3 omega = {3, -2, 5}, alpha = {7, 1, -4}, acceleration = {2, 5, -3}, com = {0.1, -0.2, 0.05};
    assert_true(random_clip_init(&c, 1, 1, 3));
    c.kinematics.orientation[0] = c.motion.rotation[0] = (Quat){1, 0, 0, 0};
    c.body.mass[0] = 2;
    c.body.com[0] = com;
    c.body.inertia[0] = (Sym3){1, 2, 4, 0, 0, 0};
    c.kinematics.angular_velocity[0] = omega;
    c.kinematics.angular_acceleration[0] = alpha;
    c.kinematics.acceleration[0] = acceleration;
    init(&t, &c, NULL);
    torque_terms_at(&t, 0);
    const TermLoad *term = joint_torque_terms(&t, 0);
    Vec3 path = vec3_add(acceleration, vec3_add(vec3_cross(alpha, com), vec3_cross(omega, vec3_cross(omega, com))));
    assert_vec3_near(term[TERM_GRAVITY].force, vec3(0, -2 * GRAVITY, 0), 1e-14);
    assert_vec3_near(term[TERM_GRAVITY].moment, vec3_scale(vec3_cross(com, vec3(0, 1, 0)), 2 * GRAVITY), 1e-13);
    assert_vec3_near(term[TERM_LINEAR_INERTIA].force, vec3_scale(path, -2), 1e-12);
    assert_vec3_near(term[TERM_LINEAR_INERTIA].moment, vec3_scale(vec3_cross(com, path), 2), 1e-12);
    assert_vec3_near(term[TERM_ANGULAR_INERTIA].moment, vec3(7, 2, -16), 1e-13);
    assert_vec3_near(term[TERM_GYROSCOPIC].moment, vec3_cross(omega, vec3(3, -4, 20)), 1e-13);
    assert_vec3_near(term[TERM_GYROSCOPIC].force, vec3(0, 0, 0), 0);
    assert_near(vec3_norm(term[TERM_SPRINGS].moment), 0, 0);
    /* vertical weight: the lever arm is horizontal and does not depend on the height of the centre of mass */
    assert_vec3_near(term_lever_arm(&term[TERM_GRAVITY]), vec3(0.1, 0, 0.05), 1e-14);
    assert_vec3_near(term_lever_arm(&term[TERM_GYROSCOPIC]), vec3(0, 0, 0), 0);
    torque_terms_free(&t);
    clip_free(&c);
}

/* Loads on a subtree contribute to its joints only, not to other branches. */
TEST(force_contributes_to_supporting_joints_only)
{
    Clip c;
    Loads loads;
    TorqueTerms t;
    assert_true(random_clip_init(&c, JOINTS, FRAMES, 5));
    for (int j = 1; j < JOINTS; j++) /* two branches of the root: 1 to 7, and 8 to the last */
        c.skeleton.parent[j] = j == 8 ? 0 : j - 1;
    for (int f = 0; f < FRAMES; f++)
        random_clip_pose(&c, f);
    random_loads(&loads, 6);
    init(&t, &c, &loads);
    torque_terms_at(&t, 2);
    for (int j = 1; j < JOINTS; j++) {
        const TermLoad *term = joint_torque_terms(&t, j);
        assert_int_equal(vec3_norm(term[TERM_GROUND_LEFT].force) > 0, j <= 3);
        assert_int_equal(vec3_norm(term[TERM_GROUND_RIGHT].force) > 0, j <= 7);
        assert_int_equal(vec3_norm(term[TERM_CONTACT].force) > 0, j >= 8);
    }
    /* the lever arm ends on the line of action, and the remaining moment is about that line */
    const TermLoad *term = &joint_torque_terms(&t, 1)[TERM_GROUND_LEFT];
    Vec3 arm = term_lever_arm(term), left = vec3_add(term->moment, vec3_cross(arm, term->force));
    assert_near(vec3_dot(arm, term->force), 0, 1e-9);
    assert_near(vec3_norm(vec3_cross(left, term->force)), 0, 1e-6);
    torque_terms_free(&t);
    loads_free(&loads);
    clip_free(&c);
}

TEST(loads_of_another_clip_are_refused)
{
    Clip c;
    Loads loads;
    TorqueTerms t;
    TermSource source[TERM_SOURCES + 1];
    assert_true(random_clip_init(&c, JOINTS, FRAMES - 1, 4));
    ClipView view = {&c.skeleton, &c.body, &c.motion, &c.kinematics};
    random_loads(&loads, 2);
    for (int i = 0; i <= TERM_SOURCES; i++)
        source[i] = (TermSource){&loads, terms};
    assert_int_equal(torque_terms_init(&t, &view, source, 1, NULL), STATUS_USAGE);
    assert_int_equal(torque_terms_init(&t, &view, source, TERM_SOURCES + 1, NULL), STATUS_USAGE);
    loads_free(&loads);
    clip_free(&c);
}
