/* analysis/dynamics/inverse_dynamics: static pose, free fall, gyroscopic moment, sliding joints, massless joints, the
 * same bits at each vector width. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "tests/support/random_clip.h"

#define GOLDEN_FREE 0x964823399453a56u
#define GOLDEN_SLIDING 0x1a328776b51e7983u
#define GOLDEN_LOADED 0x424b6ef1d160ded1u

static void solve_at(Clip *c, const Loads *loads, LaneWidth lanes)
{
    InverseDynamicsDef def = inverse_dynamics_default_def();
    def.lanes = lanes;
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    assert_int_equal(inverse_dynamics(&view, loads, &def, &c->dynamics, NULL), STATUS_OK);
}

static void solve(Clip *c, const Loads *loads) { solve_at(c, loads, LANES_AUTO); }

/* Mass and first moment about the world origin of the subtree of joint j in one frame. */
static Vec3 subtree_moment(const Clip *c, int frame, int j, double *mass)
{
    size_t at = motion_index(&c->motion, frame, j);
    Vec3 com = vec3_add(c->kinematics.position[at], quat_rotate(c->kinematics.orientation[at], c->body.com[j]));
    Vec3 sum = vec3_scale(com, c->body.mass[j]);
    *mass += c->body.mass[j];
    for (int k = j + 1; k < c->skeleton.joint_count; k++)
        if (c->skeleton.parent[k] == j)
            sum = vec3_add(sum, subtree_moment(c, frame, k, mass));
    return sum;
}

TEST(static_pose_has_gravity_torques)
{
    Clip c;
    assert_true(random_clip_init(&c, 14, 3, 1));
    size_t count = (size_t)14 * 3;
    memset(c.kinematics.angular_velocity, 0, count * sizeof(Vec3));
    memset(c.kinematics.angular_acceleration, 0, count * sizeof(Vec3));
    memset(c.kinematics.velocity, 0, count * sizeof(Vec3));
    memset(c.kinematics.acceleration, 0, count * sizeof(Vec3));
    solve(&c, NULL);
    for (int f = 0; f < 3; f++)
        for (int j = 0; j < 14; j++) {
            size_t at = motion_index(&c.motion, f, j);
            double mass = 0;
            Vec3 moment = subtree_moment(&c, f, j, &mass), weight = vec3(0, -GRAVITY, 0);
            Vec3 lever = vec3_sub(moment, vec3_scale(c.kinematics.position[at], mass));
            assert_vec3_near(c.dynamics.force[at], vec3_scale(weight, -mass), 1e-11);
            assert_vec3_near(c.dynamics.torque[at], vec3_neg(vec3_cross(lever, weight)), 1e-11);
            assert_near(c.dynamics.power[at], 0, 0);
        }
    assert_vec3_near(c.dynamics.residual_force[1], vec3(0, c.body.total_mass * GRAVITY, 0), 1e-11);
    clip_free(&c);
}

TEST(free_fall_needs_no_torque)
{
    Clip c;
    assert_true(random_clip_init(&c, 9, 2, 2));
    for (size_t i = 0; i < 18; i++) {
        c.kinematics.angular_velocity[i] = c.kinematics.angular_acceleration[i] = vec3(0, 0, 0);
        c.kinematics.acceleration[i] = vec3(0, -GRAVITY, 0);
    }
    solve(&c, NULL);
    for (size_t i = 0; i < 18; i++) {
        assert_vec3_near(c.dynamics.torque[i], vec3(0, 0, 0), 0);
        assert_vec3_near(c.dynamics.force[i], vec3(0, 0, 0), 0);
    }
    clip_free(&c);
}

/* Euler's equations: a body with principal moments (1, 2, 4) rotates freely if alpha = I^-1 (-omega x I omega); at
 * constant omega it requires the gyroscopic moment, which (3.19) of the thesis omits. */
TEST(spinning_body_has_gyroscopic_moment)
{
    Clip c;
    Vec3 w = {3, -2, 5}, iw = {3, -4, 20};
    Vec3 gyroscopic = vec3_cross(w, iw);
    assert_true(random_clip_init(&c, 1, 1, 3));
    Quat q = c.motion.rotation[0];
    c.body.inertia[0] = (Sym3){1, 2, 4, 0, 0, 0};
    c.body.com[0] = vec3(0, 0, 0);
    c.kinematics.angular_velocity[0] = quat_rotate(q, w);
    c.kinematics.angular_acceleration[0] = vec3(0, 0, 0);
    solve(&c, NULL);
    assert_vec3_near(c.dynamics.torque[0], quat_rotate(q, gyroscopic), 1e-13);
    c.kinematics.angular_acceleration[0] = quat_rotate(q, vec3(-gyroscopic.x, -gyroscopic.y / 2, -gyroscopic.z / 4));
    solve(&c, NULL);
    assert_vec3_near(c.dynamics.torque[0], vec3(0, 0, 0), 1e-13);
    clip_free(&c);
}

/* Splitting a bone by a massless, rigid joint leaves the results beyond it unchanged. */
TEST(massless_joint_transmits_loads)
{
    Clip c;
    assert_true(random_clip_init(&c, 3, 4, 4));
    memcpy(c.skeleton.parent, (int[]){-1, 0, 1}, 3 * sizeof(int));
    c.body.mass[1] = 0;
    c.body.inertia[1] = (Sym3){0};
    for (int f = 0; f < 4; f++)
        random_clip_pose(&c, f);
    solve(&c, NULL);
    for (int f = 0; f < 4; f++) {
        size_t bone = motion_index(&c.motion, f, 1), tip = bone + 1;
        Vec3 arm = vec3_sub(c.kinematics.position[tip], c.kinematics.position[bone]);
        assert_vec3_near(c.dynamics.force[bone], c.dynamics.force[tip], 0);
        assert_vec3_near(c.dynamics.torque[bone],
                         vec3_add(c.dynamics.torque[tip], vec3_cross(arm, c.dynamics.force[tip])), 1e-12);
    }
    clip_free(&c);
}

/* A bead sliding outward on a rod that rotates about the vertical: the rod exerts the Coriolis force sideways, and the
 * motion has power against the centripetal force. */
TEST(sliding_joint_has_power)
{
    const double mass = 2, r = 0.5, out = 3, spin = 4;
    Clip c;
    assert_true(random_clip_init(&c, 2, 1, 5));
    motion_free(&c.motion);
    assert_int_equal(motion_init(&c.motion, 1, 2, 0.01, 1, NULL), STATUS_OK);
    c.motion.rotation[0] = c.motion.rotation[1] = QUAT_IDENTITY;
    c.motion.translation[1] = vec3(r, 0, 0);
    for (int j = 0; j < 2; j++) {
        c.kinematics.angular_velocity[j] = vec3(0, spin, 0);
        c.kinematics.angular_acceleration[j] = c.kinematics.velocity[j] = c.kinematics.acceleration[j] = vec3(0, 0, 0);
        c.body.mass[j] = j * mass;
        c.body.com[j] = vec3(0, 0, 0);
        c.body.inertia[j] = (Sym3){0};
    }
    c.kinematics.velocity[1] = vec3(out, 0, -spin * r);
    c.kinematics.acceleration[1] = vec3(-spin * spin * r, 0, -2 * spin * out);
    solve(&c, NULL);
    assert_vec3_near(c.dynamics.force[1], vec3(-mass * spin * spin * r, mass * GRAVITY, -2 * mass * spin * out), 1e-12);
    assert_near(c.dynamics.power[1], -mass * spin * spin * r * out, 1e-12);
    /* Coriolis force times lever arm, and its power at the root: their sum is the rate of m (r spin)^2 / 2. */
    assert_near(c.dynamics.torque[0].y, 2 * mass * spin * out * r, 1e-12);
    assert_near(c.dynamics.power[0] + c.dynamics.power[1], mass * r * out * spin * spin, 1e-12);
    clip_free(&c);
}

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ p[i]) * 0x100000001b3u;
    return hash;
}

/* FNV-1a of all results. */
static uint64_t hash_dynamics(const Dynamics *d)
{
    size_t count = (size_t)d->frame_count * (size_t)d->joint_count;
    uint64_t hash = hash_bytes(0xcbf29ce484222325u, d->torque, count * sizeof *d->torque);
    hash = hash_bytes(hash, d->force, count * sizeof *d->force);
    return hash_bytes(hash, d->power, count * sizeof *d->power);
}

/* 29 frames: not a multiple of any vector width. The hash holds for any x86-64 and arm64, compiler and optimisation
 * level. */
TEST(all_lane_widths_give_same_bits)
{
    const LaneWidth widths[] = {LANES_SCALAR, LANES_PAIR, LANES_AVX2, LANES_AVX512, LANES_AUTO};
    int joint[] = {1, 6};
    Vec3 force[58], moment[58];
    Random r = {9};
    Clip c;
    assert_true(random_clip_init(&c, 17, 29, 6));
    for (int i = 0; i < 58; i++) {
        force[i] = random_vec3(&r, 100);
        moment[i] = random_vec3(&r, 100);
    }
    Loads loads = {.frame_count = 29, .load_count = 2, .joint = joint, .force = force, .moment = moment};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        solve_at(&c, NULL, widths[i]);
        assert_int_equal(hash_dynamics(&c.dynamics), GOLDEN_FREE);
        solve_at(&c, &loads, widths[i]);
        assert_int_equal(hash_dynamics(&c.dynamics), GOLDEN_LOADED);
    }
    c.motion.translation = calloc(29 * 17, sizeof *c.motion.translation);
    assert_non_null(c.motion.translation);
    for (int i = 0; i < 29 * 17; i++)
        c.motion.translation[i] = random_vec3(&r, 0.3);
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        solve_at(&c, &loads, widths[i]);
        assert_int_equal(hash_dynamics(&c.dynamics), GOLDEN_SLIDING);
    }
    clip_free(&c);
}

TEST(reused_result_equals_new_and_empty_loads_equal_null)
{
    Clip c;
    Loads none = {0};
    assert_true(random_clip_init(&c, 4, 5, 7));
    solve(&c, NULL);
    const Vec3 *torque = c.dynamics.torque;
    uint64_t hash = hash_dynamics(&c.dynamics);
    solve(&c, &none);
    assert_ptr_equal(c.dynamics.torque, torque);
    assert_int_equal(hash_dynamics(&c.dynamics), hash);
    clip_free(&c);
}

TEST(mismatched_clip_and_loads_are_refused)
{
    InverseDynamicsDef def = inverse_dynamics_default_def();
    Clip c, other;
    Error err = {0};
    int joint = 4;
    Vec3 zero[5] = {{0, 0, 0}};
    Loads loads = {.frame_count = 5, .load_count = 1, .joint = &joint, .force = zero, .moment = zero};
    assert_true(random_clip_init(&c, 4, 5, 7) && random_clip_init(&other, 5, 5, 7));
    Dynamics *out = &c.dynamics;
    ClipView view = {&c.skeleton, &other.body, &c.motion, &c.kinematics};
    assert_int_equal(inverse_dynamics(&view, NULL, &def, out, &err), STATUS_USAGE);
    assert_int_equal(inverse_dynamics(&(ClipView){&c.skeleton, &c.body, &c.motion, &c.kinematics}, &loads, &def, out,
                                      &err), STATUS_USAGE);
    assert_non_null(strstr(err.text, "joint 4 of 4"));
    c.skeleton.parent[2] = 3;
    assert_int_equal(inverse_dynamics(&(ClipView){&c.skeleton, &c.body, &c.motion, &c.kinematics}, NULL, &def, out,
                                      &err), STATUS_USAGE);
    assert_null(c.dynamics.torque);
    clip_free(&c);
    clip_free(&other);
}

/* A massless root at the world origin, the body 2 m away on a sliding joint: its weight has a moment about the root but
 * not about its centre of mass, with a centre of mass in the kinematics and without. */
TEST(residual_is_about_the_centre_of_mass)
{
    Clip c;
    assert_true(random_clip_init(&c, 2, 1, 0));
    Vec3 com = {2, 0.5, -1}, along = {0.3, 0, 0};
    Kinematics *k = &c.kinematics;
    for (int j = 0; j < 2; j++) {
        c.motion.rotation[j] = k->orientation[j] = QUAT_IDENTITY;
        k->angular_velocity[j] = k->angular_acceleration[j] = k->velocity[j] = k->acceleration[j] = vec3(0, 0, 0);
    }
    c.motion.root_position[0] = k->position[0] = vec3(0, 0, 0);
    k->position[1] = c.skeleton.offset[1] = vec3_sub(com, along);
    c.body.mass[0] = 0;
    c.body.mass[1] = c.body.total_mass = 10;
    c.body.com[1] = along;
    for (int has_com = 0; has_com < 2; has_com++) {
        k->com = has_com ? &com : NULL;
        solve(&c, NULL);
        assert_vec3_near(c.dynamics.residual_force[0], vec3(0, 10 * GRAVITY, 0), 1e-12);
        assert_vec3_near(c.dynamics.torque[0], vec3(10 * GRAVITY, 0, 20 * GRAVITY), 1e-11);
        assert_vec3_near(c.dynamics.residual_torque[0], vec3(0, 0, 0), 1e-11);
        assert_vec3_near(dynamics_residual_about(&c.dynamics, 0, k->position[0], vec3(1, 0, 0)),
                         vec3(10 * GRAVITY, 0, 10 * GRAVITY), 1e-11);
    }
    k->com = NULL;
    clip_free(&c);
}
