/* springs/axial_spring: Jacobians against finite differences, energy, springs without direction; springs over several
 * points have balanced forces, and one segment is an axial spring. */
#include "tests/support/test.h"

#include "analysis/math/vec.h"
#include "analysis/springs/axial_spring.h"
#include "tests/support/random_clip.h"

#define STEP 1e-6

static double component(Vec3 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

static Vec3 moved(Vec3 v, int axis, double by)
{
    return vec3(v.x + (axis == 0) * by, v.y + (axis == 1) * by, v.z + (axis == 2) * by);
}

TEST(jacobians_equal_finite_differences)
{
    Random r = {1};
    for (int trial = 0; trial < 20; trial++) {
        AxialSpring s = {300, 20, 0.4, 0, NULL};
        Vec3 x1 = random_vec3(&r, 1), v1 = random_vec3(&r, 2), x2 = random_vec3(&r, 1), v2 = random_vec3(&r, 2);
        SpringJacobians j = axial_spring_jacobians(&s, x1, v1, x2, v2);
        for (int k = 0; k < 3; k++) {
            Vec3 fx = vec3_sub(axial_spring_force(&s, moved(x1, k, STEP), v1, x2, v2),
                               axial_spring_force(&s, moved(x1, k, -STEP), v1, x2, v2));
            Vec3 fv = vec3_sub(axial_spring_force(&s, x1, moved(v1, k, STEP), x2, v2),
                               axial_spring_force(&s, x1, moved(v1, k, -STEP), x2, v2));
            Vec3 mixed = vec3_sub(axial_spring_force(&s, x1, v1, moved(x2, k, STEP), v2),
                                  axial_spring_force(&s, x1, v1, moved(x2, k, -STEP), v2));
            for (int i = 0; i < 3; i++) {
                assert_near(component(j.by_position.r[i], k), component(fx, i) / (2 * STEP), 1e-4);
                assert_near(component(j.by_velocity.r[i], k), component(fv, i) / (2 * STEP), 1e-6);
                assert_near(-component(j.by_position.r[i], k), component(mixed, i) / (2 * STEP), 1e-4);
            }
        }
    }
}

TEST(stress_jacobians_equal_finite_differences)
{
    Random r = {2};
    for (int trial = 0; trial < 20; trial++) {
        StressSpring s = {trial % 2 ? STRESS_QUADRATIC : STRESS_LINEAR, 200, 0.3};
        Vec3 x1 = random_vec3(&r, 1), x2 = random_vec3(&r, 1);
        Mat3 j = stress_spring_jacobian(&s, x1, x2);
        for (int k = 0; k < 3; k++) {
            Vec3 f = vec3_sub(stress_spring_force(&s, moved(x1, k, STEP), x2),
                              stress_spring_force(&s, moved(x1, k, -STEP), x2));
            for (int i = 0; i < 3; i++)
                assert_near(component(j.r[i], k), component(f, i) / (2 * STEP), 1e-4);
        }
    }
}

/* The stress form is the same spring; with zero rest length its Jacobian is -k (0.13). */
TEST(spring_forms_agree)
{
    Vec3 x1 = vec3(0.1, 0.2, -0.3), x2 = vec3(0.7, -0.4, 0.2), still = vec3(0, 0, 0);
    AxialSpring axial = {150, 0, 0.5, 0, NULL};
    StressSpring stress = {STRESS_LINEAR, 150, 0.5};
    assert_vec3_near(stress_spring_force(&stress, x1, x2), axial_spring_force(&axial, x1, still, x2, still), 1e-12);
    Mat3 a = axial_spring_jacobians(&axial, x1, still, x2, still).by_position;
    Mat3 b = stress_spring_jacobian(&stress, x1, x2);
    for (int i = 0; i < 3; i++)
        assert_vec3_near(b.r[i], a.r[i], 1e-10);
    stress.rest = 0;
    b = stress_spring_jacobian(&stress, x1, x2);
    for (int i = 0; i < 3; i++)
        assert_vec3_near(b.r[i], vec3_scale(MAT3_IDENTITY.r[i], -150), 1e-10);
}

TEST(ligament_does_not_push_and_zero_length_is_finite)
{
    AxialSpring s = {100, 0, 1, 1, NULL};
    Vec3 o = vec3(0, 0, 0);
    assert_vec3_near(axial_spring_force(&s, o, o, vec3(0.9, 0, 0), o), o, 0);
    assert_vec3_near(axial_spring_force(&s, o, o, vec3(1.1, 0, 0), o), vec3(10, 0, 0), 1e-12);
    s.pulls_only = 0;
    assert_vec3_near(axial_spring_force(&s, o, o, o, o), o, 0);
    assert_vec3_near(axial_spring_jacobians(&s, o, o, o, o).by_position.r[0], o, 0);
}

/* F = 3 - 40 l + 200 l^2 at the table lengths, + l' (2 + 5 l): bilinear functions between rows are reproduced
 * exactly. */
static double law_lengths[] = {0.1, 0.2, 0.4}, law_rates[] = {-1, 0.5, 2}, law_forces[9];

static SpringLaw bent_law(double lowest)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            law_forces[3 * i + k] = lowest - 40 * law_lengths[i] + 200 * law_lengths[i] * law_lengths[i] +
                                    law_rates[k] * (2 + 5 * law_lengths[i]);
    return (SpringLaw){.length_count = 3, .rate_count = 3, .length = law_lengths, .rate = law_rates,
                       .force = law_forces};
}

TEST(law_is_interpolated_and_extrapolated)
{
    SpringLaw law = bent_law(3);
    AxialSpring s = {.rest = 0.05, .law = &law};
    Tension t = axial_spring_tension(&s, 0.05 + 0.3, 1); /* halfway between 0.2 and 0.4: 3 and 19 */
    assert_near(t.force, 11 + (2 + 5 * 0.3), 1e-12);
    assert_near(t.by_length, 80 + 5, 1e-12);
    assert_near(t.by_rate, 2 + 5 * 0.3, 1e-12);
    t = axial_spring_tension(&s, 0.05 + 0.5, 4);
    assert_near(t.force, 27 + 4 * (2 + 5 * 0.5), 1e-12);
    t = axial_spring_tension(&s, 0.05, -3); /* 1 and 3 at 0.1 and 0.2 */
    assert_near(t.force, -1 - 3 * 2, 1e-12);
    law.rate_count = 1;
    double alone[] = {-2, 0, 4};
    law.force = alone;
    t = axial_spring_tension(&s, 0.05 + 0.15, 7);
    assert_near(t.force, -1, 1e-12);
    assert_near(t.by_rate, 0, 0);
    s.pulls_only = 1;
    assert_near(axial_spring_tension(&s, 0.05 + 0.15, 7).by_length, 0, 0);
}

/* The energy is the integral of F(l, 0) from its zero. */
TEST(force_law_energy_equals_its_work)
{
    SpringLaw law = bent_law(-3);
    for (int pulls_only = 0; pulls_only < 2; pulls_only++) {
        AxialSpring s = {.rest = 0.05, .pulls_only = pulls_only, .law = &law};
        double work = 0, rest = 0.05 + 0.2 + 0.2 * 3 / 16.0;
        assert_near(axial_spring_energy(&s, rest), 0, 1e-15);
        for (int side = -1; side <= 1; side += 2) {
            double h = side * 0.5 / 4000;
            work = 0;
            for (int i = 0; i < 4000; i++)
                work += h * axial_spring_tension(&s, rest + (i + 0.5) * h, 0).force;
            assert_near(axial_spring_energy(&s, rest + side * 0.5), work, 1e-6 * (1 + work));
            assert_true(pulls_only && side < 0 ? work == 0 : work > 0.1);
        }
    }
}

TEST(law_jacobians_equal_finite_differences)
{
    SpringLaw law = bent_law(3);
    AxialSpring s = {.rest = 0.05, .law = &law};
    Vec3 x1 = vec3(0.1, 0.2, 0.1), v1 = vec3(0.3, -0.4, 0.1), x2 = vec3(0.3, 0.3, 0.2), v2 = vec3(1, 0.5, -0.4);
    SpringJacobians j = axial_spring_jacobians(&s, x1, v1, x2, v2);
    for (int k = 0; k < 3; k++) {
        Vec3 fx = vec3_sub(axial_spring_force(&s, moved(x1, k, STEP), v1, x2, v2),
                           axial_spring_force(&s, moved(x1, k, -STEP), v1, x2, v2));
        Vec3 fv = vec3_sub(axial_spring_force(&s, x1, moved(v1, k, STEP), x2, v2),
                           axial_spring_force(&s, x1, moved(v1, k, -STEP), x2, v2));
        for (int i = 0; i < 3; i++) {
            assert_near(component(j.by_position.r[i], k), component(fx, i) / (2 * STEP), 1e-4);
            assert_near(component(j.by_velocity.r[i], k), component(fv, i) / (2 * STEP), 1e-6);
        }
    }
}

enum { POINTS = 5, SIZE = 3 * POINTS };

static const char active[POINTS - 1] = {1, 0, 1, 1};

static void random_points(Random *r, Vec3 *x, Vec3 *v)
{
    for (int i = 0; i < POINTS; i++) {
        x[i] = vec3_add(vec3(i, 0, 0), random_vec3(r, 0.4));
        v[i] = random_vec3(r, 2);
    }
}

/* Central difference of all forces with respect to one coordinate. */
static void difference(const MultipointSpring *s, Vec3 *x, Vec3 *v, double *coordinate, double *out)
{
    Vec3 ahead[POINTS], behind[POINTS];
    double here = *coordinate;
    *coordinate = here + STEP;
    multipoint_spring_forces(s, x, v, ahead);
    *coordinate = here - STEP;
    multipoint_spring_forces(s, x, v, behind);
    *coordinate = here;
    for (int i = 0; i < SIZE; i++)
        out[i] = (((double *)ahead)[i] - ((double *)behind)[i]) / (2 * STEP);
}

static void check_jacobians(const MultipointSpring *s, Random *r)
{
    Vec3 x[POINTS], v[POINTS];
    double jx[SIZE * SIZE], jv[SIZE * SIZE], column[SIZE];
    random_points(r, x, v);
    multipoint_spring_jacobians(s, x, v, jx, jv);
    for (int k = 0; k < SIZE; k++) {
        difference(s, x, v, (double *)x + k, column);
        for (int i = 0; i < SIZE; i++)
            assert_near(jx[i * SIZE + k], column[i], 1e-4);
        difference(s, x, v, (double *)v + k, column);
        for (int i = 0; i < SIZE; i++)
            assert_near(jv[i * SIZE + k], column[i], 1e-6);
    }
}

TEST(tendon_jacobians_equal_finite_differences)
{
    Random r = {1};
    MultipointSpring some = {{100, 10, 1, 0, NULL}, POINTS, active}, all = {{100, 10, 1, 0, NULL}, POINTS, NULL};
    for (int trial = 0; trial < 10; trial++) {
        check_jacobians(&some, &r);
        check_jacobians(&all, &r);
    }
}

TEST(forces_balance_and_passive_segments_do_not_lengthen)
{
    Random r = {2};
    Vec3 x[POINTS], v[POINTS], f[POINTS], sum = {0, 0, 0}, moment = {0, 0, 0};
    MultipointSpring s = {{100, 10, 1, 0, NULL}, POINTS, active};
    random_points(&r, x, v);
    multipoint_spring_forces(&s, x, v, f);
    for (int i = 0; i < POINTS; i++) {
        sum = vec3_add(sum, f[i]);
        moment = vec3_add(moment, vec3_cross(x[i], f[i]));
    }
    assert_vec3_near(sum, vec3(0, 0, 0), 1e-10);
    assert_vec3_near(moment, vec3(0, 0, 0), 1e-10);
    double before, after, rate;
    multipoint_spring_length(&s, x, v, &before, &rate);
    /* both ends of the passive segment 1 move apart with their outer points */
    x[0] = vec3_add(x[0], vec3(0, 1, 0));
    x[1] = vec3_add(x[1], vec3(0, 1, 0));
    multipoint_spring_length(&s, x, v, &after, &rate);
    assert_near(after, before, 1e-12);
}

TEST(one_segment_is_an_axial_spring)
{
    Vec3 x[2] = {{0, 0, 0}, {0.3, 0.4, 0}}, v[2] = {{1, 0, 0}, {0, 2, 0}}, f[2];
    MultipointSpring s = {{80, 5, 0.2, 0, NULL}, 2, NULL};
    multipoint_spring_forces(&s, x, v, f);
    assert_vec3_near(f[0], axial_spring_force(&s.law, x[0], v[0], x[1], v[1]), 1e-12);
    assert_vec3_near(f[1], vec3_neg(f[0]), 1e-12);
    s.law.pulls_only = 1;
    s.law.rest = 3;
    multipoint_spring_forces(&s, x, v, f);
    assert_vec3_near(f[0], vec3(0, 0, 0), 0);
}
