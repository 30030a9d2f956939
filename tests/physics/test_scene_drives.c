/* Forces, torques and actuators of a scene against closed forms; bushings and ligaments between its bodies. */
#include "analysis/signal/spring.h"
#include "tests/support/test.h"

#include <stdio.h>

#include "tests/support/scene_case.h"

#define SLIDER "<mujoco><option gravity=\"0 0 0\" timestep=\"0.001\"/><worldbody><body name=\"b\"><joint name=\"j\" " \
    "type=\"slide\" axis=\"1 0 0\"/><inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 1\"/></body></worldbody>" \
    "</mujoco>"

/* The three regimes of a damped spring (docs/sources.md "The springs"), by damping ratio. */
TEST(drive_has_its_damping_ratio)
{
    const double ratios[] = {0.3, 1, 2.5};
    const SceneController drive = {.stiffness = 200, .damping = 7, .target = 0.4};
    for (size_t i = 0; i < 3; i++) {
        SceneDef def = scene_default_def();
        def.integrator = TRAPEZOIDAL;
        def.damping_ratio = ratios[i];
        def.controller = &drive;
        def.controller_count = 1;
        SceneCase c = scene_case(SLIDER, &def);
        double x = 0, v = 0;
        SpringStep exact = spring_step(10, ratios[i], 0.5); /* omega = sqrt(200 / 2) */
        spring_advance(&exact, 0.4, &x, &v);
        scene_case_run(&c, 0.5);
        assert_near(scene_q(c.scene)[0], x, 1e-5);
        assert_near(scene_v(c.scene)[0], v, 1e-4);
        scene_case_free(&c);
    }
}

/* A weight of 2 kg on an actuator of 200 N/m hangs 2 g / 200 below its target; with an integral gain it reaches it,
 * unless the integral limit is below the weight. */
TEST(integral_gain_brings_a_drive_to_its_target)
{
    static const double integral[] = {0, 300, 300}, max[] = {1, 1, 0.02};
    for (int i = 0; i < 3; i++) {
        const SceneController drive = {.stiffness = 200, .damping = 40, .target = 0.4, .integral = integral[i],
                                       .integral_max = max[i]};
        SceneDef def = scene_default_def();
        def.controller = &drive;
        def.controller_count = 1;
        SceneCase c = scene_case("<mujoco><option gravity=\"-9.81 0 0\" timestep=\"0.002\"/><worldbody><body>"
                                 "<joint type=\"slide\" axis=\"1 0 0\"/><inertial pos=\"0 0 0\" mass=\"2\" "
                                 "diaginertia=\"1 1 1\"/></body></worldbody></mujoco>", &def);
        scene_case_run(&c, 20);
        assert_near(scene_q(c.scene)[0] - 0.4, i == 1 ? 0 : (i * 300 * 0.01 - 2 * 9.81) / 200, 1e-6);
        scene_case_free(&c);
    }
}

/* In scenes with contacts, damping too strong for explicit integration of a light body slows it: v' = v / (1 + h d /
 * m), for joint, actuator and drive alike. Symplectic Euler on explicit request diverges. */
TEST(implicit_damping_slows_light_bodies)
{
    const char *text = "<mujoco><option gravity=\"0 0 0\" timestep=\"0.01\"/><worldbody><geom type=\"plane\" "
                       "size=\"5 5 1\"/><body name=\"b\" pos=\"0 0 9\"><joint name=\"j\" type=\"slide\" axis=\"1 0 0\" "
                       "damping=\"%g\"/><geom type=\"sphere\" size=\"0.1\" mass=\"0.01\"/></body></worldbody>%s"
                       "<keyframe><key qvel=\"2\"/></keyframe></mujoco>";
    const char *actuator = "<actuator><velocity joint=\"j\" kv=\"3\"/></actuator>";
    const SceneController drive = {.stiffness = 0, .damping = 3, .target = 0};
    for (int way = 0; way < 4; way++) {
        char written[700];
        snprintf(written, sizeof written, text, way == 0 || way == 3 ? 3. : 0., way == 2 ? actuator : "");
        SceneDef def = scene_default_def();
        def.controller = way == 1 ? &drive : NULL;
        def.controller_count = way == 1;
        def.integrator = way == 3 ? SYMPLECTIC_EULER : def.integrator;
        SceneCase c = scene_case(written, &def);
        assert_int_equal(scene_step(c.scene, NULL), STATUS_OK);
        assert_near(scene_v(c.scene)[0], way == 3 ? 2 * (1 - 3.) : 2 / (1 + 3.), 1e-12);
        scene_case_free(&c);
    }
}

/* A force of 3 t on 2 kg: v = 3 t^2 / 4; zero after the last row. */
TEST(forces_follow_their_table)
{
    double time[2] = {0, 1};
    Vec3 force[2] = {{0, 0, 0}, {3, 0, 0}}, moment[2] = {{0, 0, 0}, {0, 0, 0}};
    const SceneDrive of_body = {1, -1, 2, time, force, moment}, of_joint = {-1, 0, 2, time, force, moment};
    const SceneDrive *const drives[] = {&of_body, &of_joint};
    for (size_t i = 0; i < 2; i++) {
        SceneDef def = scene_default_def();
        def.integrator = BRIDSON_MARINO;
        def.drive = drives[i];
        def.drive_count = 1;
        SceneCase c = scene_case(SLIDER, &def);
        scene_case_run(&c, 1.5);
        assert_near(scene_v(c.scene)[0], 0.75, 1e-3);
        scene_case_free(&c);
    }
}

/* An off-centre force on a free body rotates it: L' = r x F. */
TEST(force_off_the_centre_rotates_the_body)
{
    const char *text = "<mujoco><option gravity=\"0 0 0\" timestep=\"0.001\"/><worldbody><body><freejoint/>"
                       "<inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 1\"/></body></worldbody></mujoco>";
    double time[2] = {0, 2};
    Vec3 force[2] = {{0, 4, 0}, {0, 4, 0}}, moment[2] = {{0, 0, 2}, {0, 0, 2}}; /* at x = 0.5, in the world */
    const SceneDrive drive = {1, -1, 2, time, force, moment};
    SceneDef def = scene_default_def();
    def.drive = &drive;
    def.drive_count = 1;
    SceneCase c = scene_case(text, &def);
    Vec3 linear, angular;
    scene_case_run(&c, 0.5);
    model_momentum(c.model, scene_motion(c.scene), &linear, &angular);
    assert_vec3_near(linear, vec3(0, 2, 0), 1e-9);
    assert_near(angular.z, 1, 2e-3);
    scene_case_free(&c);
}

/* A body on a bushing and a ligament to the world hangs at rest in equilibrium. */
TEST(springs_between_bodies_balance)
{
    const char *text = "<mujoco><option timestep=\"0.001\"/><worldbody><body name=\"b\"><freejoint/>"
                       "<inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"0.02 0.02 0.02\"/></body></worldbody>"
                       "</mujoco>";
    SpringElement element[] = {
        {.name = "t", .kind = SPRING_TRANSLATION, .joint_a = SPRING_WORLD, .joint_b = 1, .stiffness = 300,
         .damping = 40},
        {.name = "r", .kind = SPRING_TURNING, .joint_a = SPRING_WORLD, .joint_b = 1, .stiffness = 5, .damping = 0.4},
        {.name = "l", .kind = SPRING_LIGAMENT, .joint_a = SPRING_WORLD, .joint_b = 1, .a = {0, 0, 1},
         .stiffness = 100, .damping = 5, .rest = 1}};
    const Springs springs = {3, element};
    SceneDef def = scene_default_def();
    def.springs = &springs;
    SceneCase c = scene_case(text, &def);
    scene_case_run(&c, 4);
    const ModelMotion *m = scene_motion(c.scene);
    assert_vec3_near(m->position[1], vec3(0, 0, -2 * 9.81 / 400), 1e-6);
    assert_near(vec3_norm(m->velocity[1]), 0, 1e-6);
    assert_near(fabs(m->orientation[1].w), 1, 1e-9);
    scene_case_free(&c);
}
