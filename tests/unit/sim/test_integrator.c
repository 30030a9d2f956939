/* sim/scene_def: the order of each integrator on springs with known motion, stability, and a singular mass matrix. */
#include "tests/support/test.h"

#include "analysis/math/elementary.h"
#include "analysis/signal/spring.h"
#include "analysis/springs/axial_spring.h"
#include "analysis/sim/integrator.h"

#define OMEGA 7.0
#define ZETA 0.2

/* x'' = -omega^2 x - 2 zeta omega x' */
static void spring_force(const void *context, const double *x, const double *v, double *f)
{
    (void)context;
    f[0] = -OMEGA * OMEGA * x[0] - 2 * ZETA * OMEGA * v[0];
}

static void spring_jacobians(const void *context, const double *x, const double *v, double *by_x, double *by_v)
{
    (void)context, (void)x, (void)v;
    by_x[0] = -OMEGA * OMEGA;
    by_v[0] = -2 * ZETA * OMEGA;
}

/* A 2 kg particle in space on an axial spring to the origin. */
static const AxialSpring rope = {90, 3, 0.5, 0, NULL};

static Vec3 as_vec3(const double *a) { return vec3(a[0], a[1], a[2]); }

static void rope_force(const void *context, const double *x, const double *v, double *f)
{
    (void)context;
    Vec3 o = {0, 0, 0}, force = axial_spring_force(&rope, as_vec3(x), as_vec3(v), o, o);
    f[0] = force.x, f[1] = force.y - 20, f[2] = force.z;
}

static void rope_jacobians(const void *context, const double *x, const double *v, double *by_x, double *by_v)
{
    (void)context;
    Vec3 o = {0, 0, 0};
    SpringJacobians j = axial_spring_jacobians(&rope, as_vec3(x), as_vec3(v), o, o);
    for (int i = 0; i < 9; i++) {
        by_x[i] = ((double *)&j.by_position)[i];
        by_v[i] = ((double *)&j.by_velocity)[i];
    }
}

static const double one = 1, two[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
static const MechanicalSystem spring = {1, &one, spring_force, spring_jacobians, NULL, NULL, NULL, NULL};
static const MechanicalSystem swing = {3, two, rope_force, rope_jacobians, NULL, NULL, NULL, NULL};

static void run(IntegratorKind kind, const MechanicalSystem *m, double duration, int steps, double *x, double *v)
{
    Integrator s;
    assert_int_equal(integrator_init(&s, kind, m->size, NULL), STATUS_OK);
    for (int i = 0; i < steps; i++)
        assert_int_equal(integrator_step(&s, m, duration / steps, x, v, NULL), STATUS_OK);
    integrator_free(&s);
}

static double spring_error(IntegratorKind kind, int steps)
{
    double x = 1, v = 0.5, rest_x = 1, rest_v = 0.5;
    run(kind, &spring, 1, steps, &x, &v);
    SpringStep exact = spring_step(OMEGA, ZETA, 1);
    spring_advance(&exact, 0, &rest_x, &rest_v);
    return fabs(x - rest_x) + fabs(v - rest_v) / OMEGA;
}

static void swing_run(IntegratorKind kind, int steps, double *x)
{
    double v[3] = {0.5, 0, 1};
    x[0] = 0.6, x[1] = -0.3, x[2] = 0.1;
    run(kind, &swing, 0.5, steps, x, v);
}

static double swing_error(IntegratorKind kind, int steps, const double *exact)
{
    double x[3];
    swing_run(kind, steps, x);
    return vec3_distance(as_vec3(x), as_vec3(exact));
}

TEST(each_integrator_has_its_order)
{
    const double order[] = {1, 1, 2, 2};
    double exact[3];
    swing_run(BRIDSON_MARINO, 100000, exact);
    for (IntegratorKind kind = SYMPLECTIC_EULER; kind <= BRIDSON_MARINO; kind++) {
        double linear = elementary_log(spring_error(kind, 400) / spring_error(kind, 800)) / elementary_log(2);
        double bent = elementary_log(swing_error(kind, 400, exact) / swing_error(kind, 800, exact)) / elementary_log(2);
        assert_near(linear, order[kind], 0.1);
        assert_near(bent, order[kind], 0.15);
    }
}

/* Undamped linear spring: the trapezoidal rule conserves energy, implicit Euler loses it, symplectic Euler stays near
 * it; on a stiff spring explicit integration diverges while the implicit rules do not. */
TEST(integrators_keep_energy_and_stay_stable)
{
    const double amplitude = 1;
    for (IntegratorKind kind = IMPLICIT_EULER; kind <= TRAPEZOIDAL; kind++) {
        double x = amplitude, v = 0;
        run(kind, &spring, 100 * 2 / OMEGA, 100, &x, &v); /* h omega = 2 */
        assert_true(fabs(x) < amplitude);
    }
    double x = amplitude, v = 0;
    run(SYMPLECTIC_EULER, &spring, 100 * 3 / OMEGA, 100, &x, &v); /* h omega = 3: beyond its limit of 2 */
    assert_true(fabs(x) > 1e3);
}

/* One step of a linear spring in closed form: for a linear force the linearised rules equal the implicit ones. v' = v +
 * h f(x', v'), x' = x + h v'; and with the means of both ends. */
TEST(one_step_equals_its_rule)
{
    const double h = 0.3, w2 = OMEGA * OMEGA, c = 2 * ZETA * OMEGA, x0 = 0.7, v0 = -1.3;
    double x = x0, v = v0;
    run(IMPLICIT_EULER, &spring, h, 1, &x, &v);
    double implicit = (v0 - h * w2 * x0) / (1 + h * c + h * h * w2);
    assert_near(v, implicit, 1e-14);
    assert_near(x, x0 + h * implicit, 1e-14);
    x = x0, v = v0;
    run(TRAPEZOIDAL, &spring, h, 1, &x, &v);
    double mean = (v0 * (1 - h * c / 2 - h * h * w2 / 4) - h * w2 * x0) / (1 + h * c / 2 + h * h * w2 / 4);
    assert_near(v, mean, 1e-14);
    assert_near(x, x0 + h * (v0 + mean) / 2, 1e-14);
}

/* A particle constrained to the x axis stays on it. */
static int hold_on_axis(const void *context, const double *x, double *v)
{
    (void)context, (void)x;
    v[1] = v[2] = 0;
    return 1;
}

TEST(constraints_are_satisfied)
{
    MechanicalSystem held = swing;
    held.constrain = hold_on_axis;
    for (IntegratorKind kind = SYMPLECTIC_EULER; kind <= BRIDSON_MARINO; kind++) {
        double x[3] = {0.6, 0, 0}, v[3] = {0.5, 0, 0};
        run(kind, &held, 0.5, 50, x, v);
        assert_near(x[1], 0, 0);
        assert_near(x[2], 0, 0);
        assert_true(x[0] != 0.6);
    }
}

TEST(massless_variable_is_refused)
{
    const double none = 0;
    MechanicalSystem broken = spring;
    Integrator s;
    double x = 1, v = 2;
    broken.mass = &none;
    assert_int_equal(integrator_init(&s, SYMPLECTIC_EULER, 1, NULL), STATUS_OK);
    assert_int_equal(integrator_step(&s, &broken, 0.1, &x, &v, NULL), STATUS_NO_RESULT);
    assert_near(x, 1, 0);
    assert_near(v, 2, 0);
    assert_int_equal(integrator_step(&s, &swing, 0.1, &x, &v, NULL), STATUS_USAGE);
    integrator_free(&s);
}
