/* analysis/motion/kinematics: order of each scheme, rigid segments, translating joints, the same bits at each vector
 * width. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/motion/kinematics.h"
#include "tests/support/random_clip.h"

/* For the golden hash below; changes only with the mathematics. */
#define GOLDEN_HASH 0xc2c6ed08a86643bau

/* A branched chain of rotating joints; the last joint optionally slides. */
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

/* Largest errors of omega and alpha over the valid frames of one rotating joint. */
static void turning_errors(DifferenceDef def, int frames, double dt, double *omega_error, double *alpha_error)
{
    Scene s;
    Kinematics k = {0};
    scene_init(&s, 1, frames, dt, 0);
    for (int f = 0; f < frames; f++) {
        Vec3 omega, alpha;
        s.motion.rotation[f] = turning(f * dt, &omega, &alpha);
    }
    ClipView view = {&s.skeleton, NULL, &s.motion, NULL};
    assert_int_equal(differentiate(&view, &def, &k, NULL), STATUS_OK);
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

/* Order of convergence: log2 of the error ratio when dt is halved. */
static void orders(DifferenceDef def, double *omega_order, double *alpha_order)
{
    double omega[2], alpha[2];
    turning_errors(def, 257, 1.0 / 64, &omega[0], &alpha[0]);
    turning_errors(def, 513, 1.0 / 128, &omega[1], &alpha[1]);
    *omega_order = elementary_log(omega[0] / omega[1]) / elementary_log(2);
    *alpha_order = elementary_log(alpha[0] / alpha[1]) / elementary_log(2);
}

TEST(each_difference_scheme_has_its_order)
{
    static const struct {
        DifferenceScheme scheme;
        double omega, alpha;
    } expected[] = {{DIFFERENCE_CENTRAL, 2, 2}, {DIFFERENCE_BACKWARD, 1, 1}, {DIFFERENCE_FIVE_POINT, 4, 4}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        DifferenceDef def = difference_default_def();
        def.scheme = expected[i].scheme;
        double omega, alpha;
        orders(def, &omega, &alpha);
        assert_near(omega, expected[i].omega, 0.15);
        assert_near(alpha, expected[i].alpha, 0.15);
    }
}

/* v_j - v_p = omega_p x r and its derivative, in all frames, including the ends. */
TEST(segments_are_rigid)
{
    Scene s;
    Kinematics k = {0};
    DifferenceDef def = difference_default_def();
    scene_init(&s, 12, 70, 0.01, 0);
    ClipView view = {&s.skeleton, &s.body, &s.motion, NULL};
    assert_int_equal(differentiate(&view, &def, &k, NULL), STATUS_OK);
    for (int f = 0; f < 70; f++)
        for (int j = 1; j < 12; j++) {
            size_t i = motion_index(&s.motion, f, j), p = motion_index(&s.motion, f, s.skeleton.parent[j]);
            Vec3 r = vec3_sub(k.position[i], k.position[p]), w = k.angular_velocity[p];
            Vec3 spin = vec3_cross(w, r);
            Vec3 bend = vec3_add(vec3_cross(k.angular_acceleration[p], r), vec3_cross(w, spin));
            assert_near(vec3_norm(r), vec3_norm(s.skeleton.offset[j]), 1e-13);
            assert_vec3_near(vec3_sub(k.velocity[i], k.velocity[p]), spin, 1e-12);
            assert_vec3_near(vec3_sub(k.acceleration[i], k.acceleration[p]), bend, 1e-10);
        }
    kinematics_free(&k);
    scene_free(&s);
}

/* A carriage on a turntable: x = 0.5 + 0.2 sin 3t along the arm, which rotates at 4 rad/s. In arm axes v = (x', 0, -w
 * x), a = (x'' - w^2 x, 0, -2 w x') (Y up: rotation takes X towards -Z). */
static double carriage_error(double dt)
{
    Scene s;
    Kinematics k = {0};
    DifferenceDef def = difference_default_def();
    int frames = (int)(1 / dt) + 1;
    double w = 4, worst = 0;
    scene_init(&s, 2, frames, dt, 1);
    for (int f = 0; f < frames; f++) {
        s.motion.root_position[f] = vec3(0, 0, 0);
        s.motion.rotation[motion_index(&s.motion, f, 0)] = quat_from_axis_angle(vec3(0, 1, 0), w * f * dt);
        s.motion.translation[motion_index(&s.motion, f, 1)] = vec3(0.5 + 0.2 * elementary_sin(3 * f * dt), 0, 0);
    }
    ClipView view = {&s.skeleton, NULL, &s.motion, NULL};
    assert_int_equal(differentiate(&view, &def, &k, NULL), STATUS_OK);
    for (int f = 0; f < frames; f++) {
        double sine, cosine;
        elementary_sincos(3 * f * dt, &sine, &cosine);
        double x = 0.5 + 0.2 * sine, dx = 0.6 * cosine, ddx = -1.8 * sine;
        Quat arm = s.motion.rotation[motion_index(&s.motion, f, 0)];
        size_t i = motion_index(&s.motion, f, 1);
        if (!k.valid[f])
            continue;
        worst = fmax(worst, vec3_distance(k.velocity[i], quat_rotate(arm, vec3(dx, 0, -w * x))));
        worst = fmax(worst, vec3_distance(k.acceleration[i], quat_rotate(arm, vec3(ddx - w * w * x, 0, -2 * w * dx))));
    }
    kinematics_free(&k);
    scene_free(&s);
    return worst;
}

TEST(translating_joint_has_coriolis_acceleration)
{
    double coarse = carriage_error(0.01), fine = carriage_error(0.005);
    assert_true(coarse < 2e-3);
    assert_near(coarse / fine, 4, 0.2);
}

/* Velocities along the segments against finite differences of positions. */
TEST(velocities_integrate_to_positions)
{
    Scene s;
    Kinematics k = {0};
    DifferenceDef def = difference_default_def();
    double dt = 1e-3;
    scene_init(&s, 9, 120, dt, 1);
    ClipView view = {&s.skeleton, NULL, &s.motion, NULL};
    assert_int_equal(differentiate(&view, &def, &k, NULL), STATUS_OK);
    for (int f = 1; f < 119; f++)
        for (int j = 0; j < 9; j++) {
            Vec3 before = k.position[motion_index(&s.motion, f - 1, j)];
            Vec3 now = k.position[motion_index(&s.motion, f, j)];
            Vec3 after = k.position[motion_index(&s.motion, f + 1, j)];
            Vec3 second = vec3_add(vec3_sub(after, vec3_scale(now, 2)), before);
            size_t i = motion_index(&s.motion, f, j);
            assert_vec3_near(k.velocity[i], vec3_scale(vec3_sub(after, before), 0.5 / dt), 2e-3);
            assert_vec3_near(k.acceleration[i], vec3_scale(second, 1 / (dt * dt)), 2e-2);
        }
    kinematics_free(&k);
    scene_free(&s);
}

/* Rotations of 1e-9 rad to just under pi per frame: small angles use a series, large ones the arctangent. */
TEST(rates_equal_the_derivative_of_the_logarithm)
{
    DifferenceDef def = difference_default_def();
    def.scheme = DIFFERENCE_BACKWARD;
    Vec3 axis = vec3_normalize(vec3(0.3, -0.5, 0.8));
    for (double angle = 1e-9; angle < PI; angle *= 1.31) {
        Scene s;
        Kinematics k = {0};
        scene_init(&s, 1, 12, 1, 0);
        for (int f = 0; f < 12; f++) /* neighbours differ by +angle, then by -angle */
            s.motion.rotation[f] = quat_from_axis_angle(axis, f % 2 ? angle : 0);
        ClipView view = {&s.skeleton, NULL, &s.motion, NULL};
        assert_int_equal(differentiate(&view, &def, &k, NULL), STATUS_OK);
        for (int f = 1; f < 12; f++)
            assert_vec3_near(k.angular_velocity[f], vec3_scale(axis, f % 2 ? angle : -angle), 4e-16 * fmax(angle, 0.5));
        kinematics_free(&k);
        scene_free(&s);
    }
}

/* 60 rad/s at 30 Hz: 4 rad from the middle of five frames to the outer ones. */
TEST(fast_rotation_is_unwrapped_in_the_window)
{
    Scene s;
    Kinematics k = {0};
    DifferenceDef def = difference_default_def();
    def.scheme = DIFFERENCE_FIVE_POINT;
    scene_init(&s, 1, 40, 1.0 / 30, 0);
    for (int f = 0; f < 40; f++)
        s.motion.rotation[f] = quat_from_axis_angle(vec3(0, 0.6, 0.8), 60.0 / 30 * f);
    ClipView view = {&s.skeleton, NULL, &s.motion, NULL};
    assert_int_equal(differentiate(&view, &def, &k, NULL), STATUS_OK);
    for (int f = 0; f < 40; f++)
        assert_vec3_near(k.angular_velocity[f], vec3(0, 36, 48), 1e-11);
    kinematics_free(&k);
    scene_free(&s);
}

TEST(ends_are_flagged_and_copy_acceleration)
{
    static const int head[] = {2, 2, 2}, tail[] = {2, 2, 2}; /* at 30 Hz DIFFERENCE_EDGE is 2 frames */
    for (int scheme = DIFFERENCE_CENTRAL; scheme < DIFFERENCE_SCHEME_COUNT; scheme++) {
        Scene s;
        Kinematics k = {0};
        DifferenceDef def = difference_default_def();
        def.scheme = (DifferenceScheme)scheme;
        scene_init(&s, 4, 20, 1.0 / 30, 0);
        ClipView view = {&s.skeleton, NULL, &s.motion, NULL};
        assert_int_equal(differentiate(&view, &def, &k, NULL), STATUS_OK);
        for (int f = 0; f < 20; f++)
            assert_int_equal(k.valid[f], f >= head[scheme] && f < 20 - tail[scheme]);
        assert_vec3_near(k.angular_acceleration[3], k.angular_acceleration[4 + 3], 1e-10);
        if (scheme == DIFFERENCE_CENTRAL)
            assert_vec3_near(k.acceleration[19 * 4], k.acceleration[18 * 4], 1e-10);
        kinematics_free(&k);
        scene_free(&s);
    }
}

TEST(one_frame_is_static_and_two_have_constant_velocity)
{
    for (int scheme = DIFFERENCE_CENTRAL; scheme < DIFFERENCE_SCHEME_COUNT; scheme++)
        for (int frames = 1; frames <= 2; frames++) {
            Scene s;
            Kinematics k = {0};
            DifferenceDef def = difference_default_def();
            def.scheme = (DifferenceScheme)scheme;
            scene_init(&s, 1, frames, 0.1, 0);
            ClipView view = {&s.skeleton, &s.body, &s.motion, NULL};
            assert_int_equal(differentiate(&view, &def, &k, NULL), STATUS_OK);
            for (int f = 0; f < frames; f++) {
                Vec3 step = vec3_sub(s.motion.root_position[frames - 1], s.motion.root_position[0]);
                assert_vec3_near(k.velocity[f], vec3_scale(step, 10), 1e-13);
                assert_vec3_near(k.angular_velocity[f], k.angular_velocity[0], 1e-13);
                assert_vec3_near(k.angular_acceleration[f], vec3(0, 0, 0), 1e-11);
                assert_vec3_near(k.acceleration[f], vec3(0, 0, 0), 1e-11);
                assert_int_equal(k.valid[f], 0);
            }
            kinematics_free(&k);
            scene_free(&s);
        }
}

/* White position noise of RMS 1: the output of a scheme is the root of the sum of its squared weights, times 1/dt for
 * velocity and 1/dt2 for acceleration. Five points pass 1.3 times the noise of central differences. */
TEST(noise_gain_follows_the_weights)
{
    static const struct {
        DifferenceScheme scheme;
        double velocity, acceleration;
    } expected[] = {{DIFFERENCE_CENTRAL, 0.7071, 2.4495}, {DIFFERENCE_FIVE_POINT, 0.9501, 3.1425}};
    enum { FRAMES = 20001 };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        Scene s;
        Kinematics k = {0};
        Random r = {7};
        DifferenceDef def = difference_default_def();
        double velocity = 0, acceleration = 0, size = 0;
        def.scheme = expected[i].scheme;
        scene_init(&s, 1, FRAMES, 1, 0);
        for (int f = 0; f < FRAMES; f++) {
            s.motion.root_position[f] = vec3(random_signed(&r), 0, 0);
            size += s.motion.root_position[f].x * s.motion.root_position[f].x;
        }
        ClipView view = {&s.skeleton, NULL, &s.motion, NULL};
        assert_int_equal(differentiate(&view, &def, &k, NULL), STATUS_OK);
        for (int f = 0; f < FRAMES; f++) {
            velocity += k.velocity[f].x * k.velocity[f].x;
            acceleration += k.acceleration[f].x * k.acceleration[f].x;
        }
        assert_near(sqrt(velocity / size), expected[i].velocity, 0.02);
        assert_near(sqrt(acceleration / size), expected[i].acceleration, 0.05);
        kinematics_free(&k);
        scene_free(&s);
    }
}

/* Constant rotation and constant acceleration: each scheme is exact in all frames, including the ends. */
TEST(uniform_motion_is_exact_to_both_ends)
{
    for (int scheme = DIFFERENCE_CENTRAL; scheme < DIFFERENCE_SCHEME_COUNT; scheme++) {
        Scene s;
        Kinematics k = {0};
        DifferenceDef def = difference_default_def();
        def.scheme = (DifferenceScheme)scheme;
        scene_init(&s, 1, 30, 0.01, 0);
        for (int f = 0; f < 30; f++) {
            s.motion.rotation[f] = quat_from_axis_angle(vec3(0, 0.6, 0.8), 0.05 * f);
            s.motion.root_position[f] = vec3(0.02 * f, -0.5 * 9.8 * 1e-4 * f * f, 0);
        }
        ClipView view = {&s.skeleton, NULL, &s.motion, NULL};
        assert_int_equal(differentiate(&view, &def, &k, NULL), STATUS_OK);
        for (int f = 0; f < 30; f++) {
            assert_vec3_near(k.angular_velocity[f], vec3(0, 3, 4), 1e-11);
            assert_vec3_near(k.angular_acceleration[f], vec3(0, 0, 0), 1e-9);
            assert_vec3_near(k.acceleration[f], vec3(0, -9.8, 0), 1e-9);
            if (scheme != DIFFERENCE_BACKWARD) /* its velocity is that of half a frame earlier */
                assert_vec3_near(k.velocity[f], vec3(2, -9.8 * 0.01 * f, 0), 1e-11);
        }
        kinematics_free(&k);
        scene_free(&s);
    }
}

static int same_bits(const Kinematics *a, const Kinematics *b)
{
    size_t n = (size_t)a->frame_count * (size_t)a->joint_count, frames = (size_t)a->frame_count;
    return !memcmp(a->position, b->position, n * sizeof(Vec3)) &&
           !memcmp(a->orientation, b->orientation, n * sizeof(Quat)) &&
           !memcmp(a->angular_velocity, b->angular_velocity, n * sizeof(Vec3)) &&
           !memcmp(a->angular_acceleration, b->angular_acceleration, n * sizeof(Vec3)) &&
           !memcmp(a->velocity, b->velocity, n * sizeof(Vec3)) &&
           !memcmp(a->acceleration, b->acceleration, n * sizeof(Vec3)) &&
           !memcmp(a->com, b->com, frames * sizeof(Vec3)) && !memcmp(a->valid, b->valid, frames);
}

TEST(all_lane_widths_give_same_bits)
{
    static const int lengths[] = {1, 2, 3, 8, 9, 17, 63, 64, 65, 66, 72, 129, 200};
    static const LaneWidth widths[] = {LANES_PAIR, LANES_AVX2, LANES_AVX512};
    for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++)
        for (int scheme = DIFFERENCE_CENTRAL; scheme < DIFFERENCE_SCHEME_COUNT; scheme++) {
            Scene s;
            Kinematics scalar = {0}, wide = {0};
            DifferenceDef def = difference_default_def();
            def.scheme = (DifferenceScheme)scheme;
            def.lanes = LANES_SCALAR;
            scene_init(&s, 7, lengths[n], 0.1, scheme != DIFFERENCE_BACKWARD);
            ClipView view = {&s.skeleton, &s.body, &s.motion, NULL};
            assert_int_equal(differentiate(&view, &def, &scalar, NULL), STATUS_OK);
            for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
                def.lanes = widths[w];
                assert_int_equal(differentiate(&view, &def, &wide, NULL), STATUS_OK);
                assert_true(same_bits(&scalar, &wide));
            }
            kinematics_free(&scalar);
            kinematics_free(&wide);
            scene_free(&s);
        }
}

/* Fowler-Noll-Vo hash, 64 bits. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return hash;
}

/* The same for any x86-64 and arm64, compiler and optimisation level. */
TEST(kinematics_have_the_golden_hash)
{
    uint64_t hash = 14695981039346656037u;
    for (int scheme = DIFFERENCE_CENTRAL; scheme < DIFFERENCE_SCHEME_COUNT; scheme++) {
        Scene s;
        Kinematics k = {0};
        DifferenceDef def = difference_default_def();
        def.scheme = (DifferenceScheme)scheme;
        scene_init(&s, 31, 150, 0.03, 1);
        ClipView view = {&s.skeleton, &s.body, &s.motion, NULL};
        assert_int_equal(differentiate(&view, &def, &k, NULL), STATUS_OK);
        hash = hash_bytes(hash, k.angular_acceleration, 150 * 31 * sizeof(Vec3));
        hash = hash_bytes(hash, k.acceleration, 150 * 31 * sizeof(Vec3));
        hash = hash_bytes(hash, k.com, 150 * sizeof(Vec3));
        kinematics_free(&k);
        scene_free(&s);
    }
    if (hash != GOLDEN_HASH)
        print_error("hash %#llx\n", (unsigned long long)hash);
    assert_true(hash == GOLDEN_HASH);
}

TEST(invalid_input_is_refused)
{
    Scene s;
    Kinematics k = {0};
    Error err = {0};
    DifferenceDef def = difference_default_def(), none = def;
    none.scheme = (DifferenceScheme)9;
    scene_init(&s, 3, 10, 0.01, 0);
    ClipView view = {&s.skeleton, NULL, &s.motion, NULL};
    assert_int_equal(differentiate(&view, &none, &k, &err), STATUS_USAGE);
    s.motion.frame_time = 0;
    assert_int_equal(differentiate(&view, &def, &k, &err), STATUS_BAD_INPUT);
    s.motion.frame_time = NAN;
    assert_int_equal(differentiate(&view, &def, &k, &err), STATUS_BAD_INPUT);
    s.motion.frame_time = 0.01;
    s.motion.frame_count = 0;
    assert_int_equal(differentiate(&view, &def, &k, &err), STATUS_BAD_INPUT);
    s.motion.frame_count = 10;
    s.skeleton.parent[1] = 2;
    assert_int_equal(differentiate(&view, &def, &k, &err), STATUS_USAGE);
    s.skeleton.parent[1] = 0;
    s.body.joint_count = 2;
    assert_int_equal(differentiate(&(ClipView){&s.skeleton, &s.body, &s.motion, NULL}, &def, &k, &err),
                     STATUS_USAGE);
    assert_true(err.text[0] != '\0');
    assert_null(k.position);
    scene_free(&s);
}
