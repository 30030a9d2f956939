/* Bodies that overlap at the start are separated without gaining speed. */
#include "tests/support/test.h"

#include "analysis/math/elementary.h"
#include "analysis/sim/contact_rows.h"
#include "tests/support/scene_case.h"

static double height(const SceneCase *c, const char *body)
{
    return scene_motion(c->scene)->position[model_find_body(c->model, body)].z;
}

static SceneOverlap part(const SceneCase *c)
{
    SceneOverlap o;
    assert_int_equal(scene_part_overlaps(c->scene, &o, NULL), STATUS_OK);
    return o;
}

#define PLANE "<mujoco><option timestep=\"0.002\"/><worldbody><geom type=\"plane\" size=\"0 0 1\"/>"
#define BOX(name, z, joint) "<body name=\"" name "\" pos=\"0 0 " z "\">" joint "<geom type=\"box\" " \
    "size=\"0.1 0.1 0.1\" mass=\"1\"/></body>"
#define FREE "<freejoint/>"
#define END "</worldbody></mujoco>"

/* A ball half in the ground, moving down: it is moved onto the ground, with its speed. */
TEST(ball_is_moved_out_of_the_ground)
{
    SceneCase c = scene_case(PLANE "<body name=\"ball\" pos=\"0 0 0.05\"><freejoint/><geom size=\"0.1\" mass=\"1\"/>"
                             "</body>" END, NULL);
    const double speeds[6] = {0.3, 0, -0.2, 0, 0, 1};
    scene_set_state(c.scene, NULL, speeds, NULL);
    SceneOverlap o = part(&c);
    assert_int_equal(o.count, 1);
    assert_near(o.deepest, 0.05, 1e-12);
    assert_near(o.left, 0, 0);
    assert_near(height(&c, "ball"), 0.1 - CONTACT_SLOP, 2e-9);
    for (int i = 0; i < 6; i++)
        assert_near(scene_v(c.scene)[i], speeds[i], 0);
    const double rest[6] = {0};
    scene_set_state(c.scene, NULL, rest, NULL);
    for (int k = 0; k < 100; k++) {
        scene_case_run(&c, 0.002);
        assert_near(scene_energy(c.scene).kinetic, 0, 1e-9);
    }
    scene_case_free(&c);
}

/* Boxes overlapping each other and the ground, with each solver: after separation they stay. */
TEST(overlapping_boxes_are_separated)
{
    for (FrictionModel m = FRICTION_CONE; m <= FRICTION_GAUSS_SEIDEL; m++) {
        SceneDef def = scene_default_def();
        def.friction_model = m;
        SceneCase c = scene_case(PLANE BOX("low", "0.08", FREE) BOX("high", "0.24", FREE) END, &def);
        SceneOverlap o = part(&c);
        assert_int_equal(o.count, 8);
        assert_near(o.deepest, 0.04, 1e-9);
        assert_near(o.left, 0, 0);
        assert_near(height(&c, "low"), 0.1 - CONTACT_SLOP, 1e-6);
        assert_near(height(&c, "high"), 0.3 - 2 * CONTACT_SLOP, 1e-6);
        scene_case_run(&c, 0.5);
        assert_near(scene_energy(c.scene).kinetic, 0, 1e-6);
        assert_near(height(&c, "high"), 0.3 - 2 * CONTACT_SLOP, 2e-4);
        scene_case_free(&c);
    }
}

/* Two boxes on one slide each that cannot be separated: nothing is moved, and the overlap is reported. */
TEST(inseparable_overlap_is_reported_and_unchanged)
{
    const char *sideways = PLANE BOX("a", "0.05", "<joint type=\"slide\" axis=\"1 0 0\"/>") END;
    SceneCase c = scene_case(sideways, NULL);
    SceneOverlap o = part(&c);
    assert_int_equal(o.count, 4);
    assert_near(o.left, 0.05, 1e-9);
    assert_near(height(&c, "a"), 0.05, 0);
    assert_near(scene_q(c.scene)[0], 0, 0);
    scene_case_free(&c);
}

/* Resting contacts are not overlaps: nothing moves, to the last bit. */
TEST(resting_contact_is_unchanged)
{
    SceneCase c = scene_case(PLANE BOX("a", "0.0997", FREE) END, NULL);
    SceneOverlap o = part(&c);
    assert_int_equal(o.count, 0);
    assert_near(height(&c, "a"), 0.0997, 0);
    scene_case_free(&c);
}

static double energy(const SceneCase *c)
{
    SceneEnergy e = scene_energy(c->scene);
    return e.kinetic + e.potential;
}

#define ARM(joint) "<mujoco><option gravity=\"0 0 0\"/><worldbody><body name=\"arm\">" joint \
    "<geom type=\"capsule\" size=\"0.05 0.3\" pos=\"0.3 0 0\" mass=\"1\"/></body></worldbody><keyframe><key "

/* Joints far beyond their ranges are moved to the limits, for each kind, without gaining speed; also with soft
 * contacts. */
TEST(joints_beyond_ranges_move_to_their_limits)
{
    static const struct {
        const char *text;
        double beyond, q;
    } cases[] = {
        {ARM("<joint axis=\"0 1 0\" limited=\"true\" range=\"-30 30\"/>") "qpos=\"1.2\"/></keyframe></mujoco>",
         1.2 - PI / 6, PI / 6},
        {ARM("<joint type=\"slide\" axis=\"0 0 1\" limited=\"true\" range=\"0.1 3\"/>")
         "qpos=\"-0.4\"/></keyframe></mujoco>",
         0.5, 0.1},
        {ARM("<joint type=\"ball\" limited=\"true\" range=\"0 60\"/>")
         "qpos=\"0.6 0.8 0 0\"/></keyframe></mujoco>",
         2 * 0.92729521800161219 - PI / 3, 0.86602540378443865},
    };
    for (int i = 0; i < 6; i++) {
        SceneDef def = scene_default_def();
        def.softness = i < 3 ? 0 : 1e-4;
        SceneCase c = scene_case(cases[i % 3].text, &def);
        SceneOverlap o = part(&c);
        assert_int_equal(o.limit_count, 1);
        assert_int_equal(o.joint, 0);
        assert_near(o.beyond, cases[i % 3].beyond, 1e-9);
        assert_near(o.beyond_left, 0, 0);
        assert_near(scene_q(c.scene)[0], cases[i % 3].q, 1.1e-6);
        scene_case_run(&c, 0.5);
        assert_near(energy(&c), 0, 1e-6);
        scene_case_free(&c);
    }
}

/* A joint within its range, or at its limit up to the digits of a file, is unchanged to the last bit. */
TEST(joints_in_range_are_unchanged)
{
    static const double angles[] = {0.2, 0.5235988};
    for (int i = 0; i < 2; i++) {
        SceneCase c = scene_case(ARM("<joint axis=\"0 1 0\" limited=\"true\" range=\"-30 30\"/>")
                                 "/></keyframe></mujoco>", NULL);
        scene_set_state(c.scene, &angles[i], NULL, NULL);
        assert_int_equal(part(&c).limit_count, 0);
        assert_near(scene_q(c.scene)[0], angles[i], 0);
        scene_case_free(&c);
    }
}
