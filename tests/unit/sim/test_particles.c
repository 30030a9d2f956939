/* sim/particles and their scene: springs of a grid, frequency, mass on a body, energy. */
#include "tests/support/test.h"

#include "analysis/math/elementary.h"
#include "tests/support/scene_case.h"

#define HANGING \
    "<mujoco><option timestep=\"0.002\"/><worldbody><body name=\"bar\" pos=\"0 0 2\"><joint type=\"slide\" " \
    "axis=\"1 0 0\" stiffness=\"200\"/><inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 1\"/></body>" \
    "</worldbody><keyframe><key qpos=\"0.2\"/></keyframe></mujoco>"

/* A scene with one grid; the caller frees the model with scene_case_free. */
static SceneCase grid_scene(const char *text, const ParticleGrid *grid, Particles *p)
{
    SceneCase c = scene_case(text, NULL);
    assert_int_equal(particles_init(&(ParticleDef){grid, 1, NULL, 0}, scene_motion(c.scene), p, NULL), STATUS_OK);
    particles_add_mass(p, c.model);
    scene_destroy(c.scene);
    SceneDef def = scene_default_def();
    def.particles = p;
    assert_int_equal(scene_create(c.model, &def, &c.scene, NULL), STATUS_OK);
    scene_set_state(c.scene, c.model->key[0].q, NULL, NULL);
    return c;
}

static double total(Scene *s)
{
    SceneEnergy e = scene_energy(s);
    return e.kinetic + e.potential + e.springs;
}

/* 2 x 2 x 2: 12 edges, 12 face and 4 cell diagonals. */
TEST(cell_has_its_springs)
{
    const ParticleGrid grid = {"", {2, 2, 2}, {0, 0, 0}, 0.1, 0.01, 10, 0, -1, -1};
    Particles p;
    SceneCase c = grid_scene(HANGING, &grid, &p);
    double longest = 0;
    assert_int_equal(p.count, 8);
    assert_int_equal(p.spring_count, 28);
    for (int s = 0; s < p.spring_count; s++)
        longest = fmax(longest, p.spring[s].law.rest);
    assert_near(longest, 0.1 * sqrt(3), 1e-15);
    scene_case_free(&c);
    particles_free(&p);
}

/* One particle below an attached one hangs m g / k lower, and oscillates with sqrt(k / m). */
TEST(particle_hangs_and_oscillates)
{
    const ParticleGrid grid = {"", {1, 1, 2}, {0.2, 0, 1.5}, 0.5, 0.1, 40, 0, 1, 5};
    const double omega = 20, sag = 0.1 * 9.81 / 40;
    Particles p;
    SceneCase c = grid_scene("<mujoco><option timestep=\"0.0002\"/><worldbody><body name=\"bar\" pos=\"0.2 0 2\">"
        "<joint type=\"slide\" axis=\"1 0 0\"/><inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 1\"/></body>"
        "</worldbody><keyframe><key/></keyframe></mujoco>", &grid, &p);
    assert_int_equal(p.body[1], 1);
    assert_near(c.model->body[1].mass, 2.1, 1e-15);
    scene_case_run(&c, 0.4);
    assert_near(p.x[0].z, 1.5 - sag + sag * elementary_cos(omega * 0.4), 2e-4);
    scene_case_free(&c);
    particles_free(&p);
}

/* A cube of 1,000 particles on a swinging bar: finite, without energy drift; only damping dissipates. */
TEST(soft_cube_keeps_its_energy)
{
    const double damping[] = {0, 0.02};
    for (int k = 0; k < 2; k++) {
        const ParticleGrid grid = {"", {10, 10, 10}, {-0.025, -0.225, 1.53}, 0.05, 0.001, 50, damping[k], 1, 5};
        Particles p;
        SceneCase c = grid_scene(HANGING, &grid, &p);
        double swing = 0.5 * 200 * 0.2 * 0.2, start = total(c.scene), max = start;
        assert_int_equal(p.count, 1000);
        for (int i = 0; i < 10; i++) {
            scene_case_run(&c, 0.1);
            max = fmax(max, total(c.scene));
        }
        assert_true(isfinite(max) && max < start + 5e-3 * swing);
        assert_near(total(c.scene), start, k == 0 ? 5e-3 * swing : 0.5 * swing);
        assert_true(k == 0 || total(c.scene) < start - 5e-3 * swing);
        scene_case_free(&c);
        particles_free(&p);
    }
}

/* A bar of 0.3 kg on a spring of 200 N/m, with an attached particle of 0.2 kg and a spring of 100 N/m to another. */
static SceneCase pair_scene(IntegratorKind kind, double step, Particles *p)
{
    const ParticleGrid grid = {"", {2, 1, 1}, {0, 0, 2}, 0.1, 0.2, 100, 0, 1, 0};
    SceneCase c = scene_case("<mujoco><option gravity=\"0 0 0\"/><worldbody><body name=\"bar\" pos=\"0 0 2\">"
        "<joint type=\"slide\" axis=\"1 0 0\" stiffness=\"200\"/><inertial pos=\"0 0 0\" mass=\"0.3\" "
        "diaginertia=\"1 1 1\"/></body></worldbody><keyframe><key qvel=\"0.5\"/></keyframe></mujoco>", NULL);
    assert_int_equal(particles_init(&(ParticleDef){&grid, 1, NULL, 0}, scene_motion(c.scene), p, NULL), STATUS_OK);
    particles_add_mass(p, c.model);
    scene_destroy(c.scene);
    SceneDef def = scene_default_def();
    def.particles = p;
    def.integrator = kind;
    def.step = step;
    assert_int_equal(scene_create(c.model, &def, &c.scene, NULL), STATUS_OK);
    scene_set_state(c.scene, NULL, c.model->key[0].v, NULL);
    return c;
}

/* The rules for x'' = A x of two masses, step by step: trapezoidal (1 - h^2 A / 4) dv = h A (x + h v / 2), and implicit
 * Euler, with one system for bar and particle at any step length. */
static void rule_step(double theta, double h, double x[2], double v[2])
{
    const double a[2][2] = {{-300 / 0.5, 100 / 0.5}, {100 / 0.2, -100 / 0.2}};
    double m[2][2], r[2], dv[2], square = theta * theta * h * h;
    for (int i = 0; i < 2; i++) {
        r[i] = 0;
        for (int k = 0; k < 2; k++) {
            m[i][k] = (i == k) - square * a[i][k];
            r[i] += h * a[i][k] * (x[k] + theta * h * v[k]);
        }
    }
    double det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    dv[0] = (r[0] * m[1][1] - m[0][1] * r[1]) / det;
    dv[1] = (m[0][0] * r[1] - m[1][0] * r[0]) / det;
    for (int i = 0; i < 2; i++) {
        x[i] += h * v[i] + theta * h * dv[i];
        v[i] += dv[i];
    }
}

TEST(implicit_steps_equal_one_system)
{
    const double steps[] = {0.004, 0.1};
    for (int kind = IMPLICIT_EULER; kind <= TRAPEZOIDAL; kind++)
        for (int k = 0; k < 2; k++) {
            Particles p;
            SceneCase c = pair_scene((IntegratorKind)kind, steps[k], &p);
            double x[2] = {0, 0}, v[2] = {0.5, 0}, theta = kind == TRAPEZOIDAL ? 0.5 : 1;
            double before = total(c.scene);
            assert_near(scene_step_size(c.scene), steps[k], 0);
            for (int i = 0; i < 50; i++) {
                rule_step(theta, steps[k], x, v);
                assert_int_equal(scene_step(c.scene, NULL), STATUS_OK);
                assert_near(scene_q(c.scene)[0], x[0], 1e-9);
                assert_near(p.x[1].x - 0.1, x[1], 1e-9);
                assert_near(p.x[0].x, x[0], 1e-9); /* attached: current position of the bar */
            }
            assert_true(kind == TRAPEZOIDAL ? fabs(total(c.scene) - before) < 1e-9 : total(c.scene) < before);
            scene_case_free(&c);
            particles_free(&p);
        }
}

/* A soft block swinging below a bar: the trapezoidal rule is of second order, and conserves the momentum along the
 * slide. */
static Vec3 block_after(double step, double *momentum)
{
    const ParticleGrid grid = {"", {3, 2, 3}, {-0.05, 0, 1.85}, 0.05, 0.02, 300, 0.3, 1, 5};
    SceneCase c = scene_case("<mujoco><worldbody><body name=\"bar\" pos=\"0 0 2\">"
        "<joint type=\"slide\" axis=\"1 0 0\"/><joint axis=\"0 1 0\"/><inertial pos=\"0 0 0\" mass=\"0.3\" "
        "diaginertia=\"0.01 0.01 0.01\"/></body></worldbody><keyframe><key qvel=\"0.5 2\"/></keyframe></mujoco>", NULL);
    Particles p;
    assert_int_equal(particles_init(&(ParticleDef){&grid, 1, NULL, 0}, scene_motion(c.scene), &p, NULL), STATUS_OK);
    particles_add_mass(&p, c.model);
    scene_destroy(c.scene);
    SceneDef def = scene_default_def();
    def.particles = &p;
    def.integrator = TRAPEZOIDAL;
    def.step = step;
    assert_int_equal(scene_create(c.model, &def, &c.scene, NULL), STATUS_OK);
    scene_set_state(c.scene, NULL, c.model->key[0].v, NULL);
    scene_case_run(&c, 0.2);
    Vec3 linear, angular, place = p.x[0];
    model_momentum(c.model, scene_motion(c.scene), &linear, &angular);
    for (int i = 0; i < p.count; i++)
        linear = p.body[i] < 0 ? vec3_mad(linear, p.mass[i], p.v[i]) : linear;
    *momentum = linear.x;
    scene_case_free(&c);
    particles_free(&p);
    return place;
}

TEST(block_keeps_the_integrator_order)
{
    double momentum[3];
    Vec3 a = block_after(0.002, &momentum[0]), b = block_after(0.001, &momentum[1]);
    Vec3 c = block_after(0.0005, &momentum[2]);
    double ratio = vec3_distance(a, b) / vec3_distance(b, c);
    assert_true(ratio > 3.5 && ratio < 4.5);
    assert_true(fabs(momentum[0] - momentum[2]) > 3 * fabs(momentum[1] - momentum[2]));
}

/* Bonds: a bead between a grid particle and the world, with a force law; it hangs in equilibrium. */
TEST(table_springs_support_particles)
{
    const ParticleGrid grid[] = {{"rod", {2, 1, 1}, {0, 0, 2}, 0.1, 0.2, 0, 0, 1, 0},
                                 {"bead", {1, 1, 1}, {0, 0, 1}, 1, 0.5, 0, 0, -1, -1}};
    double length[] = {0.5, 1.5}, rate[] = {0}, force[] = {-50, 50};
    const SpringLaw law = {.length_count = 2, .rate_count = 1, .length = length, .rate = rate, .force = force};
    const ParticleBond bond[] = {{.particle = {0, 2}, .law = {.law = &law}},
                                 {.particle = {2, -1}, .point = {{0, 0, 0}, {0, 0, 0.5}},
                                  .law = {.stiffness = 20, .damping = 8}, .rests_at_start = 1}};
    SceneCase c = scene_case("<mujoco><option timestep=\"0.002\"/><worldbody><body pos=\"0 0 2\"><joint type=\"slide\" "
                             "axis=\"1 0 0\"/><inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 1\"/></body>"
                             "</worldbody></mujoco>", NULL);
    Particles p;
    assert_int_equal(particles_init(&(ParticleDef){grid, 2, bond, 2}, scene_motion(c.scene), &p, NULL), STATUS_OK);
    assert_int_equal(p.grid_count, 3);
    assert_int_equal(p.count, 4);
    particles_add_mass(&p, c.model);
    scene_destroy(c.scene);
    SceneDef def = scene_default_def();
    def.particles = &p;
    def.integrator = IMPLICIT_EULER;
    assert_int_equal(scene_create(c.model, &def, &c.scene, NULL), STATUS_OK);
    scene_case_run(&c, 6);
    assert_near(p.x[2].z, 1 - 0.5 * 9.81 / (100 + 20), 1e-6);
    scene_case_free(&c);
    particles_free(&p);
}
