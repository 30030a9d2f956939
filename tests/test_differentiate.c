/* analysis/motion/differentiate: order of each scheme, rigid segments, translating joints, same bits at every width. */
#include "tests/assert_near.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/motion/differentiate.h"
#include "analysis/motion/forward_kinematics.h"

/* A chain of joints with a branch, all turning; the last joint slides where translations are asked for. */
typedef struct Scene {
    Skeleton skeleton;
    Motion motion;
    Body body;
} Scene;

/* Precession about Y (angle a = 2 t) of a spin about Z (angle b = 3 sin t): Q = Ry(a) Rz(b), so in world axes
 * omega = a' Y + b' Ry(a) Z, alpha = b'' Ry(a) Z + a' b' Y x Ry(a) Z. */
static Quat turning(double t, Vec3 *omega, Vec3 *alpha)
{
    Quat about_y = quat_from_axis_angle(vec3(0, 1, 0), 2 * t);
    double sine, cosine;
    elementary_sincos(t, &sine, &cosine);
    Vec3 y = {0, 1, 0}, axis = quat_rotate(about_y, vec3(0, 0, 1));
    *omega = vec3_mad(vec3_scale(y, 2), 3 * cosine, axis);
    *alpha = vec3_mad(vec3_scale(axis, -3 * sine), 6 * cosine, vec3_cross(y, axis));
    return quat_mul(about_y, quat_from_axis_angle(vec3(0, 0, 1), 3 * sine));
}

static void scene_free(Scene *s)
{
    skeleton_free(&s->skeleton);
    motion_free(&s->motion);
    body_free(&s->body);
}

static void scene_init(Scene *s, int joints, int frames, double dt, int has_translation)
{
    *s = (Scene){0};
    assert_int_equal(skeleton_init(&s->skeleton, joints, 0, NULL), STATUS_OK);
    assert_int_equal(motion_init(&s->motion, frames, joints, dt, has_translation, NULL), STATUS_OK);
    assert_int_equal(body_init(&s->body, joints, NULL), STATUS_OK);
    for (int j = 0; j < joints; j++) {
        s->skeleton.parent[j] = j == 0 ? -1 : j % 5 == 4 ? j - 3 : j - 1;
        s->skeleton.offset[j] = vec3(0.1 + 0.01 * j, -0.3, 0.05 * (j % 3));
        s->body.mass[j] = 1 + j % 4;
        s->body.com[j] = vec3(0.02 * j, -0.1, 0.01);
    }
    for (int f = 0; f < frames; f++) {
        double t = f * dt;
        s->motion.root_position[f] = vec3(elementary_sin(3 * t), 1 + 0.1 * elementary_cos(5 * t), 1.4 * t);
        for (int j = 0; j < joints; j++) {
            Vec3 omega, alpha;
            Quat q = turning(0.4 * t + 0.3 * j, &omega, &alpha);
            s->motion.rotation[motion_index(&s->motion, f, j)] = q;
            if (has_translation && j > 0)
                s->motion.translation[motion_index(&s->motion, f, j)] =
                    vec3_add(s->skeleton.offset[j], vec3(0.05 * elementary_sin(2 * t + j), 0.1 * t * t, 0));
        }
    }
    motion_make_continuous(&s->motion);
}

/* Largest errors of omega and alpha over the valid frames of one turning joint. */
static void turning_errors(DifferenceDef def, int frames, double dt, double *omega_error, double *alpha_error)
{
    Scene s;
    Kinematics k = {0};
    scene_init(&s, 1, frames, dt, 0);
    for (int f = 0; f < frames; f++) {
        Vec3 omega, alpha;
        s.motion.rotation[f] = turning(f * dt, &omega, &alpha);
    }
    assert_int_equal(differentiate(&s.skeleton, &s.motion, NULL, &def, &k, NULL), STATUS_OK);
    *omega_error = *alpha_error = 0;
    for (int f = 0; f < frames; f++) {
        Vec3 omega, alpha;
        turning(f * dt, &omega, &alpha);
        if (!k.valid[f])
            continue;
        *omega_error = fmax(*omega_error, vec3_distance(k.angular_velocity[f], omega));
        *alpha_error = fmax(*alpha_error, vec3_distance(k.angular_acceleration[f], alpha));
    }
    kinematics_free(&k);
    scene_free(&s);
}

/* log2 of the error's fall when dt is halved. */
static void orders(DifferenceDef def, double *omega_order, double *alpha_order)
{
    double omega[2], alpha[2];
    turning_errors(def, 257, 1.0 / 64, &omega[0], &alpha[0]);
    turning_errors(def, 513, 1.0 / 128, &omega[1], &alpha[1]);
    *omega_order = elementary_log(omega[0] / omega[1]) / elementary_log(2);
    *alpha_order = elementary_log(alpha[0] / alpha[1]) / elementary_log(2);
}

static void each_scheme_has_its_order(void **state)
{
    (void)state;
    static const struct {
        DifferenceScheme scheme;
        int order;
        double omega, alpha;
    } expected[] = {
        {DIFFERENCE_CENTRAL, 3, 2, 2}, {DIFFERENCE_BACKWARD, 3, 1, 1}, {DIFFERENCE_SAVGOL, 2, 2, 2}, {DIFFERENCE_SAVGOL, 3, 4, 2}, {DIFFERENCE_SAVGOL, 4, 4, 4},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        DifferenceDef def = difference_default_def();
        def.scheme = expected[i].scheme;
        def.order = expected[i].order;
        double omega, alpha;
        orders(def, &omega, &alpha);
        assert_near(omega, expected[i].omega, 0.15);
        assert_near(alpha, expected[i].alpha, 0.15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_scheme_has_its_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
