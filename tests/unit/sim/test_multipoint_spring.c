/* sim/multipoint_spring: Jacobians against finite differences, forces in balance, one segment is an axial spring. */
#include "tests/support/assert_near.h"

#include "analysis/sim/multipoint_spring.h"
#include "tests/support/random_clip.h"

enum { POINTS = 5, SIZE = 3 * POINTS };
#define STEP 1e-6

static const char active[POINTS - 1] = {1, 0, 1, 1};

static void random_points(Random *r, Vec3 *x, Vec3 *v)
{
    for (int i = 0; i < POINTS; i++) {
        x[i] = vec3_add(vec3(i, 0, 0), random_vec3(r, 0.4));
        v[i] = random_vec3(r, 2);
    }
}

/* Central difference of all forces by one coordinate. */
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

static void jacobians_are_the_derivatives(void **state)
{
    (void)state;
    Random r = {1};
    MultipointSpring some = {{100, 10, 1, 0}, POINTS, active}, all = {{100, 10, 1, 0}, POINTS, NULL};
    for (int trial = 0; trial < 10; trial++) {
        check_jacobians(&some, &r);
        check_jacobians(&all, &r);
    }
}

static void forces_balance_and_passive_segments_do_not_lengthen(void **state)
{
    (void)state;
    Random r = {2};
    Vec3 x[POINTS], v[POINTS], f[POINTS], sum = {0, 0, 0}, moment = {0, 0, 0};
    MultipointSpring s = {{100, 10, 1, 0}, POINTS, active};
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
    x[0] = vec3_add(x[0], vec3(0, 1, 0)); /* both ends of the passive segment 1 move apart along with their outer ones */
    x[1] = vec3_add(x[1], vec3(0, 1, 0));
    multipoint_spring_length(&s, x, v, &after, &rate);
    assert_near(after, before, 1e-12);
}

static void one_segment_is_an_axial_spring(void **state)
{
    (void)state;
    Vec3 x[2] = {{0, 0, 0}, {0.3, 0.4, 0}}, v[2] = {{1, 0, 0}, {0, 2, 0}}, f[2];
    MultipointSpring s = {{80, 5, 0.2, 0}, 2, NULL};
    multipoint_spring_forces(&s, x, v, f);
    assert_vec3_near(f[0], axial_spring_force(&s.law, x[0], v[0], x[1], v[1]), 1e-12);
    assert_vec3_near(f[1], vec3_neg(f[0]), 1e-12);
    s.law.pulls_only = 1;
    s.law.rest = 3;
    multipoint_spring_forces(&s, x, v, f);
    assert_vec3_near(f[0], vec3(0, 0, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobians_are_the_derivatives),
        cmocka_unit_test(forces_balance_and_passive_segments_do_not_lengthen),
        cmocka_unit_test(one_segment_is_an_axial_spring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
