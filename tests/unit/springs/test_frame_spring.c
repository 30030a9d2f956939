/* springs/frame_spring: Jacobians in both coordinates against finite differences, balance, and asymmetric parts. */
#include "tests/support/test.h"

#include "analysis/springs/frame_spring.h"
#include "tests/support/random_clip.h"

#define STEP 1e-6

static FrameSpring random_spring(Random *r)
{
    return (FrameSpring){200, 15, 30, 4, random_vec3(r, 0.3), random_vec3(r, 0.3), random_quat(r), random_quat(r)};
}

static FrameState random_state(Random *r)
{
    return (FrameState){random_vec3(r, 1), random_quat(r), random_vec3(r, 2), random_vec3(r, 3)};
}

static Vec3 unit(int k) { return vec3(k == 0, k == 1, k == 2); }

/* The state with coordinate k (of x, theta) perturbed; body coordinates are in body axes. */
static FrameState displaced(FrameState s, int k, double by, SpringAxes axes)
{
    Vec3 d = vec3_scale(unit(k % 3), by);
    if (axes == SPRING_BODY_AXES)
        d = quat_rotate(s.orientation, d);
    if (k < 3)
        s.position = vec3_add(s.position, d);
    else
        s.orientation = quat_mul(quat_exp(vec3_scale(d, 0.5)), s.orientation);
    return s;
}

static FrameState hastened(FrameState s, int k, double by, SpringAxes axes)
{
    Vec3 d = vec3_scale(unit(k % 3), by);
    if (axes == SPRING_BODY_AXES)
        d = quat_rotate(s.orientation, d);
    if (k < 3)
        s.velocity = vec3_add(s.velocity, d);
    else
        s.angular_velocity = vec3_add(s.angular_velocity, d);
    return s;
}

typedef FrameState (*Vary)(FrameState, int, double, SpringAxes);

static void check(const FrameSpring *s, FrameState a, FrameState b, SpringAxes axes, Vary vary, const double *jacobian,
                  double tolerance)
{
    for (int k = 0; k < 12; k++) {
        double ahead[12], behind[12];
        FrameState a1 = k < 6 ? vary(a, k, STEP, axes) : a, b1 = k < 6 ? b : vary(b, k - 6, STEP, axes);
        FrameState a0 = k < 6 ? vary(a, k, -STEP, axes) : a, b0 = k < 6 ? b : vary(b, k - 6, -STEP, axes);
        frame_spring_wrench(s, &a1, &b1, axes, ahead);
        frame_spring_wrench(s, &a0, &b0, axes, behind);
        for (int i = 0; i < 12; i++)
            assert_near(jacobian[12 * i + k], (ahead[i] - behind[i]) / (2 * STEP), tolerance);
    }
}

TEST(jacobians_equal_finite_differences)
{
    Random r = {4};
    for (int trial = 0; trial < 10; trial++) {
        FrameSpring s = random_spring(&r);
        FrameState a = random_state(&r), b = random_state(&r);
        double j[144];
        for (SpringAxes axes = SPRING_BODY_AXES; axes <= SPRING_WORLD_AXES; axes++) {
            frame_spring_position_jacobian(&s, &a, &b, axes, j);
            check(&s, a, b, axes, displaced, j, 1e-5);
            frame_spring_velocity_jacobian(&s, &a, &b, axes, j);
            check(&s, a, b, axes, hastened, j, 1e-6);
        }
    }
}

TEST(forces_and_moments_balance)
{
    Random r = {5};
    FrameSpring s = random_spring(&r);
    FrameState a = random_state(&r), b = random_state(&r);
    double w[12];
    frame_spring_wrench(&s, &a, &b, SPRING_WORLD_AXES, w);
    Vec3 fa = vec3(w[0], w[1], w[2]), ta = vec3(w[3], w[4], w[5]), fb = vec3(w[6], w[7], w[8]);
    Vec3 tb = vec3(w[9], w[10], w[11]);
    assert_vec3_near(vec3_add(fa, fb), vec3(0, 0, 0), 1e-10);
    /* The elastic force is central, so that without lateral damping the moments balance too. */
    s.damping = 0;
    frame_spring_wrench(&s, &a, &b, SPRING_WORLD_AXES, w);
    fa = vec3(w[0], w[1], w[2]), ta = vec3(w[3], w[4], w[5]), fb = vec3(w[6], w[7], w[8]);
    tb = vec3(w[9], w[10], w[11]);
    Vec3 moment = vec3_add(vec3_add(ta, vec3_cross(a.position, fa)), vec3_add(tb, vec3_cross(b.position, fb)));
    assert_vec3_near(moment, vec3(0, 0, 0), 1e-9);
    /* At rest in its own frames a spring has no force. */
    b = a;
    s.point_b = s.point_a;
    s.frame_b = s.frame_a;
    frame_spring_wrench(&s, &a, &b, SPRING_BODY_AXES, w);
    for (int i = 0; i < 12; i++)
        assert_near(w[i], 0, 1e-10);
}

/* 0.23: a force constant in the world rotates relative to the body as the body rotates: d f / d theta = [f],
 * antisymmetric. A spring attached at the origin of A has such a force; in world axes it does not rotate. */
TEST(constant_force_has_an_antisymmetric_jacobian)
{
    FrameSpring s = {.stiffness = 50, .frame_a = QUAT_IDENTITY, .frame_b = QUAT_IDENTITY};
    FrameState a = {.orientation = QUAT_IDENTITY}, b = {.position = {1, 2, 3}, .orientation = QUAT_IDENTITY};
    double j[144];
    frame_spring_position_jacobian(&s, &a, &b, SPRING_BODY_AXES, j);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            assert_near(j[12 * i + 3 + k], -j[12 * k + 3 + i], 1e-12);
    assert_near(j[12 * 0 + 3 + 1], -150, 1e-12); /* [f] of f = 50 (1, 2, 3) */
    frame_spring_position_jacobian(&s, &a, &b, SPRING_WORLD_AXES, j);
    assert_near(j[12 * 0 + 3 + 1], 0, 1e-12);
}

TEST(rotation_vector_rate_equals_u_times_omega)
{
    Random r = {6};
    for (int trial = 0; trial < 10; trial++) {
        Vec3 v = random_vec3(&r, trial == 0 ? 0 : 1.5), omega = random_vec3(&r, 1);
        Quat q = quat_exp(vec3_scale(v, 0.5));
        Quat ahead = quat_mul(quat_exp(vec3_scale(omega, 0.5 * STEP)), q);
        Quat behind = quat_mul(quat_exp(vec3_scale(omega, -0.5 * STEP)), q);
        Vec3 rate = vec3_scale(vec3_sub(quat_log(ahead), quat_log(behind)), 1 / STEP);
        assert_vec3_near(mat3_mul(rotation_vector_rate(v), omega), rate, 1e-8);
    }
}
