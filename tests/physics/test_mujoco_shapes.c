/* Meshes, cylinders and ellipsoids in scenes: masses as in MuJoCo's compiler, and bodies that come to rest at their
 * expected height. */
#include "tests/support/test.h"

#include "analysis/math/vec.h"
#include "tests/support/mujoco_text.h"
#include "tests/support/scene_case.h"

/* An L of two boxes: not convex; outward faces. */
#define ELL "vertex=\"0 0 0  2 0 0  2 1 0  1 1 0  1 3 0  0 3 0  0 0 1  2 0 1  2 1 1  1 1 1  1 3 1  0 3 1\" " \
    "face=\"0 2 1  0 3 2  0 4 3  0 5 4  6 7 8  6 8 9  6 9 10  6 10 11  0 1 7  0 7 6  1 2 8  1 8 7  2 3 9  2 9 8  " \
    "3 4 10  3 10 9  4 5 11  4 11 10  5 0 6  5 6 11\" "
#define WEDGE "vertex=\"0 0 0 .4 0 0 0 .3 0 .1 .1 .5\" "

#define BOX "vertex=\"-.1 -.2 -.3 .1 -.2 -.3 -.1 .2 -.3 .1 .2 -.3 -.1 -.2 .3 .1 -.2 .3 -.1 .2 .3 .1 .2 .3\" "

static void compare_masses(const char *compiler, const char *mesh, const char *geom)
{
    char text[4096];
    snprintf(text, sizeof text, "<mujoco><compiler %s/><asset><mesh name=\"m\" %s/></asset><worldbody><body>"
             "<freejoint/><geom type=\"mesh\" mesh=\"m\" pos=\".1 .2 .3\" euler=\"10 20 30\" %s/><geom size=\".2\"/>"
             "</body></worldbody></mujoco>", compiler, mesh, geom);
    mjModel *m = mujoco_read(text);
    SceneCase c = scene_case(text, NULL);
    const ModelBody *b = &c.model->body[1];
    const double *d = m->body_inertia + 3, *q = m->body_iquat + 4;
    Sym3 i = sym3_rotate(quat_to_mat3((Quat){q[0], q[1], q[2], q[3]}), (Sym3){d[0], d[1], d[2], 0, 0, 0});
    double size = d[0] + d[1] + d[2];
    assert_near(b->mass, m->body_mass[1], 1e-6 * b->mass);
    assert_vec3_near(b->com, vec3_load(m->body_ipos + 3), 1e-6);
    assert_vec3_near(vec3(b->inertia.xx, b->inertia.yy, b->inertia.zz), vec3(i.xx, i.yy, i.zz), 2e-6 * size);
    assert_vec3_near(vec3(b->inertia.xy, b->inertia.xz, b->inertia.yz), vec3(i.xy, i.xz, i.yz), 2e-6 * size);
    scene_case_free(&c);
    mj_deleteModel(m);
}

/* Masses are given except for a box: MuJoCo 2.2 uses the box of the same inertia for a mesh, MuJoCo 3 its volume. */
TEST(mesh_masses_agree_with_mujoco)
{
    compare_masses("", ELL, "mass=\"3\"");
    compare_masses("exactmeshinertia=\"true\"", ELL, "mass=\"2\"");
    compare_masses("", ELL "scale=\"-.1 .2 .3\"", "mass=\"4\"");
    compare_masses("exactmeshinertia=\"true\"", ELL "scale=\".1 .2 .3\" refpos=\"1 2 3\" refquat=\"1 2 3 4\"",
                   "mass=\"3\"");
    compare_masses("", WEDGE, "mass=\"1\"");
    compare_masses("", BOX "scale=\".5 .6 .7\"", "density=\"700\"");
}

#define ASSET "<asset><mesh name=\"box\" " BOX "/></asset>"

/* Dropped by 1 cm, a body rests at its height within the contact's penetration. */
static void check_rest(const char *ground, double top, const char *body, double height)
{
    char text[4096];
    snprintf(text, sizeof text, "<mujoco><option timestep=\"0.002\"/>" ASSET "<worldbody><geom %s/><body "
             "pos=\"0.01 0.02 %g\"><freejoint/><geom %s/></body></worldbody></mujoco>", ground, top + height + 0.01,
             body);
    SceneCase c = scene_case(text, NULL);
    scene_case_run(&c, 1.5);
    const double *q = scene_q(c.scene), *v = scene_v(c.scene);
    if (fabs(q[2] - top - height) > 6e-4 || fabs(v[2]) > 1e-3)
        print_error("%s on %s: at %.6g, expected %.6g, speed %.2g\n", body, ground, q[2], top + height, v[2]);
    assert_near(q[2], top + height, 6e-4);
    for (int i = 0; i < 6; i++)
        assert_near(v[i], 0, 2e-3);
    scene_case_free(&c);
}

TEST(bodies_rest_on_grounds_of_each_shape)
{
    static const struct { const char *text; double top; } grounds[] = {
        {"type=\"plane\" size=\"1 1 1\"", 0}, {"type=\"box\" size=\"1 1 .2\"", 0.2},
        {"type=\"cylinder\" size=\"1 .2\"", 0.2}, {"type=\"mesh\" mesh=\"box\"", 0.3}};
    static const struct { const char *text; double height; } bodies[] = {
        {"type=\"cylinder\" size=\".05 .1\"", 0.1}, {"type=\"cylinder\" size=\".05 .04\" euler=\"90 0 0\"", 0.05},
        {"type=\"ellipsoid\" size=\".06 .05 .03\"", 0.03}, {"type=\"mesh\" mesh=\"box\"", 0.3},
        {"type=\"box\" size=\".05 .06 .07\"", 0.07}};
    for (size_t g = 0; g < sizeof grounds / sizeof *grounds; g++)
        for (size_t b = 0; b < sizeof bodies / sizeof *bodies; b++)
            check_rest(grounds[g].text, grounds[g].top, bodies[b].text, bodies[b].height);
}

/* A contact pair of geoms whose bits exclude contact, with separate friction; without it, and with `dynamic`, the body
 * falls. */
TEST(explicit_pairs_ignore_contype_and_conaffinity)
{
    static const struct { const char *option, *contact; double fallen, slid; } cases[] = {
        {"", "<pair geom1=\"g\" geom2=\"b\" friction=\".2\"/>", 0, 1},
        {"", "<pair geom1=\"b\" geom2=\"g\" condim=\"1\"/>", 0, 2}, {"", "", 1, 0},
        {"<option collision=\"dynamic\"/>", "<pair geom1=\"g\" geom2=\"b\"/>", 1, 0},
        {"<option collision=\"predefined\"/>", "<pair geom1=\"g\" geom2=\"b\"/>", 0, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[2048];
        snprintf(text, sizeof text, "<mujoco>%s<worldbody><geom name=\"g\" type=\"plane\" size=\"1 1 1\"/><body "
                 "pos=\"0 0 .1\"><freejoint/><geom name=\"b\" type=\"box\" size=\".1 .1 .1\" contype=\"0\" "
                 "conaffinity=\"0\"/></body></worldbody><contact>%s</contact><keyframe><key qvel=\"1 0 0 0 0 0\"/>"
                 "</keyframe></mujoco>", cases[k].option, cases[k].contact);
        SceneCase c = scene_case(text, NULL);
        scene_case_run(&c, 0.4);
        double speed = cases[k].slid == 2 || cases[k].fallen ? 1 : cases[k].slid == 1 ? 1 - 0.4 * 0.2 * 9.81 : 0;
        assert_near(scene_v(c.scene)[0], speed, 5e-3);
        assert_int_equal(scene_q(c.scene)[2] < 0, cases[k].fallen);
        scene_case_free(&c);
    }
}

/* A body with half of its weight compensated falls with g / 2; with all of it, it stays. */
TEST(gravcomp_reduces_weight)
{
    SceneCase c = scene_case("<mujoco><worldbody><body gravcomp=\".5\"><freejoint/><geom size=\".1\" contype=\"0\"/>"
                             "</body><body pos=\"1 0 0\" gravcomp=\"1\"><freejoint/><geom size=\".1\" "
                             "contype=\"0\"/></body></worldbody></mujoco>", NULL);
    SceneEnergy before = scene_energy(c.scene);
    scene_case_run(&c, 1);
    SceneEnergy after = scene_energy(c.scene);
    assert_near(scene_v(c.scene)[2], -0.5 * 9.81, 1e-9);
    assert_near(scene_v(c.scene)[8], 0, 1e-12);
    assert_near(after.kinetic + after.potential, before.kinetic + before.potential, 1e-9 * after.kinetic);
    scene_case_free(&c);
}
