/* analysis/quality/trust_marks: flights that are not ballistic, torques with a large expected error, support in the
 * air. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/quality/trust_marks.h"
#include "tests/support/sample_clip.h"

enum { FRAMES = 200, JOINTS = 5 };

static void judged_clip(Clip *c, int points)
{
    assert_int_equal(sample_clip(c, FRAMES, JOINTS, points), 0);
    assert_int_equal(trust_init(&c->trust, FRAMES, JOINTS, 0, NULL), STATUS_OK);
    c->has_trust = 1;
}

/* The body has no support from frame `from` to `to`, with a residual of residual(frame) body weights. */
static void fly(Clip *c, int from, int to, double (*residual)(int frame))
{
    double weight = c->body.total_mass * GRAVITY;
    for (int f = 0; f < FRAMES; f++) {
        int is_up = f >= from && f <= to;
        memset(c->contact.force + f * c->contact.point_count, 0, (size_t)c->contact.point_count * sizeof(Vec3));
        c->contact.force[f * c->contact.point_count] = vec3(0, is_up ? 0 : weight, 0);
        c->dynamics.residual_force[f] = vec3(0, is_up ? weight * residual(f) : 0, 0);
        c->dynamics.residual_torque[f] = vec3(0, 0, 0);
    }
}

static double hangs(int frame) { (void)frame; return 0.9; }
static double is_noisy(int frame) { return frame % 2 ? 0.9 : -0.9; }
static double is_blurred(int frame) { return frame < 56 || frame > 74 ? 0.9 : 0.02; }

/* First and last frame flagged as unexplained; -1: none. */
static void unexplained(int from, int to, double (*residual)(int frame), int *first, int *last)
{
    Clip c;
    judged_clip(&c, 2);
    fly(&c, from, to, residual);
    assert_int_equal(trust_judge(&c, CLIP_DYNAMICS, NULL), STATUS_OK);
    *first = *last = -1;
    for (int f = 0; f < FRAMES; f++)
        if (c.trust.reason[f] & TRUST_UNEXPLAINED) {
            *first = *first < 0 ? f : *first;
            *last = f;
        }
    clip_free(&c);
}

/* At 120 Hz 15 frames are 0.125 s. */
TEST(flight_without_fall_is_unexplained)
{
    int first, last;
    unexplained(50, 80, hangs, &first, &last);
    assert_int_equal(first, 50);
    assert_int_equal(last, 80);
    unexplained(50, 64, hangs, &first, &last);
    assert_int_equal(last, 64);
    unexplained(50, 63, hangs, &first, &last);
    assert_int_equal(last, -1);
}

/* A row put back marks the frames beside it, a longer interpolation all that filters reach (0.14 s: 16 frames). */
TEST(short_interpolation_marks_adjacent_frames)
{
    Clip c;
    judged_clip(&c, 2);
    assert_int_equal(trust_add_joints(&c.trust, NULL), STATUS_OK);
    c.trust.reason[60] |= TRUST_INTERPOLATED;
    for (int f = 120; f < 132; f++)
        c.trust.reason[f] |= TRUST_INTERPOLATED;
    assert_int_equal(trust_judge(&c, CLIP_KINEMATICS, NULL), STATUS_OK);
    for (int f = 20; f < 180; f++) {
        int is_edge = (f >= 59 && f <= 61) || (f >= 104 && f <= 147);
        assert_int_equal((c.trust.reason[f] & TRUST_EDGE) != 0, is_edge);
    }
    clip_free(&c);
}

TEST(flight_with_mean_acceleration_g_is_explained)
{
    int first, last;
    unexplained(50, 80, is_noisy, &first, &last);
    assert_int_equal(first, -1);
    unexplained(50, 80, is_blurred, &first, &last);
    assert_int_equal(first, -1);
}

/* The expected error is 0.9 times the norm of the standard deviation. */
TEST(joint_of_large_expected_error_is_uncertain)
{
    enum { JOINT = 3, FRAME = 70 };
    Clip c;
    judged_clip(&c, 2);
    fly(&c, 0, -1, hangs);
    if (!c.dynamics.torque_sd)
        assert_int_equal(dynamics_add_spread(&c.dynamics, NULL), STATUS_OK);
    memset(c.dynamics.torque_sd, 0, FRAMES * JOINTS * sizeof(Vec3));
    c.dynamics.error_limit = 0.5;
    double sd = 0.5 / 0.9 * c.body.total_mass;
    c.dynamics.torque_sd[FRAME * JOINTS + JOINT] = vec3(0.6 * 1.001 * sd, 0, 0.8 * 1.001 * sd);
    c.dynamics.torque_sd[FRAME * JOINTS + JOINT - 1] = vec3(0, 0.999 * sd, 0);
    assert_int_equal(trust_judge(&c, CLIP_DYNAMICS, NULL), STATUS_OK);
    for (int i = 0; i < FRAMES * JOINTS; i++)
        assert_int_equal(!!(c.trust.joint_reason[i] & TRUST_UNCERTAIN), i == FRAME * JOINTS + JOINT);
    assert_int_equal(c.trust.reason[FRAME] & TRUST_UNCERTAIN, 0);
    clip_drop(&c, CLIP_DYNAMICS);
    assert_int_equal(trust_judge(&c, CLIP_DYNAMICS, NULL), STATUS_OK);
    assert_int_equal(c.trust.joint_reason[FRAME * JOINTS + JOINT], 0);
    clip_free(&c);
}

/* Two of three joints of the only loaded leg make the frame uncertain, one does not; an unloaded leg does not count. */
TEST(frame_uncertainty_depends_on_loaded_legs)
{
    static const Role role[JOINTS] = {ROLE_HIPS, ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, ROLE_RIGHT_HIP};
    Clip c;
    judged_clip(&c, 2);
    fly(&c, 0, -1, hangs);
    memcpy(c.skeleton.role, role, sizeof role);
    if (!c.dynamics.torque_sd)
        assert_int_equal(dynamics_add_spread(&c.dynamics, NULL), STATUS_OK);
    memset(c.dynamics.torque_sd, 0, FRAMES * JOINTS * sizeof(Vec3));
    memset(c.contact.foot_force, 0, FRAMES * FOOT_COUNT * sizeof(Vec3));
    c.dynamics.error_limit = 0.5;
    for (int f = 0; f < FRAMES; f++)
        c.contact.foot_force[f * FOOT_COUNT + FOOT_LEFT] = vec3(0, 0.2 * c.body.total_mass * GRAVITY, 0);
    for (int f = 10; f < 40; f++)
        for (int j = 1; j < JOINTS; j++)
            if (f < 20 ? j == 1 : f < 30 ? j == 4 : j < 3)
                c.dynamics.torque_sd[f * JOINTS + j] = vec3(c.body.total_mass, 0, 0);
    assert_int_equal(trust_judge(&c, CLIP_DYNAMICS, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++)
        assert_int_equal(!!(c.trust.reason[f] & TRUST_UNCERTAIN), f >= 30 && f < 40);
    clip_free(&c);
}

/* A loaded point half a metre above the other: a step if it is static, in the air if it moves. The other joint moves in
 * all other frames. */
TEST(support_that_moves_in_the_air_is_marked)
{
    enum { FROM = 50, TO = 60, LOW = 1, HIGH = 2, POINTS = 2 };
    Clip c;
    assert_int_equal(sample_clip(&c, FRAMES, JOINTS, POINTS), 0);
    assert_int_equal(trust_init(&c.trust, FRAMES, JOINTS, 0, NULL), STATUS_OK);
    c.has_trust = 1;
    for (int j = 0; j < JOINTS; j++)
        c.skeleton.offset[j] = vec3(0, 0.3, 0);
    c.contact.ground_normal = vec3(0, 1, 0);
    c.contact.point_joint[0] = LOW;
    c.contact.point_joint[1] = HIGH;
    c.contact.point_position[0] = c.contact.point_position[1] = vec3(0, 0, 0);
    for (int f = 0; f < FRAMES; f++) {
        for (int j = 0; j < JOINTS; j++) {
            size_t at = motion_index(&c.motion, f, j);
            c.kinematics.angular_velocity[at] = vec3(0, 0, 0);
            c.kinematics.position[at] = vec3(0, j == HIGH ? 0.5 : 0, 0);
            c.kinematics.velocity[at] = vec3((j == HIGH) == (f >= FROM && f <= TO) ? 1 : 0, 0, 0);
        }
        c.contact.force[f * POINTS] = vec3(0, 0, 0);
        c.contact.force[f * POINTS + 1] = vec3(0, c.body.total_mass * GRAVITY, 0);
    }
    assert_int_equal(trust_judge(&c, CLIP_CONTACT, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++)
        assert_int_equal(!!(c.trust.reason[f] & TRUST_AIRBORNE_SUPPORT), f >= FROM && f <= TO);
    clip_free(&c);
}
