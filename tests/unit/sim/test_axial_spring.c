/* sim/axial_spring: Jacobians against finite differences, energy, and springs that have no direction. */
#include "tests/support/assert_near.h"

#include "analysis/math/mat3.h"
#include "analysis/sim/axial_spring.h"
#include "tests/support/random_clip.h"

#define STEP 1e-6

static double component(Vec3 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

static Vec3 moved(Vec3 v, int axis, double by)
{
    return vec3(v.x + (axis == 0) * by, v.y + (axis == 1) * by, v.z + (axis == 2) * by);
}

static void jacobians_are_the_derivatives(void **state)
{
    (void)state;
    Random r = {1};
    for (int trial = 0; trial < 20; trial++) {
        AxialSpring s = {300, 20, 0.4, 0};
        Vec3 x1 = random_vec3(&r, 1), v1 = random_vec3(&r, 2), x2 = random_vec3(&r, 1), v2 = random_vec3(&r, 2);
        Mat3 jx, jv;
        axial_spring_jacobians(&s, x1, v1, x2, v2, &jx, &jv);
        for (int k = 0; k < 3; k++) {
            Vec3 fx = vec3_sub(axial_spring_force(&s, moved(x1, k, STEP), v1, x2, v2),
                               axial_spring_force(&s, moved(x1, k, -STEP), v1, x2, v2));
            Vec3 fv = vec3_sub(axial_spring_force(&s, x1, moved(v1, k, STEP), x2, v2),
                               axial_spring_force(&s, x1, moved(v1, k, -STEP), x2, v2));
            Vec3 mixed = vec3_sub(axial_spring_force(&s, x1, v1, moved(x2, k, STEP), v2),
                                  axial_spring_force(&s, x1, v1, moved(x2, k, -STEP), v2));
            for (int i = 0; i < 3; i++) {
                assert_near(component(jx.r[i], k), component(fx, i) / (2 * STEP), 1e-4);
                assert_near(component(jv.r[i], k), component(fv, i) / (2 * STEP), 1e-6);
                assert_near(-component(jx.r[i], k), component(mixed, i) / (2 * STEP), 1e-4);
            }
        }
    }
}

static void stress_jacobians_are_the_derivatives(void **state)
{
    (void)state;
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

/* The stress form is the same spring; with no rest length its Jacobian is -k (0.13). */
static void the_forms_agree(void **state)
{
    (void)state;
    Vec3 x1 = vec3(0.1, 0.2, -0.3), x2 = vec3(0.7, -0.4, 0.2), still = vec3(0, 0, 0);
    AxialSpring axial = {150, 0, 0.5, 0};
    StressSpring stress = {STRESS_LINEAR, 150, 0.5};
    assert_vec3_near(stress_spring_force(&stress, x1, x2), axial_spring_force(&axial, x1, still, x2, still), 1e-12);
    Mat3 a, b, damping;
    axial_spring_jacobians(&axial, x1, still, x2, still, &a, &damping);
    b = stress_spring_jacobian(&stress, x1, x2);
    for (int i = 0; i < 3; i++)
        assert_vec3_near(b.r[i], a.r[i], 1e-10);
    stress.rest = 0;
    b = stress_spring_jacobian(&stress, x1, x2);
    for (int i = 0; i < 3; i++)
        assert_vec3_near(b.r[i], vec3_scale(MAT3_IDENTITY.r[i], -150), 1e-10);
}

static void a_ligament_does_not_push_and_a_point_has_no_direction(void **state)
{
    (void)state;
    AxialSpring s = {100, 0, 1, 1};
    Vec3 o = vec3(0, 0, 0);
    assert_vec3_near(axial_spring_force(&s, o, o, vec3(0.9, 0, 0), o), o, 0);
    assert_vec3_near(axial_spring_force(&s, o, o, vec3(1.1, 0, 0), o), vec3(10, 0, 0), 1e-12);
    s.pulls_only = 0;
    Mat3 jx, jv;
    assert_vec3_near(axial_spring_force(&s, o, o, o, o), o, 0);
    axial_spring_jacobians(&s, o, o, o, o, &jx, &jv);
    assert_vec3_near(jx.r[0], o, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobians_are_the_derivatives),
        cmocka_unit_test(stress_jacobians_are_the_derivatives),
        cmocka_unit_test(the_forms_agree),
        cmocka_unit_test(a_ligament_does_not_push_and_a_point_has_no_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
