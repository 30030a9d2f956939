/* analysis/dynamics/kane_method: the thesis's seven bodies S, the recursion as a special case, forward dynamics. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/dynamics/kane_method.h"
#include "tests/support/energy.h"
#include "tests/support/random_clip.h"

static const Vec3 gravity = {0, -GRAVITY, 0};

/* ---- The system S of figure 3.1: children of R are A and C, of C are D and G, of D is E, of G is H. ---- */

enum { R, A, C, D, E, G, H, BODIES };
static const char letters[] = "RACDEGH";

/* Tables 3.1 and 3.2 as printed: rows are the speeds of a body, columns the centres of mass R* A* C* D* E* G* H*. An
 * entry is the vector in the cross product with N_i, r: joint to COM, p: COM of the parent to joint; "1" is N_i
 * itself. */
static const char *const table_3_1[BODIES] = {
    "0 pA pC    pC    pC    pC    pC",
    "0 rA  0     0     0     0     0",
    "0  0 rC rC+pD rC+pD rC+pG rC+pG",
    "0  0  0    rD rD+pE     0     0",
    "0  0  0     0    rE     0     0",
    "0  0  0     0     0    rG rG+pH",
    "0  0  0     0     0     0    rH",
};
static const char *const table_3_2[BODIES] = {
    "1 0 0 0 0 0 0", "0 1 0 0 0 0 0", "0 0 1 0 0 0 0", "0 0 0 1 0 0 0",
    "0 0 0 0 1 0 0", "0 0 0 0 0 1 0", "0 0 0 0 0 0 1",
};

static const Vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void system_s(Clip *c, KaneSystem *s)
{
    assert_true(random_clip_init(c, BODIES, 1, 17));
    memcpy(c->skeleton.parent, (int[]){-1, R, R, C, D, C, G}, BODIES * sizeof(int));
    c->body.com[R] = vec3(0, 0, 0); /* the thesis's root speeds are those of its COM */
    random_clip_pose(c, 0);
    assert_int_equal(kane_init(s, BODIES, NULL), STATUS_OK);
    kane_set_frame(s, &(ClipView){&c->skeleton, &c->body, &c->motion, &c->kinematics}, 0);
}

static Vec3 com_of(const Clip *c, int body)
{
    return vec3_add(c->kinematics.position[body], quat_rotate(c->kinematics.orientation[body], c->body.com[body]));
}

/* Parses "rC+pD" to the vector. */
static Vec3 read_entry(const Clip *c, const char *entry, size_t length)
{
    Vec3 sum = {0, 0, 0};
    for (size_t i = 0; i + 1 < length; i += 3) {
        int body = (int)(strchr(letters, entry[i + 1]) - letters);
        Vec3 from = entry[i] == 'r' ? c->kinematics.position[body] : com_of(c, c->skeleton.parent[body]);
        Vec3 to = entry[i] == 'r' ? com_of(c, body) : c->kinematics.position[body];
        sum = vec3_add(sum, vec3_sub(to, from));
    }
    return sum;
}

TEST(partial_velocities_equal_table_3_1)
{
    Clip c;
    KaneSystem s;
    system_s(&c, &s);
    for (int b = 0; b < BODIES; b++) {
        const char *at = table_3_1[b];
        for (int t = 0; t < BODIES; t++) {
            at += strspn(at, " ");
            size_t length = strcspn(at, " ");
            Vec3 arm = read_entry(&c, at, length);
            for (int i = 0; i < 3; i++) {
                const Vec3 *of_com = &s.partial_velocity[t * s.speed_count];
                assert_vec3_near(of_com[3 + 3 * b + i], vec3_cross(axis[i], arm), 1e-14);
                assert_vec3_near(of_com[i], axis[i], 0);
            }
            at += length;
        }
    }
    kane_free(&s);
    clip_free(&c);
}

TEST(partial_angular_velocities_equal_table_3_2)
{
    Clip c;
    KaneSystem s;
    system_s(&c, &s);
    for (int b = 0; b < BODIES; b++)
        for (int t = 0; t < BODIES; t++)
            for (int i = 0; i < 3; i++) {
                Vec3 expected = table_3_2[b][2 * t] == '1' ? axis[i] : vec3(0, 0, 0);
                assert_vec3_near(s.partial_angular_velocity[t * s.speed_count + 3 + 3 * b + i], expected, 0);
                assert_vec3_near(s.partial_angular_velocity[t * s.speed_count + i], vec3(0, 0, 0), 0);
            }
    kane_free(&s);
    clip_free(&c);
}

static void solve(Clip *c, const Loads *loads)
{
    InverseDynamicsDef def = inverse_dynamics_default_def();
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    assert_int_equal(inverse_dynamics(&view, loads, &def, &c->dynamics, NULL), STATUS_OK);
}

/* tau_E . N_i = -(F_ext + m g) . (N_i x r_E) + m a . (N_i x r_E) + (I alpha + omega x I omega) . N_i, F_ext at E*. */
TEST(recursion_gives_equation_3_35)
{
    Clip c;
    KaneSystem s;
    system_s(&c, &s);
    int joint = E;
    Vec3 external = {40, 300, -70}, moment = vec3_cross(com_of(&c, E), external);
    Loads loads = {.frame_count = 1, .load_count = 1, .joint = &joint, .force = &external, .moment = &moment};
    Vec3 w = c.kinematics.angular_velocity[E], alpha = c.kinematics.angular_acceleration[E];
    Vec3 r = vec3_sub(com_of(&c, E), c.kinematics.position[E]);
    Vec3 a = vec3_add(c.kinematics.acceleration[E], vec3_add(vec3_cross(alpha, r), vec3_cross(w, vec3_cross(w, r))));
    Vec3 spin = vec3_add(sym3_mul(s.inertia[E], alpha), vec3_cross(w, sym3_mul(s.inertia[E], w)));
    Vec3 active = vec3_mad(external, c.body.mass[E], gravity);
    solve(&c, &loads);
    for (int i = 0; i < 3; i++) {
        Vec3 lever = vec3_cross(axis[i], r);
        double torque = -vec3_dot(active, lever) + c.body.mass[E] * vec3_dot(a, lever) + vec3_dot(spin, axis[i]);
        assert_near(vec3_dot(c.dynamics.torque[E], axis[i]), torque, 1e-12 * vec3_norm(c.dynamics.torque[E]));
    }
    kane_free(&s);
    clip_free(&c);
}

/* ---- Any tree ---- */

enum { TREE = 23, SPEEDS = 3 + 3 * TREE, FRAMES = 4 };

typedef struct Case {
    Clip clip;
    KaneSystem system;
    Loads loads;
    int joint[2];
    Vec3 load_force[2 * FRAMES], load_moment[2 * FRAMES];
} Case;

static void make_case(Case *k, uint64_t seed)
{
    Random r = {seed};
    assert_true(random_clip_init(&k->clip, TREE, FRAMES, seed));
    assert_int_equal(kane_init(&k->system, TREE, NULL), STATUS_OK);
    k->joint[0] = 4;
    k->joint[1] = 19;
    for (int i = 0; i < 2 * FRAMES; i++) {
        k->load_force[i] = random_vec3(&r, 400);
        k->load_moment[i] = random_vec3(&r, 400);
    }
    k->loads = (Loads){.frame_count = FRAMES, .load_count = 2, .joint = k->joint, .force = k->load_force,
                       .moment = k->load_moment};
    solve(&k->clip, &k->loads);
}

static void free_case(Case *k)
{
    kane_free(&k->system);
    clip_free(&k->clip);
}

static void set_frame(Case *k, int frame)
{
    Clip *c = &k->clip;
    kane_set_frame(&k->system, &(ClipView){&c->skeleton, &c->body, &c->motion, &c->kinematics}, frame);
}

/* F_r of weight and loads, and optionally of the recursion's torques. */
static void active_forces(const Case *k, int frame, int with_torques, double *active)
{
    Vec3 force[TREE] = {{0, 0, 0}}, couple[TREE] = {{0, 0, 0}};
    size_t row = (size_t)frame * TREE;
    kane_add_weight(&k->system, gravity, force);
    kane_add_loads(&k->system, &k->loads, frame, force, couple);
    if (with_torques)
        kane_add_joint_torques(&k->system, k->clip.dynamics.torque + row, k->clip.dynamics.residual_force[frame], force,
                               couple);
    kane_active_forces(&k->system, force, couple, active);
}

/* Rates of the speeds (3.29) from the kinematics. */
static void speed_rates(const Case *k, int frame, double *rate)
{
    size_t row = (size_t)frame * TREE;
    memcpy(rate, &k->clip.kinematics.acceleration[row], sizeof(Vec3));
    memcpy(rate + 3, &k->clip.kinematics.angular_acceleration[row], TREE * sizeof(Vec3));
}

static double largest(const double *a, int count)
{
    double max = 0;
    for (int i = 0; i < count; i++)
        max = fmax(max, fabs(a[i]));
    return max;
}

TEST(active_and_inertia_forces_sum_to_zero)
{
    Case k;
    make_case(&k, 21);
    for (int f = 0; f < FRAMES; f++) {
        double rate[SPEEDS], active[SPEEDS], inertia[SPEEDS];
        set_frame(&k, f);
        speed_rates(&k, f, rate);
        active_forces(&k, f, 1, active);
        kane_inertia_forces(&k.system, rate, inertia);
        double scale = largest(&k.clip.dynamics.torque[f * TREE].x, 3 * TREE);
        for (int r = 0; r < SPEEDS; r++)
            assert_near((active[r] + inertia[r]) / scale, 0, 1e-12);
    }
    free_case(&k);
}

/* T = M u' - E (3.26), where T is the contribution of torques and root force to F_r. */
TEST(mass_matrix_gives_the_torques)
{
    static double mass[SPEEDS * SPEEDS];
    Case k;
    make_case(&k, 22);
    double rate[SPEEDS], other[SPEEDS], all[SPEEDS], still[SPEEDS];
    set_frame(&k, 1);
    speed_rates(&k, 1, rate);
    active_forces(&k, 1, 0, other);
    active_forces(&k, 1, 1, all);
    kane_inertia_forces(&k.system, NULL, still);
    kane_mass_matrix(&k.system, mass);
    double scale = largest(&k.clip.dynamics.torque[TREE].x, 3 * TREE);
    for (int r = 0; r < SPEEDS; r++) {
        double torque = -(other[r] + still[r]);
        for (int s = 0; s < SPEEDS; s++) {
            torque += mass[r * SPEEDS + s] * rate[s];
            assert_near(mass[r * SPEEDS + s], mass[s * SPEEDS + r], 1e-13);
        }
        assert_near(torque / scale, (all[r] - other[r]) / scale, 1e-12);
    }
    free_case(&k);
}

TEST(forward_dynamics_inverts_inverse_dynamics)
{
    Case k;
    make_case(&k, 23);
    for (int f = 0; f < FRAMES; f++) {
        double rate[SPEEDS], applied[SPEEDS], still[SPEEDS], back[SPEEDS];
        set_frame(&k, f);
        speed_rates(&k, f, rate);
        active_forces(&k, f, 1, applied);
        kane_inertia_forces(&k.system, NULL, still);
        for (int r = 0; r < SPEEDS; r++)
            applied[r] += still[r];
        assert_int_equal(kane_forward_dynamics(&k.system, applied, back, NULL), STATUS_OK);
        for (int r = 0; r < SPEEDS; r++)
            assert_near(back[r] / largest(rate, SPEEDS), rate[r] / largest(rate, SPEEDS), 1e-10);
    }
    free_case(&k);
}

/* Kinetic energy is half of u M u. */
TEST(mass_matrix_gives_the_kinetic_energy)
{
    static double mass[SPEEDS * SPEEDS];
    Case k;
    make_case(&k, 24);
    double speed[SPEEDS], twice = 0;
    set_frame(&k, 2);
    memcpy(speed, &k.clip.kinematics.velocity[2 * TREE], sizeof(Vec3));
    memcpy(speed + 3, &k.clip.kinematics.angular_velocity[2 * TREE], TREE * sizeof(Vec3));
    kane_mass_matrix(&k.system, mass);
    for (int r = 0; r < SPEEDS; r++)
        for (int s = 0; s < SPEEDS; s++)
            twice += speed[r] * mass[r * SPEEDS + s] * speed[s];
    double energy = energy_of_frame(&k.clip.body, &k.clip.kinematics, gravity, 2).kinetic;
    assert_near(twice / (2 * energy), 1, 1e-13);
    free_case(&k);
}

TEST(massless_joint_has_no_forward_dynamics)
{
    Case k;
    Error err = {0};
    make_case(&k, 25);
    int tip = TREE - 1; /* the last joint is a leaf */
    k.clip.body.mass[tip] = 0;
    k.clip.body.inertia[tip] = (Sym3){0};
    double applied[SPEEDS], rate[SPEEDS];
    set_frame(&k, 0);
    active_forces(&k, 0, 1, applied);
    rate[5] = 42;
    assert_int_equal(kane_forward_dynamics(&k.system, applied, rate, &err), STATUS_NO_RESULT);
    assert_string_equal(err.text, "singular mass matrix at joint 22: no inertia");
    assert_near(rate[5], 42, 0);
    free_case(&k);
}

/* Without any mass the error names no joint. */
TEST(body_without_mass_has_no_forward_dynamics)
{
    Case k;
    Error err = {0};
    make_case(&k, 25);
    memset(k.clip.body.mass, 0, TREE * sizeof *k.clip.body.mass);
    memset(k.clip.body.inertia, 0, TREE * sizeof *k.clip.body.inertia);
    double applied[SPEEDS] = {0}, rate[SPEEDS];
    set_frame(&k, 0);
    assert_int_equal(kane_forward_dynamics(&k.system, applied, rate, &err), STATUS_NO_RESULT);
    assert_string_equal(err.text, "singular mass matrix: the bodies have no mass");
    k.clip.body.mass[0] = 1; /* a point at the root */
    set_frame(&k, 0);
    assert_int_equal(kane_forward_dynamics(&k.system, applied, rate, &err), STATUS_NO_RESULT);
    free_case(&k);
}
