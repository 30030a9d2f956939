/* analysis/motion/motion_cutoff: noise of known density on a known motion. */
#include "analysis/motion/motion_cutoff.h"
#include "tests/support/random_number.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/math/elementary.h"

enum { JOINTS = 3 };

static int parents[JOINTS] = {-1, 0, 1};

/* A swinging chain. The last segment may be without mass. */
typedef struct Swing {
    double rate, seconds;
    double density; /* of the root's noise, m2/Hz */
    double scale;   /* of all lengths */
    Quat turn;      /* of the world */
    int shaken;     /* 1: the last segment trembles by a radian */
} Swing;

static const Swing plain = {100, 6, 1e-9, 1, {1, 0, 0, 0}, 0};

/* Swings at 1 Hz with overtones that fall with the fourth power, so that densities fall with the eighth. */
static double swing_at(double t)
{
    double sum = 0;
    for (int k = 1; k < 30; k++)
        sum += 0.5 * pow(k, -4) * elementary_sin(2 * PI * k * t + k * k);
    return sum;
}

static CutoffChoice chosen(Swing s)
{
    Vec3 offset[JOINTS] = {{0, 0, 0}, {0, -0.4 * s.scale, 0}, {0, -0.4 * s.scale, 0}};
    double mass[JOINTS] = {40, 10, 0};
    Vec3 com[JOINTS] = {{0, 0.2 * s.scale, 0}, {0, -0.2 * s.scale, 0}, {0, -0.1 * s.scale, 0}};
    Skeleton skeleton = {.joint_count = JOINTS, .parent = parents, .offset = offset};
    Body body = {.joint_count = JOINTS, .mass = mass, .com = com};
    Motion m;
    CutoffChoice out;
    unsigned seed = 5;
    double size = sqrt(3 * s.density * s.rate / 2 / 3); /* uniform in -size .. size, three axes */
    assert_int_equal(motion_init(&m, (int)(s.seconds * s.rate) + 1, JOINTS, 1 / s.rate, 0, NULL), STATUS_OK);
    for (int f = 0; f < m.frame_count; f++) {
        double t = f / s.rate, x = random_number(&seed), y = random_number(&seed), z = random_number(&seed);
        Vec3 path = vec3_add(vec3(1.2 * t, 1, 0.2 * swing_at(t)), vec3_scale(vec3(x, y, z), size));
        m.root_position[f] = quat_rotate(s.turn, vec3_scale(path, s.scale));
        m.rotation[JOINTS * f] = quat_mul(s.turn, quat_from_axis_angle(vec3(0, 0, 1), 0.3 * swing_at(t + 0.2)));
        m.rotation[JOINTS * f + 1] = quat_from_axis_angle(vec3(0, 0, 1), swing_at(t));
        m.rotation[JOINTS * f + 2] = quat_from_axis_angle(vec3(1, 0, 0), s.shaken * random_number(&seed));
    }
    ClipView view = {&skeleton, &body, &m, NULL};
    assert_int_equal(motion_cutoff(&view, 0, 0, &out, NULL), STATUS_OK);
    motion_free(&m);
    return out;
}

TEST(noise_density_is_measured)
{
    (void)state;
    for (double density = 1e-8; density < 1e-4; density *= 10) {
        Swing s = plain;
        s.density = density;
        CutoffChoice c = chosen(s);
        assert_near(c.noise, sqrt(density), 0.2 * sqrt(density));
        assert_true(c.error > 0);
    }
}

TEST(noise_lowers_the_cutoff)
{
    Swing clean = plain, noisy = plain;
    (void)state;
    clean.density = 0;
    noisy.density = 1e-4;
    assert_near(chosen(clean).cutoff, cutoff_constants.highest, 0);
    assert_near(chosen(noisy).cutoff, cutoff_constants.lowest, 0);
    assert_true(chosen(plain).cutoff > 4.5 && chosen(plain).cutoff < 12);
}

TEST(world_unit_and_rate_do_not_matter)
{
    Swing turned = plain, large = plain, fast = plain;
    CutoffChoice c = chosen(plain);
    (void)state;
    turned.turn = quat_normalize((Quat){0.3, -0.8, 0.1, 0.5});
    assert_near(chosen(turned).cutoff, c.cutoff, 0);
    assert_near(chosen(turned).noise, c.noise, 1e-9 * c.noise);
    large.scale = 100;
    assert_near(chosen(large).cutoff, c.cutoff, 0);
    assert_near(chosen(large).noise, 100 * c.noise, 1e-7 * c.noise);
    for (fast.rate = 50; fast.rate <= 400; fast.rate *= 2)
        assert_near(chosen(fast).cutoff, c.cutoff, 0.1 * c.cutoff);
}

TEST(massless_segments_have_no_effect)
{
    Swing shaken = plain;
    (void)state;
    shaken.density = 0;
    shaken.shaken = 1;
    assert_near(chosen(shaken).cutoff, cutoff_constants.highest, 0);
}

TEST(short_clips_get_the_cutoff_of_unknown_noise)
{
    Swing brief = plain;
    (void)state;
    brief.seconds = 0.3;
    assert_near(chosen(brief).cutoff, cutoff_constants.unknown, 0);
    assert_near(chosen(brief).noise, 0, 0);
    brief.seconds = 0.6;
    assert_true(chosen(brief).noise > 0);
    Swing noisy = {30, 0.6, 1e-4, 1, {1, 0, 0, 0}, 0}; /* 19 frames */
    assert_near(chosen(noisy).noise, 0.01, 0.004);
    assert_near(chosen(noisy).cutoff, cutoff_constants.lowest, 0.5);
    brief.rate = 20; /* 13 frames */
    assert_near(chosen(brief).cutoff, cutoff_constants.unknown, 0);
}

/* White noise s of an angle at the lever has the density 2 (lever s)^2 / rate. */
TEST(noise_is_an_angle_at_the_lever)
{
    double density = sqrt(2 / 120.0) * cutoff_constants.lever * 0.003;
    (void)state;
    assert_near(cutoff_noise_angle(density, 120), 0.003, 1e-15);
}
