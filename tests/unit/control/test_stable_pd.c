/* control/stable_pd: the torques satisfy (2.8) with the accelerations that they make. */
#include "tests/support/assert_near.h"

#include "analysis/control/stable_pd.h"
#include "tests/support/control_case.h"

enum { SPEEDS = 3 + 3 * CASE_JOINTS };

/* Accelerations under torques and a force at the root joint. */
static void accelerate(const ControlCase *c, KaneSystem *s, const Vec3 *torque, Vec3 root_force, double *rate)
{
    Vec3 force[CASE_JOINTS] = {{0, 0, 0}}, couple[CASE_JOINTS] = {{0, 0, 0}};
    double active[SPEEDS], inertia[SPEEDS];
    ClipView view = plant_view(&c->plant);
    kane_set_frame(s, &view, 0);
    kane_add_weight(s, c->plant.gravity, force);
    kane_add_joint_torques(s, torque, root_force, force, couple);
    kane_active_forces(s, force, couple, active);
    kane_inertia_forces(s, NULL, inertia);
    for (int r = 0; r < SPEEDS; r++)
        active[r] += inertia[r];
    assert_int_equal(kane_forward_dynamics(s, active, rate, NULL), STATUS_OK);
}

static Vec3 rate_of(const double *rate, int joint)
{
    return joint < 0 ? vec3(0, 0, 0) : vec3(rate[3 + 3 * joint], rate[4 + 3 * joint], rate[5 + 3 * joint]);
}

/* The root's acceleration is affine in the force at it: the force that gives the wanted one. */
static void accelerate_driven(const ControlCase *c, KaneSystem *s, const Vec3 *torque, Vec3 wanted, double *rate)
{
    double without[SPEEDS], with[SPEEDS];
    Vec3 column[3], unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    accelerate(c, s, torque, vec3(0, 0, 0), without);
    for (int i = 0; i < 3; i++) {
        accelerate(c, s, torque, unit[i], with);
        column[i] = vec3(with[0] - without[0], with[1] - without[1], with[2] - without[2]);
    }
    Vec3 b = vec3_sub(wanted, vec3(without[0], without[1], without[2]));
    double det = vec3_dot(column[0], vec3_cross(column[1], column[2]));
    Vec3 f = {vec3_dot(b, vec3_cross(column[1], column[2])) / det, vec3_dot(column[0], vec3_cross(b, column[2])) / det,
              vec3_dot(column[0], vec3_cross(column[1], b)) / det};
    accelerate(c, s, torque, f, rate);
}

static void solves_its_own_equation(void **state)
{
    (void)state;
    ControlCase c;
    Chain chain[CASE_JOINTS];
    Vec3 torque[CASE_JOINTS], root = {1, -2, 4};
    double rate[SPEEDS];
    StablePd pd;
    KaneSystem system;
    PdDef def = {.stiffness = 2000};
    control_case_init(&c, 51);
    chains_find(&c.plant, chain);
    assert_int_equal(stable_pd_init(&pd, CASE_JOINTS, NULL), STATUS_OK);
    assert_int_equal(kane_init(&system, CASE_JOINTS, NULL), STATUS_OK);
    assert_int_equal(stable_pd_torques(&pd, &c.plant, &c.desired, root, chain, &def, torque, NULL), STATUS_OK);
    accelerate_driven(&c, &system, torque, root, rate);
    for (int j = 0; j < CASE_JOINTS; j++) {
        JointError e = joint_error_find(&c.plant, &c.desired, j, 0);
        Sym3 kp, kd;
        pd_gains(&def, &chain[j], &kp, &kd);
        /* tau = kp (q_r - q - dt q') + kd (q'_r - q' - dt q'') */
        Vec3 turning = vec3_sub(rate_of(rate, j), rate_of(rate, c.clip.skeleton.parent[j]));
        Vec3 expected = vec3_add(sym3_mul(kp, vec3_mad(e.rotation, -c.plant.dt, e.spin)),
                                 sym3_mul(kd, vec3_mad(e.velocity, -c.plant.dt, turning)));
        assert_vec3_near(torque[j], expected, 1e-9 * (1 + vec3_norm(sym3_mul(kd, turning))));
    }
    stable_pd_free(&pd);
    kane_free(&system);
    control_case_free(&c);
}

static void a_body_that_nothing_resists_is_named(void **state)
{
    (void)state;
    ControlCase c;
    Chain chain[CASE_JOINTS];
    Vec3 torque[CASE_JOINTS];
    StablePd pd;
    PdDef def = pd_default_def();
    Error err = {0};
    control_case_init(&c, 52);
    int tip = CASE_JOINTS - 1;
    c.clip.body.mass[tip] = 0;
    c.clip.body.inertia[tip] = (Sym3){0};
    chains_find(&c.plant, chain);
    assert_int_equal(stable_pd_init(&pd, CASE_JOINTS, NULL), STATUS_OK);
    assert_int_equal(stable_pd_torques(&pd, &c.plant, &c.desired, vec3(0, 0, 0), chain, &def, torque, &err),
                     STATUS_NO_RESULT);
    assert_non_null(strstr(err.text, "joint 8"));
    stable_pd_free(&pd);
    control_case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_its_own_equation),
        cmocka_unit_test(a_body_that_nothing_resists_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
