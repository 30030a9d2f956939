/* Velocity equalities (analysis/sim/scene_rolling.h) against closed forms: the cycloid of a skate on a slope, the
 * steady circle of a rolling disk; second order in time. */
#include "tests/support/test.h"

#include "tests/support/scene_case.h"

static SceneCase rolling(const char *text, const SceneRolling *r, double step)
{
    SceneDef def = scene_default_def();
    def.rolling = r;
    def.rolling_count = 1;
    def.step = step;
    return scene_case(text, &def);
}

/* A skate rotating at omega on a slope follows x = a sin(omega t)^2, y = a (omega t - sin(2 omega t) / 2), a = g
 * sin(slope) / (2 omega^2): a cycloid across the slope. */
static double skate_error(double step)
{
    const char *text = "<mujoco><option gravity=\"4 0 0\" timestep=\"0.001\"/><worldbody><body name=\"b\"><joint "
                       "type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 1 0\"/><joint axis=\"0 0 1\"/>"
                       "<inertial pos=\"0 0 0\" mass=\"3\" diaginertia=\"1 1 0.2\"/></body></worldbody><keyframe>"
                       "<key qvel=\"0 0 2\"/></keyframe></mujoco>";
    const SceneRolling edge = {.kind = ROLLING_EDGE, .body = 1, .axis = {0, 1, 0}};
    const double a = 4. / 8, t = 1.5, phase = 2 * t;
    SceneCase c = rolling(text, &edge, step);
    scene_case_run(&c, t);
    const double *q = scene_q(c.scene);
    double x = a * sin(phase) * sin(phase), y = a * (phase - sin(2 * phase) / 2);
    assert_near(q[2], phase, 1e-9);
    double error = hypot(q[0] - x, q[1] - y), *v = (double *)scene_v(c.scene);
    assert_near(-sin(q[2]) * v[0] + cos(q[2]) * v[1], 0, 1e-9);
    scene_case_free(&c);
    return error;
}

TEST(skate_on_a_slope_follows_a_cycloid)
{
    (void)state;
    double coarse = skate_error(0.002), fine = skate_error(0.001);
    assert_true(coarse < 1e-5);
    assert_true(coarse > 3.7 * fine && coarse < 4.3 * fine);
}

/* Lateral force on the edge: m (v theta' + g sin(slope) sin theta), v = (g / omega) sin theta. */
TEST(edge_force_on_a_skate_has_its_closed_form)
{
    const char *text = "<mujoco><option gravity=\"0 0 0\" timestep=\"0.001\"/><worldbody><body name=\"b\"><joint "
                       "type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 1 0\"/><joint axis=\"0 0 1\"/>"
                       "<inertial pos=\"0 0 0\" mass=\"3\" diaginertia=\"1 1 0.2\"/></body></worldbody><keyframe>"
                       "<key qvel=\"5 0 2\"/></keyframe></mujoco>";
    const SceneRolling edge = {.kind = ROLLING_EDGE, .body = 1, .axis = {0, 1, 0}};
    SceneCase c = rolling(text, &edge, 0.001);
    (void)state;
    scene_case_run(&c, 1);
    assert_near(vec3_norm(scene_equality_force(c.scene, 0)), 3 * 5 * 2, 1e-4);
    assert_near(scene_energy(c.scene).kinetic, 0.5 * (3 * 25 + 0.2 * 4), 1e-6);
    scene_case_free(&c);
}

/* A thin disk, tilted by theta, whose contact point circles at Omega: its spin w about the axle satisfies A Omega^2 sin
 * cos - (C + m r^2) w Omega sin = m g r cos, A = m r^2 / 4, C = m r^2 / 2. */
static double disk_error(double step)
{
    const char *text = "<mujoco><option gravity=\"0 0 -10\" timestep=\"0.001\"/><worldbody><body name=\"d\">"
                       "<freejoint/><inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"0.045 0.045 0.09\"/></body>"
                       "</worldbody></mujoco>";
    const double m = 2, r = 0.3, g = 10, theta = 1.1, turn = 4, a = m * r * r / 4, c3 = m * r * r / 2;
    double s = sin(theta), co = cos(theta);
    double spin = (a * turn * turn * s * co - m * g * r * co) / ((c3 + m * r * r) * turn * s);
    Vec3 axle = {s, 0, co}, up = {0, 0, 1}, omega = vec3_mad(vec3_scale(up, turn), spin - turn * co, axle);
    Vec3 down = vec3_scale(vec3_mad(up, -co, axle), -1 / s), v = vec3_neg(vec3_cross(omega, vec3_scale(down, r)));
    Quat q = quat_from_axis_angle(vec3(0, 1, 0), theta);
    double at[7] = {0, 0, r * s, q.w, q.x, q.y, q.z}, speed[6];
    const SceneRolling wheel = {.kind = ROLLING_WHEEL, .body = 1, .axis = {0, 0, 1}, .radius = r};
    SceneCase c = rolling(text, &wheel, step);
    vec3_store(speed, v);
    vec3_store(speed + 3, quat_rotate_inverse(q, omega));
    scene_set_state(c.scene, at, speed, NULL);
    scene_case_run(&c, 1.2);
    const ModelMotion *now = scene_motion(c.scene);
    Vec3 is = quat_rotate(now->orientation[1], vec3(0, 0, 1)), wanted = {s * cos(4.8), s * sin(4.8), co};
    assert_near(now->position[1].z, r * sqrt(1 - is.z * is.z), 1e-9);
    assert_vec3_near(scene_equality_force(c.scene, 0), vec3(0, 0, 0), 100);
    assert_near(scene_equality_force(c.scene, 0).z, m * g, 1e-2);
    double error = vec3_distance(is, wanted);
    scene_case_free(&c);
    return error;
}

TEST(disk_rolls_steadily_in_a_circle)
{
    (void)state;
    double coarse = disk_error(0.002), fine = disk_error(0.001);
    assert_true(coarse < 1e-3);
    assert_true(coarse > 3.7 * fine && coarse < 4.3 * fine);
}
