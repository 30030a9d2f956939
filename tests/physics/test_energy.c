/* analysis/dynamics/inverse_dynamics: joint powers sum to the rate of mechanical energy, residuals to the rates of
 * momentum, for a smooth motion with sliding joints and loads; second-order convergence in the time step. */
#include "tests/support/test.h"

#include "analysis/base/standard_gravity.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/kinematics.h"
#include "tests/support/energy.h"
#include "tests/support/random_clip.h"

enum { JOINTS = 8, LOADED = 5 };

static const Vec3 gravity = {0, -GRAVITY, 0};

/* A smooth vector function of time with frequencies below 2 Hz and phases from the seed. */
static Vec3 wobble(uint64_t seed, double size, double t)
{
    Random r = {seed};
    Vec3 rate = random_vec3(&r, 12), phase = random_vec3(&r, PI);
    return vec3(size * elementary_sin(rate.x * t + phase.x), size * elementary_sin(rate.y * t + phase.y),
                size * elementary_sin(rate.z * t + phase.z));
}

/* The same motion sampled at any rate: rotations about moving axes, sliding joints, a translating root. */
static void sample_motion(Clip *c, int frames, double dt)
{
    motion_free(&c->motion);
    kinematics_free(&c->kinematics);
    assert_int_equal(motion_init(&c->motion, frames, JOINTS, dt, 1, NULL), STATUS_OK);
    for (int f = 0; f < frames; f++) {
        double t = f * dt;
        c->motion.root_position[f] = wobble(1, 0.5, t);
        for (int j = 0; j < JOINTS; j++) {
            size_t at = motion_index(&c->motion, f, j);
            c->motion.rotation[at] = quat_exp(wobble(10 + (uint64_t)j, 0.4, t));
            if (j > 0)
                c->motion.translation[at] = vec3_add(c->skeleton.offset[j], wobble(30 + (uint64_t)j, 0.05, t));
        }
    }
    motion_make_continuous(&c->motion);
    DifferenceDef def = difference_default_def();
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    assert_int_equal(differentiate(&view, &def, &c->kinematics, NULL), STATUS_OK);
}

/* Largest error of each balance over the clip, and the largest power. */
typedef struct Balance {
    double power, momentum, angular_momentum, largest_power;
} Balance;

/* d/dt E = sum of joint powers + power of the load;   d/dt p = F_root + m g + F_load;   d/dt L likewise, about the
 * world origin. Rates by central differences. */
static void add_frame(const Clip *c, const Loads *loads, int f, Balance *worst)
{
    const Kinematics *k = &c->kinematics;
    const Dynamics *d = &c->dynamics;
    size_t root = motion_index(&c->motion, f, 0), loaded = root + LOADED;
    Energy before = energy_of_frame(&c->body, k, gravity, f - 1), after = energy_of_frame(&c->body, k, gravity, f + 1);
    double rate = 1 / (2 * c->motion.frame_time), mass = c->body.total_mass;
    Vec3 at_origin = vec3_sub(k->velocity[loaded], vec3_cross(k->angular_velocity[loaded], k->position[loaded]));
    double power = vec3_dot(loads->force[f], at_origin) + vec3_dot(loads->moment[f], k->angular_velocity[loaded]);
    for (int j = 0; j < JOINTS; j++)
        power += d->power[root + (size_t)j];
    Vec3 force = vec3_add(vec3_mad(d->residual_force[f], mass, gravity), loads->force[f]);
    Vec3 moment = vec3_add(dynamics_residual_about(d, f, k->position[root], vec3(0, 0, 0)),
                           vec3_add(loads->moment[f], vec3_cross(k->com[f], vec3_scale(gravity, mass))));
    double energy = rate * (after.kinetic + after.potential - before.kinetic - before.potential);
    worst->largest_power = fmax(worst->largest_power, fabs(energy));
    worst->power = fmax(worst->power, fabs(power - energy));
    worst->momentum = fmax(worst->momentum,
                           vec3_distance(force, vec3_scale(vec3_sub(after.momentum, before.momentum), rate)));
    worst->angular_momentum =
        fmax(worst->angular_momentum,
             vec3_distance(moment, vec3_scale(vec3_sub(after.angular_momentum, before.angular_momentum), rate)));
}

static Balance balance_at(Clip *c, int frames, double dt)
{
    InverseDynamicsDef def = inverse_dynamics_default_def();
    int joint = LOADED;
    Vec3 *force = calloc((size_t)frames, sizeof *force), *moment = calloc((size_t)frames, sizeof *moment);
    Balance worst = {0, 0, 0, 0};
    assert_true(force && moment);
    sample_motion(c, frames, dt);
    for (int f = 0; f < frames; f++) {
        force[f] = wobble(50, 200, f * dt);
        moment[f] = wobble(51, 200, f * dt);
    }
    Loads loads = {.frame_count = frames, .load_count = 1, .joint = &joint, .force = force, .moment = moment};
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    assert_int_equal(inverse_dynamics(&view, &loads, &def, &c->dynamics, NULL), STATUS_OK);
    for (int f = 3; f < frames - 3; f++)
        add_frame(c, &loads, f, &worst);
    free(force);
    free(moment);
    return worst;
}

TEST(powers_sum_to_the_rate_of_energy)
{
    Clip c;
    assert_true(random_clip_init(&c, JOINTS, 1, 41));
    Balance coarse = balance_at(&c, 101, 0.01), fine = balance_at(&c, 201, 0.005);
    Balance finest = balance_at(&c, 801, 0.00125);
    assert_near(coarse.power / fine.power, 4, 0.4);
    assert_near(coarse.momentum / fine.momentum, 4, 0.4);
    assert_near(coarse.angular_momentum / fine.angular_momentum, 4, 0.4);
    assert_true(finest.largest_power > 1000);
    assert_near(finest.power / finest.largest_power, 0, 1e-3);
    assert_near(finest.momentum, 0, 1);         /* N */
    assert_near(finest.angular_momentum, 0, 1); /* N m */
    clip_free(&c);
}

TEST(falling_spinning_body_has_textbook_energy)
{
    Clip c;
    assert_true(random_clip_init(&c, 1, 1, 42));
    c.body.mass[0] = 3;
    c.body.com[0] = vec3(0, 0, 0);
    c.body.inertia[0] = (Sym3){1, 2, 4, 0, 0, 0};
    c.kinematics.orientation[0] = QUAT_IDENTITY;
    c.kinematics.angular_velocity[0] = vec3(1, 1, 2);
    c.kinematics.velocity[0] = vec3(0, -5, 0);
    c.kinematics.position[0] = vec3(0, 10, 7);
    Energy e = energy_of_frame(&c.body, &c.kinematics, gravity, 0);
    assert_near(e.kinetic, 0.5 * 3 * 25 + 0.5 * (1 + 2 + 16), 1e-12);
    assert_near(e.potential, 3 * GRAVITY * 10, 1e-12);
    assert_vec3_near(e.momentum, vec3(0, -15, 0), 1e-12);
    assert_vec3_near(e.angular_momentum, vec3(7 * 15 + 1, 2, 8), 1e-12);
    clip_free(&c);
}
