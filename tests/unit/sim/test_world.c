/* sim/world: long runs against conserved quantities, the order of its integrators, driven roots, limits. */
#include "tests/support/assert_near.h"

#include <string.h>

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/signal/smoothing.h"
#include "analysis/sim/world.h"
#include "tests/support/random_clip.h"

/* A world of the clip's tree in its first frame, with angular velocities of up to `speed`, the root at rest. */
static World *world_of(Clip *clip, const WorldDef *def, double speed)
{
    World *w = NULL;
    Random r = {5};
    Kinematics *k = &clip->kinematics;
    assert_int_equal(world_create(&clip->skeleton, &clip->body, def, &w, NULL), STATUS_OK);
    for (int j = 0; j < clip->skeleton.joint_count; j++)
        k->angular_velocity[j] = random_vec3(&r, speed);
    world_set_pose(w, vec3(0, 1, 0), clip->motion.rotation, vec3(0, 0, 0), k->angular_velocity);
    return w;
}

static void run(World *w, double dt, int steps)
{
    for (int i = 0; i < steps; i++)
        assert_int_equal(world_step(w, dt, NULL), STATUS_OK);
}

static void a_free_tree_keeps_momentum_and_energy(void **state)
{
    (void)state;
    for (int integrator = INTEGRATE_SYMPLECTIC_EULER; integrator <= INTEGRATE_BRIDSON_MARINO; integrator++) {
        Clip clip;
        WorldDef def = world_default_def();
        def.gravity = vec3(0, 0, 0);
        def.integrator = (WorldIntegrator)integrator;
        assert_true(random_clip_init(&clip, 9, 1, 3));
        World *w = world_of(&clip, &def, 2);
        Vec3 p = world_momentum(w), l = world_angular_momentum(w);
        run(w, 0.002, 1);
        double energy = world_energy(w), most = 0;
        for (int i = 0; i < 4000; i++) {
            run(w, 0.002, 1);
            most = fmax(most, fabs(world_energy(w) - energy));
        }
        assert_true(most < 2e-3 * energy);
        assert_vec3_near(world_momentum(w), p, 1e-10);
        assert_vec3_near(world_angular_momentum(w), l, 1e-6);
        world_destroy(w);
        clip_free(&clip);
    }
}

/* Under gravity, on a fixed base, with hinges and fixed joints among the others: 10 s. */
static void joints_do_not_drift(void **state)
{
    (void)state;
    Clip clip;
    World *w = NULL;
    WorldDef def = world_default_def();
    double most = 0;
    Vec3 still[12] = {{0, 0, 0}};
    def.root = JOINT_FIXED;
    assert_true(random_clip_init(&clip, 12, 1, 8));
    assert_int_equal(world_create(&clip.skeleton, &clip.body, &def, &w, NULL), STATUS_OK);
    assert_int_equal(world_set_joint(w, 2, JOINT_HINGE, vec3(1, 0, 1), NULL), STATUS_OK);
    assert_int_equal(world_set_joint(w, 5, JOINT_FIXED, vec3(0, 0, 0), NULL), STATUS_OK);
    world_set_pose(w, vec3(0, 1, 0), clip.motion.rotation, vec3(0, 0, 0), still);
    for (int i = 0; i < 1000; i++) {
        run(w, 0.01, 1);
        most = fmax(most, world_joint_drift(w));
    }
    assert_true(most < 1e-6); /* asked for: 1e-4 */
    assert_true(vec3_norm(world_angular_velocity(w, 2)) > 0.1);
    Quat up = world_orientation(w, clip.skeleton.parent[5]);
    Quat turn = quat_mul(quat_conjugate(up), world_orientation(w, 5));
    assert_near(fabs(quat_dot(turn, clip.motion.rotation[5])), 1, 1e-12);
    Quat hinge = quat_mul(quat_conjugate(world_orientation(w, clip.skeleton.parent[2])), world_orientation(w, 2));
    Vec3 axis = vec3_normalize(vec3(1, 0, 1));
    assert_vec3_near(quat_rotate(hinge, axis), quat_rotate(clip.motion.rotation[2], axis), 1e-8);
    assert_vec3_near(world_position(w, 0), vec3(0, 1, 0), 1e-8);
    world_destroy(w);
    clip_free(&clip);
}

/* Angles of an analytic motion: each joint turns as q_j(t) = rest * exp(sum of sines), the base stands. */
#define SWING 0.35

static Vec3 swing_rate(int j) { return vec3(2.1 + 0.3 * j, 1.7 + 0.2 * j, 2.6 - 0.2 * j); }

/* Relative rotation at time t and its angular velocity and acceleration in parent axes, by differences of the closed
 * form: h = 1e-4 leaves 1e-8. */
static Quat swing_at(const Clip *c, int j, double t)
{
    Vec3 r = swing_rate(j);
    Vec3 v = vec3(SWING * elementary_sin(r.x * t), SWING * elementary_sin(r.y * t), SWING * elementary_sin(r.z * t));
    return quat_mul(c->motion.rotation[j], quat_exp(vec3_scale(v, 0.5)));
}

static void world_orientations(const Clip *c, double t, Quat *q)
{
    for (int j = 0; j < c->skeleton.joint_count; j++) {
        Quat local = j ? swing_at(c, j, t) : c->motion.rotation[0];
        q[j] = j ? quat_mul(q[c->skeleton.parent[j]], local) : local;
    }
}

enum { LIMBS = 5 };

/* Kinematics of frame 0 of `at` at time t: poses, and rates by central differences of the closed form. */
static void pose_at(const Clip *c, double t, Clip *at)
{
    const double h = 1e-4;
    Quat before[LIMBS], now[LIMBS], after[LIMBS];
    world_orientations(c, t - h, before);
    world_orientations(c, t, now);
    world_orientations(c, t + h, after);
    for (int j = 0; j < LIMBS; j++) {
        Vec3 ahead = vec3_scale(quat_log(quat_mul(after[j], quat_conjugate(now[j]))), 2 / h);
        Vec3 behind = vec3_scale(quat_log(quat_mul(now[j], quat_conjugate(before[j]))), 2 / h);
        at->kinematics.orientation[j] = now[j];
        at->kinematics.angular_velocity[j] = vec3_scale(vec3_add(ahead, behind), 0.5);
        at->kinematics.angular_acceleration[j] = vec3_scale(vec3_sub(ahead, behind), 1 / h);
        at->motion.rotation[j] = j ? swing_at(c, j, t) : now[0];
    }
    at->motion.root_position[0] = at->kinematics.position[0] = vec3(0, 1, 0);
    at->kinematics.velocity[0] = at->kinematics.acceleration[0] = vec3(0, 0, 0);
    random_clip_pose(at, 0);
}

/* Torques of inverse dynamics at the middle (Bridson-Marino) or the beginning of each step, played forward: largest
 * angle between where a limb is and where it should be after 1 s, rad. */
static double closing_error(WorldIntegrator integrator, int steps)
{
    Clip rest, at;
    World *w = NULL;
    Dynamics d = {0};
    WorldDef def = world_default_def();
    InverseDynamicsDef inverse = inverse_dynamics_default_def();
    double dt = 1.0 / steps, worst = 0;
    def.root = JOINT_FIXED;
    def.integrator = integrator;
    assert_true(random_clip_init(&rest, LIMBS, 1, 21) && random_clip_init(&at, LIMBS, 1, 21));
    assert_int_equal(world_create(&rest.skeleton, &rest.body, &def, &w, NULL), STATUS_OK);
    pose_at(&rest, 0, &at);
    world_set_pose(w, vec3(0, 1, 0), at.motion.rotation, vec3(0, 0, 0), at.kinematics.angular_velocity);
    for (int i = 0; i < steps; i++) {
        pose_at(&rest, (i + (integrator == INTEGRATE_BRIDSON_MARINO ? 0.5 : 0)) * dt, &at);
        ClipView view = {&at.skeleton, &at.body, &at.motion, &at.kinematics};
        assert_int_equal(inverse_dynamics(&view, NULL, &inverse, &d, NULL), STATUS_OK);
        for (int j = 1; j < LIMBS; j++)
            world_apply_torque(w, j, d.torque[j]);
        run(w, dt, 1);
    }
    pose_at(&rest, 1, &at);
    for (int j = 0; j < LIMBS; j++) {
        Quat off = quat_mul(quat_conjugate(at.kinematics.orientation[j]), world_orientation(w, j));
        worst = fmax(worst, 2 * vec3_norm(quat_log(off)));
    }
    world_destroy(w);
    dynamics_free(&d);
    clip_free(&rest);
    clip_free(&at);
    return worst;
}

static void inverse_dynamics_played_forward_comes_back(void **state)
{
    (void)state;
    double euler = closing_error(INTEGRATE_SYMPLECTIC_EULER, 500);
    double half = closing_error(INTEGRATE_SYMPLECTIC_EULER, 1000);
    double marino = closing_error(INTEGRATE_BRIDSON_MARINO, 500);
    double marino_half = closing_error(INTEGRATE_BRIDSON_MARINO, 1000);
    assert_near(elementary_log(euler / half) / elementary_log(2), 1, 0.2);
    assert_near(elementary_log(marino / marino_half) / elementary_log(2), 2, 0.3);
    assert_true(marino_half < 0.1 * PI / 180);
}

/* The root's joint centre follows its path; what the path exerts is what the momentum lacks. */
static void a_driven_root_follows_its_path(void **state)
{
    (void)state;
    Clip clip;
    WorldDef def = world_default_def();
    def.root = JOINT_SPHERICAL;
    assert_true(random_clip_init(&clip, 7, 1, 4));
    World *w = world_of(&clip, &def, 1);
    for (int i = 1; i <= 200; i++) {
        double t = 0.01 * i;
        Vec3 path = vec3(0.3 * elementary_sin(3 * t), 1 + 0.1 * elementary_sin(7 * t), 0.5 * t), p = world_momentum(w);
        world_drive_root(w, path, QUAT_IDENTITY, vec3(0, 0, 0), vec3(0, 0, 0));
        run(w, 0.01, 1);
        Vec3 rate = vec3_scale(vec3_sub(world_momentum(w), p), 100);
        Vec3 weight = vec3(0, -GRAVITY * clip.body.total_mass, 0);
        assert_vec3_near(world_position(w, 0), path, 1e-8);
        assert_vec3_near(world_joint_force(w, 0), vec3_sub(rate, weight), 1e-7);
        assert_vec3_near(world_joint_moment(w, 0), vec3(0, 0, 0), 1e-9);
    }
    world_destroy(w);
    clip_free(&clip);
}

/* Gravity swings a limb against its limits: it stops there and stays. */
static void limits_stop_a_joint(void **state)
{
    (void)state;
    Clip clip;
    WorldDef def = world_default_def();
    AngleLimits limits = {{-0.4, -0.3, -0.2}, {0.4, 0.3, 0.2}, QUAT_IDENTITY, QUAT_IDENTITY};
    double worst = 0;
    def.root = JOINT_FIXED;
    assert_true(random_clip_init(&clip, 3, 1, 6));
    for (int j = 0; j < 3; j++)
        clip.motion.rotation[j] = QUAT_IDENTITY;
    World *w = world_of(&clip, &def, 0);
    for (int j = 1; j < 3; j++)
        assert_int_equal(world_set_limits(w, j, &limits, NULL), STATUS_OK);
    assert_int_equal(world_set_limits(w, 0, &limits, NULL), STATUS_USAGE);
    for (int i = 0; i < 1000; i++) {
        run(w, 0.01, 1);
        for (int j = 1; j < 3; j++) {
            Quat up = quat_conjugate(world_orientation(w, clip.skeleton.parent[j]));
            RollPitchYaw a = roll_pitch_yaw_from_quat(quat_mul(up, world_orientation(w, j)));
            worst = fmax(worst, fmax(fabs(a.roll) - 0.4, fmax(fabs(a.pitch) - 0.3, fabs(a.yaw) - 0.2)));
        }
    }
    assert_true(worst < 0.01);
    assert_true(worst > -0.05); /* they were reached */
    world_destroy(w);
    clip_free(&clip);
}

/* Begun 0.2 rad beyond a limit, a joint is led back slowly. */
static void a_limit_leads_back(void **state)
{
    (void)state;
    Clip clip;
    WorldDef def = world_default_def();
    AngleLimits limits = {{-0.4, -0.4, -0.4}, {0.4, 0.4, 0.4}, QUAT_IDENTITY, QUAT_IDENTITY};
    def.root = JOINT_FIXED;
    def.gravity = vec3(0, 0, 0);
    assert_true(random_clip_init(&clip, 2, 1, 6));
    clip.motion.rotation[0] = QUAT_IDENTITY;
    clip.motion.rotation[1] = quat_from_axis_angle(vec3(0, 0, 1), -0.6);
    World *w = world_of(&clip, &def, 0);
    assert_int_equal(world_set_limits(w, 1, &limits, NULL), STATUS_OK);
    run(w, 0.01, 1);
    assert_near(roll_pitch_yaw_from_quat(world_orientation(w, 1)).roll, -0.59, 1e-3); /* at 1 rad/s */
    run(w, 0.01, 60);
    assert_true(roll_pitch_yaw_from_quat(world_orientation(w, 1)).roll > -0.4 - 1e-3);
    world_destroy(w);
    clip_free(&clip);
}

/* One body of known inertia on a fixed root, without gravity. */
static World *single_body(Clip *clip, JointKind root)
{
    World *w = NULL;
    WorldDef def = world_default_def();
    def.gravity = vec3(0, 0, 0);
    def.root = root;
    assert_true(random_clip_init(clip, 1, 1, 1));
    clip->body.mass[0] = 2;
    clip->body.com[0] = vec3(0, 0, 0);
    clip->body.inertia[0] = (Sym3){0.03, 0.04, 0.05, 0, 0, 0};
    assert_int_equal(world_create(&clip->skeleton, &clip->body, &def, &w, NULL), STATUS_OK);
    return w;
}

/* Time of n half swings of what `read` says, by its changes of sign. */
static double half_swings(World *w, int n, double (*read)(const World *))
{
    double last = read(w), first_time = -1, time = 0;
    for (int count = -1, steps = 1; count < n; steps++) {
        run(w, 0.001, 1);
        double now = read(w);
        if (last * now < 0) {
            time = 0.001 * (steps - now / (now - last));
            first_time = count++ < 0 ? time : first_time;
        }
        last = now;
    }
    return time - first_time;
}

static double turn_about_z(const World *w) { return world_orientation(w, 0).z; }
static double height(const World *w) { return world_position(w, 0).y - 1; }

/* A turning spring to the world makes a torsion pendulum: period 2 pi sqrt(I / k). */
static void springs_swing_a_body(void **state)
{
    (void)state;
    Clip clip;
    char name[] = "torsion";
    SpringElement element = {name, SPRING_TURNING, SPRING_WORLD, 0, {0, 0, 0}, {0, 0, 0}, 5, 0, 0};
    Springs springs = {1, &element};
    World *w = single_body(&clip, JOINT_SPHERICAL);
    Quat turned = quat_from_axis_angle(vec3(0, 0, 1), 0.4);
    Vec3 still = {0, 0, 0};
    assert_int_equal(world_set_springs(w, &springs, NULL), STATUS_OK);
    world_set_pose(w, vec3(0, 1, 0), &turned, still, &still);
    assert_near(half_swings(w, 20, turn_about_z), 20 * PI * sqrt(0.05 / 5), 1e-3);
    element.joint_b = 7;
    assert_int_equal(world_set_springs(w, &springs, NULL), STATUS_BAD_INPUT);
    world_destroy(w);
    clip_free(&clip);
}

/* Angle of a torsion pendulum after half a second of so many steps; or with 40 times the stiffness and damping the
 * place of the body on a spring, whose mass is 40 times its inertia about z. */
static double pendulum_after(WorldIntegrator integrator, int turning, double damping, int steps)
{
    Clip clip;
    char name[] = "torsion";
    SpringElement element = {name, turning ? SPRING_TURNING : SPRING_TRANSLATION, SPRING_WORLD, 0, {0, 0, 0}, {0, 0, 0},
                             turning ? 5 : 200, turning ? damping : 40 * damping, 0};
    Springs springs = {1, &element};
    World *w = NULL;
    WorldDef def = world_default_def();
    Quat turned = quat_from_axis_angle(vec3(0, 0, 1), 0.4);
    Vec3 still = {0, 0, 0};
    def.integrator = integrator;
    def.gravity = vec3(0, 0, 0);
    def.root = turning ? JOINT_SPHERICAL : JOINT_FREE;
    world_destroy(single_body(&clip, JOINT_SPHERICAL));
    assert_int_equal(world_create(&clip.skeleton, &clip.body, &def, &w, NULL), STATUS_OK);
    assert_int_equal(world_set_springs(w, &springs, NULL), STATUS_OK);
    world_set_pose(w, vec3(0.4, 0, 0), &turned, still, &still);
    run(w, 0.5 / steps, steps);
    double angle = 2 * elementary_atan2(world_orientation(w, 0).z, world_orientation(w, 0).w);
    double place = world_position(w, 0).x;
    world_destroy(w);
    clip_free(&clip);
    return turning ? angle : place;
}

/* Against the exact damped spring (docs/sources.md "The springs"), with and without damping, half the step leaves half
 * of the error, or a quarter. */
static void a_spring_shows_the_order(void **state)
{
    (void)state;
    const double omega = sqrt(5 / 0.05), damping[] = {0, 0.2};
    for (int k = 0; k < 4; k++) {
        int d = k % 2, turning = k / 2;
        double exact = 0.4, rate = 0;
        SpringStep step = spring_step(omega, damping[d] / (2 * 0.05 * omega), 0.5);
        spring_advance(&step, 0, &exact, &rate);
        for (int i = INTEGRATE_SYMPLECTIC_EULER; i <= INTEGRATE_BRIDSON_MARINO; i++) {
            double coarse = pendulum_after((WorldIntegrator)i, turning, damping[d], 1000) - exact;
            double fine = pendulum_after((WorldIntegrator)i, turning, damping[d], 2000) - exact;
            assert_near(coarse / fine, i == INTEGRATE_SYMPLECTIC_EULER ? 2 : 4, 0.02);
            assert_true(fabs(fine) < (i == INTEGRATE_SYMPLECTIC_EULER ? 1e-3 : 1e-5));
        }
    }
}

/* A soft joint is a spring: 2 kg on 800 N/m; with the damping of 0.11 it comes to rest where its force is. */
static void a_soft_joint_is_a_spring(void **state)
{
    (void)state;
    Clip clip;
    World *w = single_body(&clip, JOINT_SPHERICAL);
    Quat rest = QUAT_IDENTITY;
    Vec3 still = {0, 0, 0};
    JointSoftness soft = {.stiffness = 800};
    assert_int_equal(world_soften_joint(w, 0, &soft, NULL), STATUS_OK);
    world_set_pose(w, vec3(0, 1, 0), &rest, vec3(0, 0.5, 0), &still);
    run(w, 0.001, 1);
    assert_near(half_swings(w, 10, height), 10 * PI * sqrt(2.0 / 800), 1e-3);
    soft.damping = 60;
    assert_int_equal(world_soften_joint(w, 0, &soft, NULL), STATUS_OK);
    for (int i = 0; i < 2000; i++) {
        world_apply_force(w, 0, vec3(0, -16, 0), world_position(w, 0));
        run(w, 0.001, 1);
    }
    assert_near(height(w), -16.0 / 800, 1e-6);
    assert_near(world_joint_force(w, 0).y, 16, 1e-6);
    soft.damping = -1;
    assert_int_equal(world_soften_joint(w, 0, &soft, NULL), STATUS_USAGE);
    world_destroy(w);
    clip_free(&clip);
}

static void the_pose_comes_back(void **state)
{
    (void)state;
    Clip clip, read;
    WorldDef def = world_default_def();
    assert_true(random_clip_init(&clip, 6, 1, 9) && random_clip_init(&read, 6, 1, 10));
    World *w = world_of(&clip, &def, 3);
    random_clip_pose(&clip, 0);
    world_read_pose(w, 0, &read.motion, &read.kinematics);
    for (int j = 0; j < 6; j++) {
        assert_near(fabs(quat_dot(read.motion.rotation[j], clip.motion.rotation[j])), 1, 1e-14);
        assert_vec3_near(read.kinematics.angular_velocity[j], clip.kinematics.angular_velocity[j], 1e-12);
    }
    assert_vec3_near(read.motion.root_position[0], vec3(0, 1, 0), 1e-14);
    world_destroy(w);
    clip_free(&clip);
    clip_free(&read);
}

static void what_cannot_be_simulated_is_refused(void **state)
{
    (void)state;
    Clip clip;
    Error err = {0};
    WorldDef def = world_default_def();
    assert_true(random_clip_init(&clip, 4, 1, 2));
    World *w = world_of(&clip, &def, 1e7);
    Vec3 before = world_position(w, 3);
    assert_int_equal(world_step(w, 0, &err), STATUS_USAGE);
    assert_int_equal(world_step(w, 0.01, &err), STATUS_NO_RESULT);
    assert_non_null(strstr(err.text, "too fast"));
    assert_vec3_near(world_position(w, 3), before, 0);
    world_set_pose(w, vec3(0, 1, 0), clip.motion.rotation, vec3(0, 0, 0), (Vec3[4]){{0, 0, 0}});
    world_apply_torque(w, 1, vec3(NAN, 0, 0));
    assert_int_equal(world_step(w, 0.01, &err), STATUS_NO_RESULT);
    assert_non_null(strstr(err.text, "beyond all numbers"));
    assert_vec3_near(world_position(w, 0), vec3(0, 1, 0), 1e-12);
    assert_int_equal(world_set_joint(w, 9, JOINT_FIXED, vec3(0, 0, 0), NULL), STATUS_USAGE);
    assert_int_equal(world_set_joint(w, 1, JOINT_HINGE, vec3(0, 0, 0), NULL), STATUS_USAGE);
    world_destroy(w);
    clip.body.mass[2] = 0;
    assert_int_equal(skeleton_set_name(&clip.skeleton, 2, "Thumb", NULL), STATUS_OK);
    assert_int_equal(world_create(&clip.skeleton, &clip.body, &def, &w, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "Thumb"));
    assert_null(w);
    world_destroy(NULL);
    clip_free(&clip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_tree_keeps_momentum_and_energy),
        cmocka_unit_test(joints_do_not_drift),
        cmocka_unit_test(inverse_dynamics_played_forward_comes_back),
        cmocka_unit_test(a_driven_root_follows_its_path),
        cmocka_unit_test(limits_stop_a_joint),
        cmocka_unit_test(a_limit_leads_back),
        cmocka_unit_test(springs_swing_a_body),
        cmocka_unit_test(a_spring_shows_the_order),
        cmocka_unit_test(a_soft_joint_is_a_spring),
        cmocka_unit_test(the_pose_comes_back),
        cmocka_unit_test(what_cannot_be_simulated_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
