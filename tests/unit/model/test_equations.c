/* model/equations: compared with kane_method and recursive torques, for each choice of speeds; user-defined speeds. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/model/equations.h"
#include "tests/support/random_clip.h"

enum { JOINTS = 9, FRAMES = 3, FRAME = 1 };

static void make(Clip *c, uint64_t seed)
{
    InverseDynamicsDef def = inverse_dynamics_default_def();
    assert_true(random_clip_init(c, JOINTS, FRAMES, seed));
    for (int j = 0; j < JOINTS; j++) {
        char name[8] = {'j', (char)('0' + j)};
        assert_int_equal(skeleton_set_name(&c->skeleton, j, name, NULL), STATUS_OK);
    }
    ClipView view = clip_view(c);
    Loads none = {0};
    assert_int_equal(inverse_dynamics(&view, &none, &def, &c->dynamics, NULL), STATUS_OK);
}

static Equations solved(const Clip *c, SpeedKind kind, const SpeedForms *forms)
{
    Equations e;
    Loads none = {0};
    assert_int_equal(equations_init(&e, c, kind, FRAME, NULL), STATUS_OK);
    if (forms)
        assert_int_equal(equations_choose(&e, forms, NULL), STATUS_OK);
    assert_int_equal(equations_solve(&e, c, &none, 0, FRAME, NULL), STATUS_OK);
    return e;
}

/* Twice the kinetic energy. */
static double energy(const Equations *e)
{
    double sum = 0;
    for (int r = 0; r < e->speed_count; r++)
        for (int k = 0; k < e->speed_count; k++)
            sum += e->speed[r] * e->mass[r * e->speed_count + k] * e->speed[k];
    return sum;
}

static double power(const Equations *e)
{
    double sum = 0;
    for (int r = 0; r < e->speed_count; r++)
        sum += e->speed[r] * e->torque[r];
    return sum;
}

TEST(absolute_speeds_equal_kanes_method)
{
    Clip c;
    KaneSystem s;
    make(&c, 5);
    Equations e = solved(&c, SPEEDS_ABSOLUTE, NULL);
    assert_int_equal(kane_init(&s, JOINTS, NULL), STATUS_OK);
    ClipView view = clip_view(&c);
    kane_set_frame(&s, &view, FRAME);
    assert_int_equal(e.speed_count, s.speed_count);
    double mass[(3 + 3 * JOINTS) * (3 + 3 * JOINTS)];
    kane_mass_matrix(&s, mass);
    for (int i = 0; i < s.speed_count * s.speed_count; i++)
        assert_near(e.mass[i], mass[i], 1e-13);
    for (int i = 0; i < s.speed_count * JOINTS; i++)
        assert_vec3_near(e.system.partial_velocity[i], s.partial_velocity[i], 0);
    assert_near(e.rate[1], c.kinematics.acceleration[FRAME * JOINTS].y, 1e-9);
    assert_string_equal(e.name[1], "j0_vy");
    assert_string_equal(e.name[3 + 3 * 4], "j4_wx");
    kane_free(&s);
    equations_free(&e);
    clip_free(&c);
}

TEST(equations_are_satisfied_for_each_speed_kind)
{
    Clip c;
    make(&c, 6);
    for (int kind = SPEEDS_ABSOLUTE; kind <= SPEEDS_RELATIVE; kind++) {
        Equations e = solved(&c, (SpeedKind)kind, NULL);
        EquationsCheck check = equations_check(&e);
        assert_true(check.largest > 1);
        assert_true(check.force < 1e-11 * check.largest);
        assert_true(check.torque < 1e-11 * check.largest);
        equations_free(&e);
    }
    clip_free(&c);
}

/* The generalised force of a relative angular velocity is the torque of the joint. */
TEST(relative_speeds_have_the_joint_torques)
{
    Clip c;
    make(&c, 7);
    Equations e = solved(&c, SPEEDS_RELATIVE, NULL);
    for (int j = 0; j < JOINTS; j++) {
        Vec3 torque = c.dynamics.torque[FRAME * JOINTS + j], relative = vec3_load(e.speed + 3 + 3 * j);
        Vec3 own = c.kinematics.angular_velocity[FRAME * JOINTS + j];
        if (j > 0)
            own = vec3_sub(own, c.kinematics.angular_velocity[FRAME * JOINTS + c.skeleton.parent[j]]);
        assert_vec3_near(vec3_load(e.torque + 3 + 3 * j), torque, 1e-11 * vec3_norm(torque));
        assert_vec3_near(relative, own, 1e-9);
    }
    equations_free(&e);
    clip_free(&c);
}

/* Sum and difference of two speeds: energy, power and the equations of the others are unchanged. */
TEST(user_speeds_preserve_energy_and_power)
{
    Clip c;
    make(&c, 8);
    SpeedName name[2] = {"sum", "difference"};
    int of[2] = {4, 10};
    double coefficient[4] = {1, 1, 2, -1};
    SpeedForms forms = {2, name, of, coefficient};
    Equations usual = solved(&c, SPEEDS_ABSOLUTE, NULL), e = solved(&c, SPEEDS_ABSOLUTE, &forms);
    assert_near(e.speed[4], usual.speed[4] + usual.speed[10], 1e-12);
    assert_near(e.rate[10], 2 * usual.rate[4] - usual.rate[10], 1e-9);
    assert_near(energy(&e) / energy(&usual), 1, 1e-12);
    assert_near(power(&e) / power(&usual), 1, 1e-11);
    assert_near(e.torque[7], usual.torque[7], 1e-12 * fabs(usual.torque[7]));
    /* F of a new speed from the inverse forms: u4 = (sum + difference) / 3, u10 = (2 sum - difference) / 3 */
    assert_near(e.torque[4], (usual.torque[4] + 2 * usual.torque[10]) / 3, 1e-11);
    assert_near(e.torque[10], (usual.torque[4] - usual.torque[10]) / 3, 1e-11);
    EquationsCheck check = equations_check(&e);
    assert_true(check.force < 1e-11 * check.largest && check.torque < 1e-11 * check.largest);
    equations_free(&usual);
    equations_free(&e);
    clip_free(&c);
}

TEST(singular_speeds_are_refused)
{
    Clip c;
    Equations e;
    Error err = {0};
    make(&c, 9);
    SpeedName name[2] = {"once", "twice"};
    int of[2] = {4, 10};
    double coefficient[4] = {1, 1, 2, 2};
    SpeedForms forms = {2, name, of, coefficient};
    assert_int_equal(equations_init(&e, &c, SPEEDS_ABSOLUTE, FRAME, NULL), STATUS_OK);
    assert_int_equal(equations_choose(&e, &forms, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "do not determine"));
    equations_free(&e);
    assert_int_equal(equations_init(&e, &c, SPEEDS_DOF, FRAME, &err), STATUS_BAD_INPUT);
    clip_free(&c);
}
