/* sim/particles and their scene: springs of a grid, frequency, mass on a body, energy. */
#include "tests/support/test.h"

#include "analysis/math/elementary.h"
#include "tests/support/scene_case.h"

#define HANGING \
    "<mujoco><option timestep=\"0.002\"/><worldbody><body name=\"bar\" pos=\"0 0 2\"><joint type=\"slide\" " \
    "axis=\"1 0 0\" stiffness=\"200\"/><inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 1\"/></body>" \
    "</worldbody><keyframe><key qpos=\"0.2\"/></keyframe></mujoco>"

/* A scene with one grid; the model is the caller's to free by scene_case_free. */
static SceneCase grid_scene(const char *text, const ParticleGrid *grid, Particles *p)
{
    SceneCase c = scene_case(text, NULL);
    assert_int_equal(particles_init(grid, 1, scene_motion(c.scene), p, NULL), STATUS_OK);
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
TEST(a_cell_has_its_springs)
{
    const ParticleGrid grid = {{2, 2, 2}, {0, 0, 0}, 0.1, 0.01, 10, 0, -1, -1};
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

/* One particle below an attached one hangs m g / k lower, and swings about that with sqrt(k / m). */
TEST(a_particle_hangs_and_swings)
{
    const ParticleGrid grid = {{1, 1, 2}, {0.2, 0, 1.5}, 0.5, 0.1, 40, 0, 1, 5};
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

/* A cube of 1,000 particles on a bar that swings: finite, no creeping of energy, which damping alone takes. */
TEST(a_soft_cube_keeps_its_energy)
{
    const double damping[] = {0, 0.02};
    for (int k = 0; k < 2; k++) {
        const ParticleGrid grid = {{10, 10, 10}, {-0.025, -0.225, 1.53}, 0.05, 0.001, 50, damping[k], 1, 5};
        Particles p;
        SceneCase c = grid_scene(HANGING, &grid, &p);
        double swing = 0.5 * 200 * 0.2 * 0.2, start = total(c.scene), most = start;
        assert_int_equal(p.count, 1000);
        for (int i = 0; i < 10; i++) {
            scene_case_run(&c, 0.1);
            most = fmax(most, total(c.scene));
        }
        assert_true(isfinite(most) && most < start + 5e-3 * swing);
        assert_near(total(c.scene), start, k == 0 ? 5e-3 * swing : 0.5 * swing);
        assert_true(k == 0 || total(c.scene) < start - 5e-3 * swing);
        scene_case_free(&c);
        particles_free(&p);
    }
}
