/* Ground contact of a drop jump: from a box to the floor, up again and down, as a path with piecewise constant
 * accelerations. The clip begins on the box, but the floor must be the ground; flights have no contact force, landings
 * the force that the motion requires. */
#include "tests/support/test.h"

#include "analysis/base/standard_gravity.h"
#include "analysis/contact/contact_estimate.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/stats/contact_phases.h"
#include "tests/support/puppet.h"

#define FPS 100.0
#define PUSH (2 * GRAVITY) /* m/s2: landing and push-off at three body weights */

typedef struct Drop {
    double box;   /* m */
    double stand; /* s on the box, and on the floor at the end */
} Drop;

/* Height of the pelvis above its standing height on the floor, and of the feet above the floor. */
static void drop_heights(const Drop *d, double t, double *pelvis, double *feet)
{
    double fall = sqrt(2 * d->box / GRAVITY), speed = GRAVITY * fall, brake = speed / PUSH;
    double depth = speed * speed / (2 * PUSH), flight = 2 * speed / GRAVITY;
    *feet = *pelvis = d->box;
    t -= d->stand;
    if (t < 0)
        return;
    *feet = *pelvis = d->box - 0.5 * GRAVITY * t * t;
    if ((t -= fall) < 0)
        return;
    *feet = 0;
    *pelvis = -speed * t + 0.5 * PUSH * t * t; /* down and up again with the same force */
    if ((t -= 2 * brake) < 0)
        return;
    *feet = *pelvis = speed * t - 0.5 * GRAVITY * t * t;
    if ((t -= flight) < 0)
        return;
    *feet = 0;
    *pelvis = t < brake ? -speed * t + 0.5 * PUSH * t * t : -depth * (1 - puppet_ease((t - brake) / 0.8));
}

static double end_of(const Drop *d)
{
    double fall = sqrt(2 * d->box / GRAVITY);
    return 2 * d->stand + fall + 3 * GRAVITY * fall / PUSH + 2 * fall;
}

/* Leaves the box forwards at 0.6 m/s, keeps that speed in flight, and stops within 0.3 s on the floor. */
static double forward_of(const Drop *d, double t)
{
    double speed = 0.6, gain = 0.3, fall = sqrt(2 * d->box / GRAVITY), s = t - d->stand;
    if (s < 0)
        return s < -gain ? 0 : 0.5 * speed * (s + gain) * (s + gain) / gain;
    double stop = fmin(fmax(0, s - fall), gain);
    return 0.5 * speed * gain + speed * (fmin(s, fall) + stop - 0.5 * stop * stop / gain);
}

/* In flight the feet swing to the final position of the pelvis, toes down in between. */
static PuppetPose drop_path(double t, const void *context)
{
    const Drop *d = context;
    double pelvis, feet, fall = sqrt(2 * d->box / GRAVITY);
    double swing = puppet_ease((t - d->stand) / fall), toes = 1.6 * swing * (1 - swing);
    drop_heights(d, t, &pelvis, &feet);
    Vec3 sole = {0.11, feet, forward_of(d, INFINITY) * swing};
    return (PuppetPose){.pelvis = {0, PUPPET_STAND - 0.03 + pelvis, forward_of(d, t)},
                        .sole = {sole, {-sole.x, sole.y, sole.z}}, .pitch = {toes, toes}};
}

static double vertical(const Clip *c, int frame)
{
    double sum = 0;
    for (int i = 0; i < c->contact.point_count; i++)
        sum += c->contact.force[frame * c->contact.point_count + i].y;
    return sum / (c->body.total_mass * GRAVITY);
}

static void drop_until(Clip *c, const Drop *d, int noisy, double end)
{
    ContactEstimateDef def = contact_estimate_default_def();
    Error err;
    puppet_clip(c, (int)(end * FPS), FPS, drop_path, d);
    if (noisy)
        puppet_shake(c, 0.001, 0.2 * PI / 180);
    puppet_differentiate(c);
    if (contact_estimate(&(ClipView){&c->skeleton, &c->body, &c->motion, &c->kinematics}, &def, &c->contact, &err))
        fail_msg("%s", err.text);
    c->has_contact = 1;
}

static void drop(Clip *c, const Drop *d, int noisy) { drop_until(c, d, noisy, end_of(d)); }

/* Times of take-off from the box, landing, second take-off and second landing, s. */
static void times_of(const Drop *d, double t[4])
{
    double fall = sqrt(2 * d->box / GRAVITY);
    t[0] = d->stand;
    t[1] = t[0] + fall;
    t[2] = t[1] + 2 * GRAVITY * fall / PUSH;
    t[3] = t[2] + 2 * fall;
}

static const Drop drops[] = {{0.3, 0.6}, {0.45, 1}, {0.6, 2}};
enum { DROPS = sizeof drops / sizeof *drops };
#define EDGE 0.1 /* s: smoothing blurs acceleration steps over this time */

TEST(ground_height_is_floor_height)
{
    for (int i = 0; i < 2 * DROPS; i++) {
        Clip c;
        double t[4];
        drop(&c, &drops[i / 2], i % 2);
        assert_near(c.contact.ground_height, 0, 0.01);
        clip_free(&c);
        /* trimmed in the second flight: most of the clip is on the box */
        times_of(&drops[i / 2], t);
        drop_until(&c, &drops[i / 2], i % 2, t[2] + 0.1);
        assert_near(c.contact.ground_height, 0, 0.02);
        clip_free(&c);
    }
}

TEST(forces_are_zero_in_flight_and_nonzero_on_box)
{
    for (int i = 0; i < 2 * DROPS; i++) {
        Clip c;
        double t[4];
        times_of(&drops[i / 2], t);
        drop(&c, &drops[i / 2], i % 2);
        for (int f = 0; f < c.motion.frame_count; f++) {
            double now = f / FPS;
            if ((now > t[0] + EDGE && now < t[1] - EDGE) || (now > t[2] + EDGE && now < t[3] - EDGE))
                assert_near(vertical(&c, f), 0, 0); /* with noise: for this draw; another one gave 0.09 body weights */
            if (now > 0.1 && now < t[0] - 0.35)
                assert_near(vertical(&c, f), 1, i % 2 ? 0.4 : 0.05);
        }
        clip_free(&c);
    }
}

/* RMS residual force over the frames after the fall: 2 % of the range of three body weights, and 3 % with noise. */
TEST(residual_after_landing_is_below_bound)
{
    InverseDynamicsDef def = inverse_dynamics_default_def();
    for (int i = 0; i < 2 * DROPS; i++) {
        Clip c;
        Dynamics unloaded = {0};
        double t[4], squares = 0;
        times_of(&drops[i / 2], t);
        drop(&c, &drops[i / 2], i % 2);
        ClipView view = {&c.skeleton, &c.body, &c.motion, &c.kinematics};
        assert_int_equal(inverse_dynamics(&view, NULL, &def, &unloaded, NULL), STATUS_OK);
        int landing = (int)(t[1] * FPS), frames = c.motion.frame_count;
        for (int f = landing; f < frames; f++) {
            double off = vertical(&c, f) - unloaded.residual_force[f].y / (c.body.total_mass * GRAVITY);
            squares += off * off;
        }
        assert_true(sqrt(squares / (frames - landing)) < (i % 2 ? 0.09 : 0.06));
        dynamics_free(&unloaded);
        clip_free(&c);
    }
}

/* The body rises from the floor as high as it fell, and lands with its take-off force. */
TEST(flight_time_and_height_are_measured)
{
    for (int i = 0; i < DROPS; i++) {
        Clip c;
        double t[4];
        times_of(&drops[i], t);
        drop(&c, &drops[i], 0);
        int middle = (int)(0.5 * (t[2] + t[3]) * FPS), first = middle, last = middle;
        while (vertical(&c, first - 1) == 0)
            first--;
        while (vertical(&c, last + 1) == 0)
            last++;
        Flight flight = flight_measure(&c, first, last);
        /* the smoothed push-off ends up to 0.03 s late, when the body has risen */
        assert_true(flight.height_m < drops[i].box + 0.005);
        assert_true(flight.height_m > drops[i].box - 0.03 * sqrt(2 * GRAVITY * drops[i].box));
        assert_near(flight.landing_peak_bw, 1 + PUSH / GRAVITY, 0.35);
        clip_free(&c);
    }
}
