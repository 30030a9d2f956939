/* analysis/contact/mass_fit: recovers the true masses from wrong ones; correct ones stay. */
#include "tests/support/test.h"

#include <stdlib.h>

#include "analysis/body/body_parts.h"
#include "analysis/contact/mass_equations.h"
#include "analysis/contact/mass_fit.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/motion/kinematics.h"
#include "formats/bvh/bvh.h"
#include "tests/support/random_clip.h"
#include "tests/support/read_bvh.h"

enum { CLIPS = 3 };
static const char *const paths[CLIPS] = {"data/walk.bvh", "data/squat.bvh", "data/jump.bvh"};

/* Relative change of each part from the true body; the trunk balances the others. */
static const double altered[BODY_PARTS] = {0, -0.10, 0.08, -0.06, 0.05, -0.09, 0.10, -0.08};

static void read_clip(Clip *c, const char *path)
{
    DifferenceDef difference = difference_default_def();
    assert_true(file_clip_with_body(path, c));
    ClipView view = {&c->skeleton, &c->body, &c->motion, NULL};
    assert_int_equal(differentiate(&view, &difference, &c->kinematics, NULL), STATUS_OK);
    clip_hold(c, CLIP_BODY | CLIP_KINEMATICS);
}

/* Forces that explain the motion exactly for the clip's body, as one measured wrench at the hips, plus plate noise (N;
 * a tenth of it in N m). */
static void measure(Clip *c, double noise)
{
    InverseDynamicsDef def = inverse_dynamics_default_def();
    Random random = {3};
    ClipView view = clip_view(c);
    assert_int_equal(inverse_dynamics(&view, NULL, &def, &c->dynamics, NULL), STATUS_OK);
    assert_int_equal(contact_init(&c->contact, c->motion.frame_count, 1, 1, NULL), STATUS_OK);
    for (int f = 0; f < c->motion.frame_count; f++) {
        c->contact.force[f] = vec3_add(c->dynamics.residual_force[f], random_vec3(&random, noise));
        Vec3 couple = c->dynamics.torque[f * c->skeleton.joint_count];
        c->contact.moment[f] = vec3_add(couple, random_vec3(&random, 0.1 * noise));
        c->contact.state[f] = 1;
    }
    clip_hold(c, CLIP_CONTACT);
}

static void find_part_masses(const Clip *c, double *mass)
{
    for (int p = 0; p <= BODY_PARTS; p++)
        mass[p] = 0;
    for (int j = 0; j < c->body.joint_count; j++)
        mass[segment_body_part(c->skeleton.segment[j])] += c->body.mass[j];
}

/* Alters the bodies of the clips by `scale` times the above, and fits them to the original forces. */
static void fit_altered(double scale, double noise, MassFit *fit, double *trunk)
{
    Clip clip[CLIPS];
    MassEquations equations[CLIPS];
    MassFitDef def = mass_fit_default_def();
    double mass[BODY_PARTS + 1];
    MassFit change = {0};
    for (int i = 0; i < CLIPS; i++) {
        read_clip(&clip[i], paths[i]);
        measure(&clip[i], noise);
    }
    find_part_masses(&clip[0], mass);
    for (int p = 1; p < BODY_PARTS; p++) {
        change.change[p] = scale * altered[p];
        change.change[PART_TRUNK] -= change.change[p] * mass[p] / mass[PART_TRUNK];
    }
    *trunk = change.change[PART_TRUNK];
    for (int i = 0; i < CLIPS; i++) {
        double total = clip[i].body.total_mass, sum = 0;
        body_parts_scale(&clip[i].skeleton, change.change, &clip[i].body);
        for (int j = 0; j < clip[i].body.joint_count; j++)
            sum += clip[i].body.mass[j];
        assert_near(sum, total, 1e-9);
        assert_int_equal(mass_equations_find(&clip[i], &equations[i], NULL), STATUS_OK);
        assert_true(equations[i].frames > 100);
    }
    find_part_masses(&clip[0], mass);
    assert_int_equal(mass_fit(equations, CLIPS, mass, &def, fit, NULL), STATUS_OK);
    for (int i = 0; i < CLIPS; i++)
        clip_free(&clip[i]);
}

TEST(altered_masses_are_recovered)
{
    MassFit fit;
    double trunk;
    (void)state;
    fit_altered(1, 0, &fit, &trunk);
    assert_int_equal(fit.is_found, 1);
    assert_int_equal(fit.better, CLIPS);
    assert_true(fit.gain > 0.5);
    assert_near((1 + trunk) * (1 + fit.change[PART_TRUNK]), 1, 0.015);
    /* Parts heavy enough to be observable; the hand's 0.4 kg are not. */
    static const struct {
        BodyPart part;
        double bound;
    } seen[] = {{PART_HEAD, 0.02}, {PART_UPPER_ARM, 0.05}, {PART_THIGH, 0.005}, {PART_SHANK, 0.005},
                {PART_FOOT, 0.005}};
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        double back = (1 + altered[seen[i].part]) * (1 + fit.change[seen[i].part]);
        print_message("%s %.4f of what it was\n", body_part_name(seen[i].part), back);
        assert_near(back, 1, seen[i].bound);
    }
}

TEST(correct_masses_are_unchanged)
{
    MassFit fit;
    double trunk;
    (void)state;
    fit_altered(0, 20, &fit, &trunk);
    assert_int_equal(fit.is_found, 0);
    assert_int_equal(fit.clips, CLIPS);
    for (int p = 0; p < BODY_PARTS; p++)
        assert_near(fit.change[p], 0, 0.02);
}

/* Two and a half times the change requires up to 25 %: no part exceeds the bound, the total is unchanged. */
TEST(no_part_exceeds_the_bound)
{
    MassFit fit;
    double trunk;
    (void)state;
    fit_altered(2.5, 0, &fit, &trunk);
    int at_bound = 0;
    for (int p = 0; p < BODY_PARTS; p++) {
        assert_true(fabs(fit.change[p]) <= 0.15 + 1e-9);
        at_bound += fabs(fit.change[p]) > 0.15 - 1e-6;
    }
    assert_true(at_bound > 0);
    assert_int_equal(fit.at_bound, at_bound);
}

/* With estimated forces only flights count: jump.bvh is in free fall from 1.216 to 1.584 s with the default body. */
TEST(flights_determine_masses_without_plates)
{
    Clip c;
    MassEquations e;
    double still[BODY_PARTS] = {0}, heavy_legs[BODY_PARTS] = {0};
    (void)state;
    read_clip(&c, paths[2]);
    assert_int_equal(contact_init(&c.contact, c.motion.frame_count, 1, 0, NULL), STATUS_OK);
    for (int f = 0; f < c.motion.frame_count; f++) {
        double t = c.motion.time[f];
        c.contact.point_position[0] = vec3(0, -0.08, 0.1); /* of a sole */
        c.contact.state[f] = t < 1.216 || t > 1.584;
    }
    clip_hold(&c, CLIP_CONTACT);
    assert_int_equal(mass_equations_find(&c, &e, NULL), STATUS_OK);
    assert_int_equal(e.frames, 27); /* 37 less 5 at either end, 100 fps */
    assert_true(mass_equations_error(&e, still) < 1e-4);
    heavy_legs[PART_THIGH] = 0.15;
    heavy_legs[PART_TRUNK] = -0.1;
    assert_true(mass_equations_error(&e, heavy_legs) > 10 * mass_equations_error(&e, still));
    clip_free(&c);
}

TEST(one_clip_is_not_sufficient)
{
    Clip c;
    MassEquations e;
    MassFit fit;
    MassFitDef def = mass_fit_default_def();
    Error err;
    double mass[BODY_PARTS + 1];
    (void)state;
    read_clip(&c, paths[0]);
    assert_int_equal(mass_equations_find(&c, &e, &err), STATUS_BAD_INPUT); /* no contact */
    measure(&c, 20);
    find_part_masses(&c, mass);
    assert_int_equal(mass_equations_find(&c, &e, NULL), STATUS_OK);
    assert_int_equal(mass_fit(&e, 1, mass, &def, &fit, NULL), STATUS_OK);
    assert_int_equal(fit.is_found, 0);
    assert_int_equal(fit.clips, 1);
    clip_free(&c);
}
