/* analysis/control/playback_run: a free-standing root, known ground forces, and recorded results of a run. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/body/body_model.h"
#include "analysis/control/controller.h"
#include "analysis/control/playback.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/kinematics.h"
#include "analysis/motion/resample.h"
#include "tests/support/control_case.h"
#include "tests/support/walker.h"

#define DEGREE (PI / 180)

/* The walker stands, soles at y = 0, and sways its trunk. */
static void stand(Clip *c, double seconds, double sway)
{
    BodyDef body = body_default_def();
    *c = (Clip){0};
    walker_skeleton(&c->skeleton);
    assert_int_equal(motion_init(&c->motion, (int)(100 * seconds) + 1, WALKER_JOINTS, 0.01, 0, NULL), STATUS_OK);
    for (int f = 0; f < c->motion.frame_count; f++) {
        c->motion.root_position[f] = vec3(0, 0.95, 0);
        for (int j = 0; j < WALKER_JOINTS; j++)
            c->motion.rotation[motion_index(&c->motion, f, j)] = QUAT_IDENTITY;
        Vec3 turn = {sway * elementary_sin(PI * c->motion.time[f]), 0, 0};
        c->motion.rotation[motion_index(&c->motion, f, 9)] = quat_exp(turn);
    }
    assert_int_equal(body_from_skeleton(&c->skeleton, &body, &c->body, NULL), STATUS_OK);
}

static Tracking track(const Clip *c, const PlaybackDef *def, ControllerKind kind)
{
    Playback p;
    Tracking t;
    ControllerDef controller = controller_default_def();
    ClipView view = {&c->skeleton, &c->body, &c->motion, c->has_kinematics ? &c->kinematics : NULL};
    controller.kind = kind;
    assert_int_equal(playback_init(&p, &view, def, NULL), STATUS_OK);
    assert_int_equal(playback_tracking(&p, &t, NULL), STATUS_OK);
    assert_int_equal(playback_run(&p, &controller, &t, NULL), STATUS_OK);
    playback_trim(&p, &t);
    playback_free(&p);
    return t;
}

static PlaybackDef free_def(void)
{
    PlaybackDef def = playback_default_def();
    def.root = ROOT_FREE;
    def.ground = 0;
    return def;
}

/* A force on the chest of a standing body, N, from 0.2 to 0.4 s. */
static Tracking push(Clip *c, PlaybackDef *def, Vec3 force, int *chest)
{
    double time[2] = {0.2, 0.4};
    int joint[2] = {9, 9};
    Vec3 forces[2] = {force, force}, none[2] = {{0, 0, 0}, {0, 0, 0}}, point[2] = {{0, 1.3, 0}, {0, 1.3, 0}};
    ExternalRows rows = {.row_count = 2, .time = time, .joint = joint, .force = forces, .point = point, .couple = none};
    stand(c, 1, 0);
    *def = free_def();
    def->forces = &rows;
    def->strength_share = 1;
    def->stature = 1.75;
    *chest = 9;
    Tracking t = track(c, def, CONTROLLER_KANE_FEEDFORWARD);
    def->forces = NULL;
    return t;
}

/* Positions of the joints in a step, from the orientations and the root alone. */
static void place_joints(const Clip *c, const TrackingRun *run, int step, Vec3 *position)
{
    const Quat *world = run->orientation + (size_t)step * WALKER_JOINTS;
    position[0] = run->root_position[step];
    for (int j = 1; j < WALKER_JOINTS; j++) {
        int up = c->skeleton.parent[j];
        position[j] = vec3_add(position[up], quat_rotate(world[up], c->skeleton.offset[j]));
    }
}

/* Rotation of a body in the step that begins here, world axes. */
static Vec3 rotation_in(const TrackingRun *run, int step, int joint)
{
    const Quat *now = run->orientation + (size_t)step * WALKER_JOINTS + joint;
    Quat change = quat_mul(now[WALKER_JOINTS], quat_conjugate(now[0]));
    return vec3_scale(quat_log(change.w < 0 ? quat_neg(change) : change), 2);
}

/* J, in the middle of a step, by differences; *work: of the motors in it, J. *chest_path: m, of body 9. */
static double energy_in(const Clip *c, const TrackingRun *run, int step, double *work, Vec3 *chest_path)
{
    Vec3 a[WALKER_JOINTS], b[WALKER_JOINTS];
    double energy = 0, dt = 0.01;
    place_joints(c, run, step, a);
    place_joints(c, run, step + 1, b);
    *work = 0;
    for (int j = 0; j < WALKER_JOINTS; j++) {
        size_t at = (size_t)step * WALKER_JOINTS + (size_t)j;
        Vec3 from = vec3_add(a[j], quat_rotate(run->orientation[at], c->body.com[j]));
        Vec3 to = vec3_add(b[j], quat_rotate(run->orientation[at + WALKER_JOINTS], c->body.com[j]));
        Vec3 path = vec3_sub(to, from), turn = rotation_in(run, step, j);
        Vec3 own = quat_rotate_inverse(run->orientation[at], turn);
        energy += 0.5 * (c->body.mass[j] * vec3_dot(path, path) + vec3_dot(own, sym3_mul(c->body.inertia[j], own))) /
                  (dt * dt);
        energy += c->body.mass[j] * GRAVITY * 0.5 * (from.y + to.y);
        if (j > 0)
            *work += vec3_dot(run->torque[at], vec3_sub(turn, rotation_in(run, step, c->skeleton.parent[j])));
        if (j == 9)
            *chest_path = path;
    }
    return energy;
}

/* The energy never exceeds that of the start and the work of motors and push, but for the error of differences. */
static void assert_energy(const Clip *c, const TrackingRun *run, int steps, Vec3 push)
{
    double work, done = 0, all = 0, start;
    Vec3 path;
    start = energy_in(c, run, 0, &work, &path);
    for (int f = 0; f + 2 < steps; f++) {
        energy_in(c, run, f, &work, &path);
        work += f >= 20 && f <= 40 ? vec3_dot(push, path) : 0;
        done += work;
        all += fabs(work);
        assert_true(energy_in(c, run, f + 1, &work, &path) - start - done < 10 + 0.05 * all);
    }
}

/* The recorded forces of ground and push, with the weight, are what changes the momentum: from rest to rest, none. */
static void assert_impulse(const Clip *c, const TrackingRun *run, int steps, Vec3 push)
{
    double weight = c->body.total_mass * GRAVITY, dt = 0.01;
    Vec3 pushed = {0, 0, 0}, sum = {0, 0, 0};
    for (int f = 0; f + 1 < steps; f++) {
        sum.y -= weight * dt;
        for (size_t j = 0; j < WALKER_JOINTS; j++) {
            size_t at = (size_t)f * WALKER_JOINTS + j;
            sum = vec3_mad(sum, dt, vec3_add(run->contact_force[at], run->push_force[at]));
            pushed = vec3_mad(pushed, dt, run->push_force[at]);
        }
    }
    assert_vec3_near(pushed, vec3_scale(push, 0.21), 0.02 * vec3_norm(push)); /* a table's rows hold a step longer */
    assert_vec3_near(sum, vec3(0, 0, 0), 0.01 * weight);
}

/* A hard push makes the body fall; it comes to rest on the ground after the end of the clip, and no joint torque is
 * beyond people's strength. */
TEST(pushed_body_falls_and_rests)
{
    static const Vec3 pushes[] = {{0, 0, 600}, {0, 0, -600}, {600, 0, 0}, {-600, 0, 0}};
    for (size_t i = 0; i < sizeof pushes / sizeof *pushes; i++) {
        Clip c;
        PlaybackDef def;
        int chest;
        Tracking t = push(&c, &def, pushes[i], &chest);
        const TrackingRun *run = &t.run[CONTROLLER_KANE_FEEDFORWARD];
        size_t last = (size_t)(t.frame_count - 1);
        assert_string_equal(run->outcome, "falls");
        assert_true(run->lost_time > 0.2 && run->rest_time > run->lost_time && run->rest_time < run->lost_time + 3);
        assert_true(run->root_position[last].y < 0.3 && run->root_position[last].y > 0);
        for (size_t f = 0; f <= last; f++) {
            Vec3 place[WALKER_JOINTS];
            place_joints(&c, run, (int)f, place);
            for (int j = 0; j < WALKER_JOINTS; j++)
                assert_true(place[j].y > -0.01);
            assert_true(run->root_position[f].y < 1.2);
            for (size_t j = 0; j < WALKER_JOINTS; j++)
                assert_true(vec3_norm(run->torque[f * WALKER_JOINTS + j]) < 800);
        }
        assert_energy(&c, run, t.frame_count, pushes[i]);
        assert_impulse(&c, run, t.frame_count, pushes[i]);
        tracking_free(&t);
        clip_free(&c);
    }
}

/* A moderate push is borne: no joint is farther from its place than a step. */
TEST(pushed_body_keeps_its_balance)
{
    for (int i = 0; i < 2; i++) {
        Clip c;
        PlaybackDef def;
        int chest;
        Tracking t = push(&c, &def, vec3(0, 0, i ? -60 : 60), &chest);
        const TrackingRun *run = &t.run[CONTROLLER_KANE_FEEDFORWARD];
        assert_true(strcmp(run->outcome, "falls") && strcmp(run->outcome, "diverges"));
        assert_true(run->root_position[t.frame_count - 1].y > 0.8);
        tracking_free(&t);
        clip_free(&c);
    }
}

TEST(body_balances_for_10_s)
{
    Clip c;
    stand(&c, 1, 0.1);
    PlaybackDef def = free_def();
    def.duration = 10;
    Tracking t = track(&c, &def, CONTROLLER_KANE_FEEDFORWARD);
    const TrackingRun *run = &t.run[CONTROLLER_KANE_FEEDFORWARD];
    assert_int_equal(t.frame_count, 1001);
    assert_near(run->stable_time, 10, 1e-9);
    assert_true(run->mean_error < 1 * DEGREE);
    assert_true(vec3_distance(run->root_position[1000], vec3(0, 0.95, 0)) < 0.02);
    assert_near(run->root_residual_force_rms, 0, 0);
    assert_near(vec3_norm(run->torque[0]), 0, 0);
    tracking_free(&t);
    clip_free(&c);
}

/* Without friction, a leaning body cannot be balanced: the feet slide. */
TEST(body_without_friction_does_not_balance)
{
    Clip c;
    stand(&c, 2, 0.5);
    PlaybackDef def = free_def();
    Tracking held = track(&c, &def, CONTROLLER_KANE);
    def.friction = 0.001;
    Tracking slid = track(&c, &def, CONTROLLER_KANE);
    assert_true(held.run[CONTROLLER_KANE].mean_distance < 0.5 * slid.run[CONTROLLER_KANE].mean_distance);
    tracking_free(&held);
    tracking_free(&slid);
    clip_free(&c);
}

TEST(free_root_needs_a_ground)
{
    Clip c;
    Playback p;
    stand(&c, 0.2, 0);
    PlaybackDef def = free_def();
    def.ground = -INFINITY;
    ClipView view = {&c.skeleton, &c.body, &c.motion, NULL};
    assert_int_equal(playback_init(&p, &view, &def, NULL), STATUS_USAGE);
    clip_free(&c);
}

/* The forces of balance are inside the friction cone, support the given load, and leave no root force. */
TEST(balance_leaves_no_root_force)
{
    ControlCase c;
    control_case_init(&c, 5);
    Kinematics *k = &c.plant.kinematics;
    static const int joint[4] = {1, 1, 2, 2};
    static const Vec3 point[4] = {{0.1, 0, 0.1}, {-0.1, 0, -0.1}, {0.2, 0, -0.1}, {-0.2, 0, 0.1}};
    Footing ground = {4, joint, point, 100, {0, 1, 0}, 0.5, NULL};
    Dynamics dynamics = {0};
    InverseDynamicsDef inverse = inverse_dynamics_default_def();
    static const char loaded[4] = {1, 1, 1, 1};
    BalanceGoal goal = {.loaded = loaded};
    c.plant.ground = &ground;
    c.plant.goal = &goal;
    BalanceWeights weights = balance_default();
    Gains gains = gains_default();
    assert_int_equal(balance_find(&c.plant, &weights, &gains, NULL), STATUS_OK);
    ClipView view = plant_view(&c.plant);
    assert_int_equal(inverse_dynamics(&view, &c.plant.loads, &inverse, &dynamics, NULL), STATUS_OK);
    double weight = c.plant.body->total_mass * GRAVITY;
    assert_true(vec3_norm(dynamics.residual_force[0]) < 1e-9 * weight);
    assert_true(vec3_norm(dynamics.residual_torque[0]) < 1e-9 * weight);
    double borne = 0;
    for (int j = 0; j < k->joint_count; j++) {
        Vec3 f = c.plant.loads.force[j];
        assert_true(f.y >= -1e-6 && sqrt(f.x * f.x + f.z * f.z) <= 0.5 * f.y + 1e-6 * weight);
        assert_true(j == 1 || j == 2 || vec3_norm(f) == 0);
        borne += f.y;
    }
    assert_true(borne > 0);
    dynamics_free(&dynamics);
    control_case_free(&c);
}

/* Result of balance for a random tree on four points: deviation from the desired acceleration of the centre of mass,
 * torques, and their sum of squares. */
typedef struct Balanced {
    double off, torques;
    Vec3 torque[CASE_JOINTS];
} Balanced;

static Balanced balance_of(const BalanceWeights *weights, const Gains *gains)
{
    ControlCase c;
    control_case_init(&c, 5);
    static const int joint[4] = {1, 1, 2, 2};
    static const Vec3 point[4] = {{0.1, 0, 0.1}, {-0.1, 0, -0.1}, {0.2, 0, -0.1}, {-0.2, 0, 0.1}};
    Footing ground = {4, joint, point, 100, {0, 1, 0}, 0.5, NULL};
    Dynamics dynamics = {0};
    InverseDynamicsDef inverse = inverse_dynamics_default_def();
    Balanced b = {0};
    static const char loaded[4] = {1, 1, 1, 1};
    BalanceGoal goal = {.acceleration = {1, 0.5, -1}, .loaded = loaded};
    c.plant.ground = &ground;
    c.plant.goal = &goal;
    assert_int_equal(balance_find(&c.plant, weights, gains, NULL), STATUS_OK);
    ClipView view = plant_view(&c.plant);
    assert_int_equal(inverse_dynamics(&view, &c.plant.loads, &inverse, &dynamics, NULL), STATUS_OK);
    Vec3 got = c.plant.gravity;
    for (int i = 0; i < c.plant.loads.load_count; i++)
        got = vec3_mad(got, 1 / c.plant.body->total_mass, c.plant.loads.force[i]);
    b.off = vec3_distance(goal.acceleration, got);
    for (int j = 1; j < CASE_JOINTS; j++) {
        b.torque[j] = dynamics.torque[j];
        b.torques += vec3_dot(b.torque[j], b.torque[j]);
    }
    dynamics_free(&dynamics);
    control_case_free(&c);
    return b;
}

/* A larger root weight reduces the deviation, a larger torque weight the torques. */
TEST(weights_of_the_balance_trade_tracking_for_torques)
{
    BalanceWeights weights = balance_default();
    Gains gains = gains_default();
    Balanced usual = balance_of(&weights, &gains);
    weights.root = 100;
    assert_true(balance_of(&weights, &gains).off < 0.9 * usual.off);
    weights = balance_default();
    weights.torque = 10;
    assert_true(balance_of(&weights, &gains).torques < 0.9 * usual.torques);
}

/* Torques stay within the limits of joints that ground forces can relieve. */
TEST(balance_keeps_torques_within_bounds)
{
    BalanceWeights weights = balance_default();
    Gains gains = gains_default();
    Balanced usual = balance_of(&weights, &gains);
    JointGains own[CASE_JOINTS];
    for (int j = 0; j < CASE_JOINTS; j++)
        own[j] = (JointGains){NAN, NAN, NAN, NAN};
    gains.joint = own;
    for (int j = 1; j <= 2; j++) {
        double size = vec3_norm(usual.torque[j]);
        own[j].torque_max = 0.8 * size;
        Balanced bounded = balance_of(&weights, &gains);
        assert_true(vec3_norm(bounded.torque[j]) < 0.8 * size * 1.01);
        own[j].torque_max = 2 * size;
        bounded = balance_of(&weights, &gains);
        assert_vec3_near(bounded.torque[j], usual.torque[j], 1e-9 * size);
        own[j].torque_max = NAN;
    }
}

/* Loads of the clip support the weight: the root force is the remainder, and torques are those of inverse dynamics with
 * these loads. */
TEST(clip_loads_reduce_the_root_force)
{
    Clip c;
    stand(&c, 1, 0);
    int foot[2] = {3, 7};
    DifferenceDef difference = difference_default_def();
    ClipView view = {&c.skeleton, &c.body, &c.motion, NULL};
    assert_int_equal(differentiate(&view, &difference, &c.kinematics, NULL), STATUS_OK);
    c.has_kinematics = 1;
    Loads loads;
    char loaded[WALKER_JOINTS] = {0};
    loaded[foot[0]] = loaded[foot[1]] = 1;
    assert_int_equal(loads_init(&loads, c.motion.frame_count, loaded, WALKER_JOINTS, NULL), STATUS_OK);
    double half = 0.5 * c.body.total_mass * GRAVITY;
    for (int f = 0; f < loads.frame_count; f++)
        for (int k = 0; k < 2; k++) {
            size_t at = (size_t)(2 * f + k);
            Vec3 place = vec3_add(c.kinematics.position[foot[k]], vec3(0, -0.08, 0.05));
            loads.force[at] = vec3(0, 0.9 * half, 0);
            loads.moment[at] = vec3_cross(place, loads.force[at]);
        }
    PlaybackDef def = playback_default_def();
    def.root = ROOT_LOADS;
    def.loads = &loads;
    static const double max[] = {0.01, 10};  /* degrees; stable PD sags under a weight that it does not compensate */
    static const ControllerKind kinds[] = {CONTROLLER_KANE_FEEDFORWARD, CONTROLLER_STABLE_PD};
    for (int i = 0; i < 2; i++) {
        Tracking t = track(&c, &def, kinds[i]);
        const TrackingRun *run = &t.run[kinds[i]];
        assert_near(run->root_residual_force_rms, 0.1, 1e-3);
        assert_true(run->mean_error < max[i] * DEGREE);
        size_t ankle = (size_t)50 * WALKER_JOINTS + (size_t)foot[0];
        assert_near(run->torque[ankle].x, 0.9 * half * 0.05, 1.5); /* minus the foot's own weight */
        tracking_free(&t);
    }
    loads_free(&loads);
    clip_free(&c);
}

/* A controller compensates a spring between two joints: the pose is kept. */
TEST(springs_are_compensated)
{
    Clip c;
    stand(&c, 0.5, 0);
    SpringElement element = {.name = (char *)"band", .kind = SPRING_AXIAL, .joint_a = 15, .joint_b = 3,
                             .stiffness = 500, .damping = 2};
    Springs springs = {1, &element};
    PlaybackDef def = playback_default_def();
    def.springs = &springs;
    Tracking t = track(&c, &def, CONTROLLER_KANE_FEEDFORWARD);
    const TrackingRun *run = &t.run[CONTROLLER_KANE_FEEDFORWARD];
    assert_true(run->mean_error < 0.05 * DEGREE);
    def.springs = NULL;
    Tracking bare = track(&c, &def, CONTROLLER_KANE_FEEDFORWARD);
    assert_true(run->torque_sum_mean > bare.run[CONTROLLER_KANE_FEEDFORWARD].torque_sum_mean + 100);
    tracking_free(&t);
    tracking_free(&bare);
    clip_free(&c);
}

/* Ground forces of a standing body: half of its weight on either foot, ahead of the ankle. */
static Loads standing_loads(Clip *c)
{
    Loads loads;
    char loaded[WALKER_JOINTS] = {0};
    const int foot[2] = {3, 7};
    DifferenceDef difference = difference_default_def();
    ClipView view = {&c->skeleton, &c->body, &c->motion, NULL};
    assert_int_equal(differentiate(&view, &difference, &c->kinematics, NULL), STATUS_OK);
    c->has_kinematics = 1;
    loaded[foot[0]] = loaded[foot[1]] = 1;
    assert_int_equal(loads_init(&loads, c->motion.frame_count, loaded, WALKER_JOINTS, NULL), STATUS_OK);
    for (int i = 0; i < 2 * loads.frame_count; i++) {
        Vec3 place = vec3_add(c->kinematics.position[foot[i % 2]], vec3(0, -0.08, 0.05));
        loads.force[i] = vec3(0, 0.5 * c->body.total_mass * GRAVITY, 0);
        loads.moment[i] = vec3_cross(place, loads.force[i]);
    }
    return loads;
}

/* With a compliant root the ground supports a standing body, with inverse dynamics torques for the clip's ground forces
 * as well as with balance. */
TEST(ground_supports_body_with_compliant_root)
{
    Clip c;
    stand(&c, 2, 0.1);
    Loads loads = standing_loads(&c);
    PlaybackDef def = free_def();
    def.root = ROOT_COMPLIANT;
    def.loads = &loads;
    static const ControllerKind kinds[] = {CONTROLLER_KANE_FEEDFORWARD, CONTROLLER_KANE, CONTROLLER_PD_INVERSE};
    for (int i = 0; i < 3; i++) {
        Tracking t = track(&c, &def, kinds[i]);
        const TrackingRun *run = &t.run[kinds[i]];
        assert_true(run->root_residual_force_rms < 0.03);
        assert_true(run->mean_error < 3 * DEGREE);
        assert_true(run->root_residual_force_rms > 1e-4);
        tracking_free(&t);
    }
    loads_free(&loads);
    clip_free(&c);
}

/* Without ground contact the root springs support the body, m g / k below its path. */
TEST(compliant_root_deflects_by_the_weight)
{
    Clip c;
    stand(&c, 4, 0);
    PlaybackDef def = free_def();
    def.root = ROOT_COMPLIANT;
    def.ground = -3;
    def.root_stiffness = 10000;
    def.duration = 6;
    Tracking t = track(&c, &def, CONTROLLER_STABLE_PD);
    const TrackingRun *run = &t.run[CONTROLLER_STABLE_PD];
    double weight = c.body.total_mass * GRAVITY;
    assert_near(run->root_position[600].y, 0.95 - weight / 10000, 1e-4);
    assert_near(run->root_residual_force[600].y, weight, 1e-3 * weight);
    tracking_free(&t);
    clip_free(&c);
}

/* On low-friction ground a foot that pushes sideways slides. */
TEST(body_with_compliant_root_slips_without_friction)
{
    Clip c;
    double slip[2];
    stand(&c, 2, 0.2);
    for (int i = 0; i < 2; i++) {
        PlaybackDef def = free_def();
        def.root = ROOT_COMPLIANT;
        def.friction = i ? 0.01 : 0.8;
        def.root_stiffness = 300;
        Tracking t = track(&c, &def, CONTROLLER_KANE_FEEDFORWARD);
        slip[i] = t.run[CONTROLLER_KANE_FEEDFORWARD].mean_distance;
        tracking_free(&t);
    }
    print_error("%g %g\n", slip[0], slip[1]);
    assert_true(slip[1] > 2 * slip[0]);
    clip_free(&c);
}

/* Controllers without the external force yield. */
TEST(controllers_given_external_forces_compensate_them)
{
    Clip c;
    stand(&c, 1, 0);
    double time[2] = {0.2, 0.8};
    int joint[2] = {12, 12};
    Vec3 force[2] = {{0, -150, 60}, {0, -150, 60}}, point[2] = {{0, 1.3, 0.1}, {0, 1.3, 0.1}}, couple[2] = {{0}};
    ExternalRows rows = {2, time, joint, force, point, couple};
    PlaybackDef def = playback_default_def();
    double error[3];
    for (int i = 0; i < 3; i++) {
        def.forces = i ? &rows : NULL;
        def.forces_known = i == 2;
        Tracking t = track(&c, &def, CONTROLLER_KANE_FEEDFORWARD);
        error[i] = t.run[CONTROLLER_KANE_FEEDFORWARD].mean_error;
        tracking_free(&t);
    }
    assert_near(error[2], error[0], 1e-6 * DEGREE);
    assert_true(error[1] > error[0] + 1 * DEGREE);
    time[0] = 5;
    time[1] = 6;
    Playback p;
    ClipView view = {&c.skeleton, &c.body, &c.motion, NULL};
    assert_int_equal(playback_init(&p, &view, &def, NULL), STATUS_BAD_INPUT);
    clip_free(&c);
}

/* Final position of a joint of a simulated body. */
static Vec3 place_of(const Clip *c, const Tracking *t, ControllerKind kind, int frame, int joint)
{
    const TrackingRun *run = &t->run[kind];
    const Quat *q = run->orientation + (size_t)frame * (size_t)t->joint_count;
    Vec3 place = {0, 0, 0};
    for (int j = joint; c->skeleton.parent[j] >= 0; j = c->skeleton.parent[j])
        place = vec3_add(quat_rotate(q[c->skeleton.parent[j]], c->skeleton.offset[j]), place);
    return vec3_add(run->root_position[frame], place);
}

/* A hand reaches its targets within a millimetre, along straight lines, and returns to the motion; one out of reach is
 * missed by the length that the arm lacks. */
TEST(end_effector_reaches_its_target)
{
    Clip c;
    Playback p;
    stand(&c, 4, 0);
    ClipView view = {&c.skeleton, &c.body, &c.motion, NULL};
    int wrist = skeleton_find_role(&c.skeleton, ROLE_LEFT_WRIST);
    int shoulder = c.skeleton.parent[c.skeleton.parent[wrist]];
    PlaybackDef def = playback_default_def();
    Tracking still = track(&c, &def, CONTROLLER_KANE_FEEDFORWARD);
    Vec3 from = place_of(&c, &still, CONTROLLER_KANE_FEEDFORWARD, 0, shoulder);
    Vec3 rest = place_of(&c, &still, CONTROLLER_KANE_FEEDFORWARD, 0, wrist);
    double length = vec3_norm(c.skeleton.offset[wrist]);
    Vec3 place[2] = {vec3_add(from, vec3(0, -0.4 * length, 1.2 * length)),
                     vec3_add(from, vec3(0, 0.5 * length, 1.1 * length))};
    double time[2] = {1, 2};
    int joint[2] = {wrist, wrist};
    TargetRows targets = {2, time, joint, place, {0}};
    def.targets = &targets;
    Tracking t = track(&c, &def, CONTROLLER_KANE_FEEDFORWARD);
    for (int i = 0; i <= 2; i++) {
        Vec3 wanted = vec3_mad(vec3_scale(place[0], 1 - 0.5 * i), 0.5 * i, place[1]);
        Vec3 there = place_of(&c, &t, CONTROLLER_KANE_FEEDFORWARD, 100 + 50 * i, wrist);
        assert_true(vec3_distance(there, wanted) < 1e-3);
    }
    assert_vec3_near(place_of(&c, &t, CONTROLLER_KANE_FEEDFORWARD, 400, wrist), rest, 1e-3);
    assert_int_equal(playback_init(&p, &view, &def, NULL), STATUS_OK);
    assert_true(p.miss.distance < 1e-9);
    playback_free(&p);
    place[1] = vec3_add(from, vec3(0, 0, 9 * length));
    assert_int_equal(playback_init(&p, &view, &def, NULL), STATUS_OK);
    assert_int_equal(p.miss.joint, wrist);
    assert_near(p.miss.time, 2, 1e-9);
    assert_true(p.miss.distance > 6 * length);
    playback_free(&p);
    joint[0] = 0;
    assert_int_equal(playback_init(&p, &view, &def, NULL), STATUS_BAD_INPUT);
    tracking_free(&t);
    tracking_free(&still);
    clip_free(&c);
}

/* Feedforward with the acceleration of the previous step is half a step late on both sides. */
TEST(acceleration_of_the_previous_step_increases_error)
{
    Clip c;
    stand(&c, 1, 0.4);
    PlaybackDef def = playback_default_def();
    Tracking coming = track(&c, &def, CONTROLLER_KANE_FEEDFORWARD);
    def.present_acceleration = 1;
    Tracking present = track(&c, &def, CONTROLLER_KANE_FEEDFORWARD);
    assert_true(coming.run[CONTROLLER_KANE_FEEDFORWARD].mean_error <
                0.7 * present.run[CONTROLLER_KANE_FEEDFORWARD].mean_error);
    tracking_free(&coming);
    tracking_free(&present);
    clip_free(&c);
}

/* The ball moves as in the world, and is deflected by the foot that it is dropped on. */
TEST(ball_collides_with_every_body_and_is_stored)
{
    Clip c;
    stand(&c, 2, 0);
    PlaybackDef def = playback_default_def();
    def.ball = (BallDrop){.mass = 0.5, .radius = 0.05, .height = 1.6, .time = 0.5, .joint = 3};
    Tracking t = track(&c, &def, CONTROLLER_KANE);
    const TrackingRun *run = &t.run[CONTROLLER_KANE];
    assert_true(isnan(run->ball[49].y));
    assert_near(run->ball[51].y - run->ball[52].y, 0.02 * GRAVITY * 0.01, 0.003);
    assert_true(fabs(run->ball[90].x - run->ball[51].x) > 0.05);
    tracking_free(&t);
    clip_free(&c);
}

/* The ball rebounds to the height of the playback's restitution. */
TEST(ball_rebounds_with_the_given_restitution)
{
    Clip c;
    stand(&c, 1.5, 0);
    PlaybackDef def = playback_default_def();
    def.ball = (BallDrop){.mass = 0.05, .radius = 0.05, .height = 1, .time = 0.1, .joint = 12};
    double highest[2];
    for (int k = 0; k < 2; k++) {
        def.restitution = k ? 0.8 : 0.1;
        Tracking t = track(&c, &def, CONTROLLER_KANE);
        const Vec3 *ball = t.run[CONTROLLER_KANE].ball;
        int f = 12;
        while (ball[f + 1].y < ball[f].y)
            f++;
        double lowest = ball[f].y;
        highest[k] = -INFINITY;
        for (; f < t.frame_count; f++)
            highest[k] = fmax(highest[k], ball[f].y - lowest);
        tracking_free(&t);
    }
    assert_true(highest[0] < 0.05);
    assert_true(highest[1] > 0.2);
    clip_free(&c);
}

/* The simulated result is a motion of the clip's joints. */
TEST(tracking_run_converts_to_a_motion)
{
    Clip c;
    Motion m;
    stand(&c, 0.5, 0.2);
    PlaybackDef def = playback_default_def();
    Tracking t = track(&c, &def, CONTROLLER_KANE_FEEDFORWARD);
    assert_int_equal(tracking_motion(&t, CONTROLLER_KANE_FEEDFORWARD, &c.skeleton, &m, NULL), STATUS_OK);
    assert_int_equal(m.frame_count, c.motion.frame_count);
    assert_near(m.frame_time, 0.01, 1e-9);
    for (int f = 0; f < m.frame_count; f += 10) {
        size_t spine = motion_index(&m, f, 9);
        Quat turn = quat_mul(m.rotation[spine], quat_conjugate(c.motion.rotation[spine]));
        assert_true(2 * vec3_norm(quat_log(turn)) < 0.5 * DEGREE);
        assert_true(vec3_distance(m.root_position[f], c.motion.root_position[f]) < 1e-6);
    }
    motion_free(&m);
    assert_int_equal(tracking_motion(&t, CONTROLLER_PD, &c.skeleton, &m, NULL), STATUS_BAD_INPUT);
    tracking_free(&t);
    clip_free(&c);
}

/* The second difference of the B-spline is that of the frames, averaged; its positions are near the frames. */
TEST(smooth_resampling_keeps_accelerations)
{
    Motion m, fine;
    assert_int_equal(motion_init(&m, 31, 1, 1.0 / 30, 0, NULL), STATUS_OK);
    for (int f = 0; f < 31; f++) {
        m.root_position[f] = vec3(elementary_sin(8 * m.time[f]), 0, 0);
        m.rotation[f] = quat_exp(vec3(0, 0.3 * elementary_sin(8 * m.time[f]), 0));
    }
    assert_int_equal(motion_resample_smooth(&m, 300, &fine, NULL), STATUS_OK);
    for (int f = 2; f < 29; f++) {
        const Vec3 *x = m.root_position + f, *y = fine.root_position + 10 * f;
        double coarse = 900 * (x[1].x - 2 * x[0].x + x[-1].x), dense = 90000 * (y[1].x - 2 * y[0].x + y[-1].x);
        assert_near(dense, coarse, 0.02 * 64);
        Vec3 turn = vec3_scale(quat_log(quat_mul(fine.rotation[10 * f], quat_conjugate(m.rotation[f]))), 2);
        assert_true(vec3_norm(turn) < 0.6 * 64.0 / 6 / 900 + 1e-9);
    }
    motion_free(&fine);
    motion_free(&m);
}
