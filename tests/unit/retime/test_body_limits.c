/* analysis/retime/body_limits: efforts as fractions of limits and of bands; the friction cone (Coulomb). */
#include "tests/support/test.h"

#include "analysis/base/standard_gravity.h"
#include "analysis/retime/body_limits.h"

/* A hip and a knee; 70 kg; one frame. */
static Clip sample(void)
{
    Clip clip = {.has_body = 1, .has_kinematics = 1, .has_contact = 1, .has_dynamics = 1};
    assert_int_equal(skeleton_init(&clip.skeleton, 2, 0, NULL), STATUS_OK);
    assert_int_equal(skeleton_set_name(&clip.skeleton, 0, "Hips", NULL), STATUS_OK);
    assert_int_equal(skeleton_set_name(&clip.skeleton, 1, "LeftLeg", NULL), STATUS_OK);
    assert_int_equal(motion_init(&clip.motion, 1, 2, 0.01, 0, NULL), STATUS_OK);
    assert_int_equal(kinematics_init(&clip.kinematics, 1, 2, 1, NULL), STATUS_OK);
    assert_int_equal(contact_init(&clip.contact, 1, 1, 0, NULL), STATUS_OK);
    assert_int_equal(body_init(&clip.body, 2, NULL), STATUS_OK);
    assert_int_equal(dynamics_space(&clip.dynamics, 1, 2, NULL), STATUS_OK);
    assert_int_equal(dynamics_add_spread(&clip.dynamics, NULL), STATUS_OK);
    clip.kinematics.valid[0] = 1;
    clip.body.total_mass = 70;
    clip.contact.friction = 0.5;
    clip.dynamics.torque[1] = vec3(0, 60, -80);
    clip.dynamics.torque_sd[1] = vec3(0, 0, 20);
    clip.dynamics.residual_force[0] = vec3(0, 0, 0);
    return clip;
}

static double size_of(const BodyLimits *limits, const Clip *clip, int effort)
{
    return body_limits_size(clip, effort, body_limits_effort(limits, clip, 0, effort));
}

TEST(torque_is_a_fraction_of_its_limit_and_band)
{
    Clip clip = sample();
    double torque[] = {INFINITY, 80};
    BodyLimits limits = {.torque = torque, .share = INFINITY};
    assert_near(size_of(&limits, &clip, 1), 100.0 / 80, 1e-15);
    limits.band = BAND_LOW; /* 0.9 of 20 N m */
    assert_near(size_of(&limits, &clip, 1), 100.0 / 98, 1e-15);
    limits.band = BAND_HIGH;
    assert_near(size_of(&limits, &clip, 1), 100.0 / 62, 1e-15);
    assert_near(size_of(&limits, &clip, 0), 0, 0);
    clip_free(&clip);
}

TEST(frames_of_a_bad_recording_have_no_effort)
{
    Clip clip = sample();
    double torque[] = {INFINITY, 80};
    BodyLimits limits = {.torque = torque, .share = INFINITY};
    assert_int_equal(trust_init(&clip.trust, 1, 2, 1, NULL), STATUS_OK);
    clip.has_trust = 1;
    clip.trust.reason[0] = TRUST_UNCERTAIN | TRUST_UNEXPLAINED;
    assert_true(size_of(&limits, &clip, 1) > 1);
    clip.trust.joint_reason[1] = TRUST_FLICKER;
    assert_near(size_of(&limits, &clip, 1), 0, 0);
    clip.trust.joint_reason[1] = 0;
    clip.kinematics.valid[0] = 0;
    assert_near(size_of(&limits, &clip, 1), 0, 0);
    clip_free(&clip);
}

TEST(ground_gives_forces_within_its_friction_cone)
{
    Clip clip = sample();
    BodyLimits limits = {.share = INFINITY};
    int ground = body_limits_ground(&clip);
    double weight = 70 * GRAVITY;
    clip.contact.force[0] = vec3(0.5 * weight, weight, 0); /* on the cone */
    assert_near(size_of(&limits, &clip, ground), 0, 1e-12);
    clip.contact.force[0] = vec3(0, 0, 0);
    clip.dynamics.residual_force[0] = vec3(0, -weight, 0); /* pulled down by a body weight */
    assert_near(size_of(&limits, &clip, ground), 0.5 / sqrt(1.25) / GROUND_DOUBT, 1e-12);
    clip.dynamics.residual_force[0] = vec3(0, 0, 2 * weight);
    assert_near(size_of(&limits, &clip, ground), 2 / sqrt(1.25) / GROUND_DOUBT, 1e-12);
    clip_free(&clip);
}
