/* control/pd: errors of joints, gains, and that the world's axes do not matter. */
#include "tests/support/assert_near.h"

#include "analysis/control/pd.h"
#include "tests/support/control_case.h"

static void no_error_no_torque(void **state)
{
    (void)state;
    ControlCase c;
    Chain chain[CASE_JOINTS];
    Vec3 torque[CASE_JOINTS];
    PdDef def = pd_default_def();
    control_case_init(&c, 21);
    const Kinematics *k = &c.plant.kinematics;
    Desired same = {k->orientation, k->angular_velocity, k->angular_acceleration, {0, 0, 0}};
    chains_find(&c.plant, chain);
    pd_torques(&c.plant, &same, chain, &def, torque);
    for (int j = 0; j < CASE_JOINTS; j++)
        assert_vec3_near(torque[j], vec3(0, 0, 0), 1e-9);
    control_case_free(&c);
}

/* By 0.2 rad too little about an axis, 3 rad/s too slow: kp 0.2 + kd 3, with plain and with scaled gains. */
static void a_turn_in_closed_form(void **state)
{
    (void)state;
    ControlCase c;
    Chain chain[CASE_JOINTS];
    Vec3 torque[CASE_JOINTS], u = vec3_normalize(vec3(1, -2, 0.5));
    control_case_init(&c, 22);
    Kinematics *k = &c.plant.kinematics;
    Quat wanted[CASE_JOINTS];
    Vec3 velocity[CASE_JOINTS];
    for (int j = 0; j < CASE_JOINTS; j++) {
        wanted[j] = k->orientation[j];
        velocity[j] = k->angular_velocity[j] = vec3(0, 0, 0);
    }
    int tip = CASE_JOINTS - 1; /* no joint beyond */
    wanted[tip] = quat_mul(quat_from_axis_angle(u, 0.2), wanted[tip]);
    velocity[tip] = vec3_scale(u, 3);
    Desired desired = {wanted, velocity, velocity, {0, 0, 0}};
    chains_find(&c.plant, chain);
    PdDef def = {.stiffness = 50, .damping = 4, .plain = 1};
    pd_torques(&c.plant, &desired, chain, &def, torque);
    assert_vec3_near(torque[tip], vec3_scale(u, 50 * 0.2 + 4 * 3), 1e-11);
    def.plain = 0;
    pd_torques(&c.plant, &desired, chain, &def, torque);
    assert_vec3_near(torque[tip], sym3_mul(chain[tip].inertia, vec3_scale(u, 50 * 0.2 + 4 * 3)), 1e-11);
    def.zero_velocity = 1;
    pd_torques(&c.plant, &desired, chain, &def, torque);
    assert_vec3_near(torque[tip], sym3_mul(chain[tip].inertia, vec3_scale(u, 50 * 0.2)), 1e-11);
    control_case_free(&c);
}

/* kd = 2 sqrt(kp I): the discriminant of I s^2 + kd s + kp vanishes. */
static void default_damping_is_critical(void **state)
{
    (void)state;
    Chain chain = {.inertia = {0.3, 0.3, 0.3, 0, 0, 0}};
    Sym3 kp, kd;
    for (int plain = 0; plain <= 1; plain++) {
        PdDef def = {.stiffness = 70, .plain = plain};
        pd_gains(&def, &chain, &kp, &kd);
        assert_near(kd.xx * kd.xx - 4 * 0.3 * kp.xx, 0, 1e-12);
    }
}

static void torques_turn_with_the_world(void **state)
{
    (void)state;
    ControlCase c;
    Chain chain[CASE_JOINTS];
    Vec3 before[CASE_JOINTS], after[CASE_JOINTS];
    PdDef def = {.stiffness = 50, .feedforward = 1};
    Quat q = quat_from_axis_angle(vec3_normalize(vec3(1, 2, 3)), 1.1);
    control_case_init(&c, 23);
    chains_find(&c.plant, chain);
    pd_torques(&c.plant, &c.desired, chain, &def, before);
    control_case_turn(&c, q);
    chains_find(&c.plant, chain);
    pd_torques(&c.plant, &c.desired, chain, &def, after);
    double size = 0;
    for (int j = 0; j < CASE_JOINTS; j++) {
        assert_vec3_near(after[j], quat_rotate(q, before[j]), 1e-8);
        size = fmax(size, vec3_norm(after[j]));
    }
    assert_true(size > 100);
    control_case_free(&c);
}

/* A joint that keeps its angle under a parent that turns has no acceleration of its own. */
static void a_parent_that_turns_is_no_acceleration(void **state)
{
    (void)state;
    ControlCase c;
    control_case_init(&c, 24);
    const int *parent = c.clip.skeleton.parent;
    int tip = CASE_JOINTS - 1;
    Vec3 *omega = c.clip.kinematics.angular_velocity + CASE_JOINTS;
    Vec3 *alpha = c.clip.kinematics.angular_acceleration + CASE_JOINTS;
    Vec3 spin = {2, 3, -1};
    omega[tip] = vec3_add(omega[parent[tip]], spin);
    alpha[tip] = vec3_add(alpha[parent[tip]], vec3_cross(omega[parent[tip]], spin));
    JointError e = joint_error_find(&c.plant, &c.desired, tip, 0);
    assert_vec3_near(e.acceleration, vec3(0, 0, 0), 1e-10);
    control_case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_error_no_torque),
        cmocka_unit_test(a_turn_in_closed_form),
        cmocka_unit_test(default_damping_is_critical),
        cmocka_unit_test(torques_turn_with_the_world),
        cmocka_unit_test(a_parent_that_turns_is_no_acceleration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
