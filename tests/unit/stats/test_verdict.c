/* analysis/stats/verdict: edges of bands, bad recordings, the worst finding, sentences. */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/angles/strength.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/signal/cutoff.h"
#include "analysis/stats/joint_series.h"
#include "analysis/stats/verdict.h"
#include "tests/support/hinge_clip.h"
#include "tests/support/planted_artifact.h"

enum { FRAMES = 200, BURST = 10, KNEE = 1 }; /* a burst of 0.1 s */

/* A man of 1.75 m at rest with knees flexed by 60 degrees, without forces, of a sound recording. */
static Clip at_rest(void)
{
    Clip c = hinge_clip(FRAMES, 0);
    c.body.stature = 1.75;
    c.provenance.confidence.unit = 1;
    assert_int_equal(joint_angles_init(&c.angles, FRAMES, COORDINATES_PER_JOINT, 0, NULL), STATUS_OK);
    assert_int_equal(joint_angles_add_spread(&c.angles, NULL), STATUS_OK);
    assert_int_equal(trust_init(&c.trust, FRAMES, 2, 1, NULL), STATUS_OK);
    c.has_angles = c.has_trust = 1;
    for (int i = 0; i < COORDINATES_PER_JOINT; i++) {
        c.angles.coordinate[i] = (Coordinate)(COORDINATE_LEFT_KNEE_FLEXION + i);
        c.angles.joint[i] = KNEE;
    }
    for (int f = 0; f < FRAMES; f++) {
        c.angles.angle[joint_angles_index(&c.angles, f, 0)] = PI / 3;
        c.dynamics.residual_force[f] = c.dynamics.residual_torque[f] = vec3(0, 0, 0);
    }
    return c;
}

/* A force that nothing explains, body weights, in `count` frames from the 50th on. */
static void pull(Clip *c, double weights, int count)
{
    for (int f = 50; f < 50 + count; f++)
        c->dynamics.residual_force[f] = vec3(0, weights * HINGE_MASS * GRAVITY, 0);
}

/* Knee extension of that many times a strong person's, with the SD of the moment as a fraction of it. */
static void extend(Clip *c, int frame, double times, double sd)
{
    StrengthDef strong = strength_default_def();
    size_t at = joint_angles_index(&c->angles, frame, 0);
    strong.people = STRENGTH_STRONG;
    strong.sex = SEX_MALE;
    c->angles.moment[at] = -1;
    JointAngles use = c->angles;
    assert_int_equal(strength_compute(&strong, HINGE_MASS, 1.75, &use, NULL), STATUS_OK);
    c->angles.moment[at] = -times * use.capacity[at];
    c->angles.moment_sd[at] = sd * times * use.capacity[at];
    free(use.capacity);
    free(use.utilization);
    free(use.utilization_sd);
    free(use.passive);
}

static ClipVerdict verdict_of(const Clip *c)
{
    ClipVerdict v;
    assert_int_equal(clip_verdict_find(c, NULL, NULL, &v, NULL), STATUS_OK);
    return v;
}

static Verdict after_pull(double weights, int count, double sure)
{
    Clip c = at_rest();
    c.provenance.confidence.unit = sure;
    pull(&c, weights, count);
    Verdict verdict = verdict_of(&c).verdict;
    clip_free(&c);
    return verdict;
}

TEST(rest_is_possible)
{
    Clip c = at_rest();
    ClipVerdict v = verdict_of(&c);
    assert_int_equal(v.verdict, VERDICT_POSSIBLE);
    assert_true(v.factor < 0.1 && v.average < 0.1);
    clip_free(&c);
}

/* Over 0.1 s: 1 body weight, half width of the band 0.3. */
TEST(force_beyond_the_band_is_impossible_and_within_the_band_hard)
{
    assert_int_equal(after_pull(0.99, BURST, 1), VERDICT_POSSIBLE);
    assert_int_equal(after_pull(1.01, BURST, 1), VERDICT_HARD);
    assert_int_equal(after_pull(1.29, BURST, 1), VERDICT_HARD);
    assert_int_equal(after_pull(1.31, BURST, 1), VERDICT_IMPOSSIBLE);
}

/* Over 0.3 s: 0.5 body weights, half width 0.12. */
TEST(long_force_has_a_lower_limit)
{
    assert_int_equal(after_pull(0.49, 3 * BURST, 1), VERDICT_POSSIBLE);
    assert_int_equal(after_pull(0.61, 3 * BURST, 1), VERDICT_HARD);
    assert_int_equal(after_pull(0.63, 3 * BURST, 1), VERDICT_IMPOSSIBLE);
}

TEST(uncertain_unit_widens_the_band)
{
    assert_int_equal(after_pull(1.4, BURST, 1), VERDICT_IMPOSSIBLE);
    assert_int_equal(after_pull(1.4, BURST, 0.5), VERDICT_HARD);
    assert_int_equal(after_pull(3, BURST, 0.5), VERDICT_IMPOSSIBLE);
}

TEST(torque_beyond_the_band_of_a_strong_subject_is_impossible)
{
    Clip c = at_rest();
    extend(&c, 80, 0.9, 0.01);
    ClipVerdict v = verdict_of(&c);
    assert_int_equal(v.verdict, VERDICT_HARD); /* over an average person's */
    assert_near(v.factor, 0.9, 1e-9);
    assert_true(v.average > 1);
    extend(&c, 80, 3, 0.01);
    v = verdict_of(&c);
    assert_int_equal(v.verdict, VERDICT_IMPOSSIBLE);
    assert_int_equal(v.cause, VERDICT_TORQUE);
    assert_int_equal(v.joint, KNEE);
    assert_int_equal(v.frame, 80);
    assert_near(v.t, 0.8, 1e-12);
    assert_true(v.factor - v.band > 1);
    extend(&c, 80, 3, 0.6); /* 3 +- 3 */
    v = verdict_of(&c);
    assert_int_equal(v.verdict, VERDICT_HARD);
    assert_true(v.band > 0.6 * 3 * 1.6);
    clip_free(&c);
}

/* The largest lower end, not the largest factor. */
TEST(worst_finding_is_the_one_farthest_beyond_its_band)
{
    Clip c = at_rest();
    extend(&c, 80, 4, 0.6);
    pull(&c, 1.6, BURST);
    ClipVerdict v = verdict_of(&c);
    assert_int_equal(v.cause, VERDICT_FORCE);
    assert_near(v.factor, 1.6, 1e-9);
    assert_near(v.band, 0.3, 1e-9);
    assert_true(v.frame >= 50 && v.frame < 60);
    extend(&c, 80, 4, 0.01);
    v = verdict_of(&c);
    assert_int_equal(v.cause, VERDICT_TORQUE);
    assert_int_equal(v.joint, KNEE);
    clip_free(&c);
}

/* Which need not be the one that is named. */
TEST(any_factor_over_one_is_hard)
{
    Clip c = at_rest();
    extend(&c, 80, 1.3, 0.6);
    pull(&c, 0.9, BURST);
    ClipVerdict v = verdict_of(&c);
    assert_int_equal(v.cause, VERDICT_FORCE);
    assert_true(v.factor < 1);
    assert_int_equal(v.verdict, VERDICT_HARD);
    extend(&c, 80, 0.1, 0.6);
    assert_int_equal(verdict_of(&c).verdict, VERDICT_POSSIBLE);
    clip_free(&c);
}

static void flag(Clip *c, int first, int count, uint32_t reason)
{
    for (int f = first; f < first + count; f++)
        c->trust.reason[f] = reason;
}

TEST(bad_frames_are_left_out_and_unexplained_ones_count)
{
    Clip c = at_rest();
    pull(&c, 5, BURST);
    flag(&c, 50, BURST, TRUST_TELEPORT);
    assert_int_equal(verdict_of(&c).verdict, VERDICT_POSSIBLE);
    flag(&c, 50, BURST, TRUST_UNEXPLAINED | TRUST_UNCERTAIN);
    assert_int_equal(verdict_of(&c).verdict, VERDICT_IMPOSSIBLE);
    clip_free(&c);
}

/* The force may act anywhere between heel and fingers. */
TEST(wrist_over_a_loaded_hand_is_left_out)
{
    Clip c = at_rest();
    c.skeleton.role[KNEE] = ROLE_LEFT_WRIST;
    c.dynamics.torque[2 * 80 + KNEE] = vec3(0, 0, 400);
    ClipVerdict v = verdict_of(&c);
    assert_int_equal(v.cause, VERDICT_ANY_AXIS);
    assert_int_equal(v.verdict, VERDICT_IMPOSSIBLE);
    assert_int_equal(contact_init(&c.contact, FRAMES, 1, 0, NULL), STATUS_OK);
    c.has_contact = 1;
    c.contact.point_joint[0] = KNEE;
    c.contact.force[80] = vec3(0, 0.04 * HINGE_MASS * GRAVITY, 0);
    assert_int_equal(verdict_of(&c).verdict, VERDICT_IMPOSSIBLE);
    c.contact.force[80] = vec3(0, 0.06 * HINGE_MASS * GRAVITY, 0);
    assert_int_equal(verdict_of(&c).verdict, VERDICT_POSSIBLE);
    clip_free(&c);
}

TEST(mostly_bad_recording_is_unknown)
{
    Clip c = at_rest();
    pull(&c, 5, BURST);
    flag(&c, 99, FRAMES / 2, TRUST_TELEPORT); /* half */
    assert_int_equal(verdict_of(&c).verdict, VERDICT_IMPOSSIBLE);
    flag(&c, 98, 1, TRUST_TELEPORT);
    ClipVerdict v = verdict_of(&c);
    assert_int_equal(v.verdict, VERDICT_UNKNOWN);
    assert_int_equal(v.joint, -1);
    assert_true(isnan(v.factor));
    assert_string_equal(v.why, "most frames of the recording are bad");
    clip_free(&c);
}

/* Such as a neighbour that flickers. */
TEST(flags_of_the_root_joint_make_no_recording_bad)
{
    Clip c = at_rest();
    for (int f = 0; f < FRAMES; f++)
        c.trust.joint_reason[2 * f] = TRUST_ADJACENT_JOINT | TRUST_EDGE;
    assert_int_equal(verdict_of(&c).verdict, VERDICT_POSSIBLE);
    clip_free(&c);
}

/* A pose held for most of a clip is its motion. */
TEST(frozen_pose_is_judged)
{
    Clip c = at_rest();
    flag(&c, 0, FRAMES, TRUST_FROZEN);
    assert_int_equal(verdict_of(&c).verdict, VERDICT_POSSIBLE);
    pull(&c, 5, BURST);
    assert_int_equal(verdict_of(&c).verdict, VERDICT_IMPOSSIBLE);
    clip_free(&c);
}

TEST(verdict_requires_torques_and_strength)
{
    Clip c = at_rest();
    clip_drop(&c, CLIP_ANGLES);
    assert_string_equal(verdict_of(&c).why, "no joint has a known strength");
    clip_drop(&c, CLIP_DYNAMICS);
    ClipVerdict v = verdict_of(&c);
    assert_int_equal(v.verdict, VERDICT_UNKNOWN);
    assert_string_equal(v.why, "no torques: run kane torque first");
    clip_free(&c);
}

TEST(sentences_state_quantity_excess_and_time)
{
    Clip c = at_rest();
    pull(&c, 1.6, BURST);
    assert_string_equal(verdict_of(&c).why, "the body accelerates by 1.6 g without contact at 0.54 s");
    extend(&c, 80, 4, 0.01);
    assert_non_null(strstr(verdict_of(&c).why, "left knee extension 4 ± "));
    assert_non_null(strstr(verdict_of(&c).why, " times a strong person's at 0.80 s"));
    clip_free(&c);
}

TEST(moment_fails_balance)
{
    Clip c = at_rest();
    double unit = HINGE_MASS * GRAVITY * 1.75 / 2;
    for (int f = 50; f < 80; f++)
        c.dynamics.residual_torque[f] = vec3(0.5 * unit, 0, 0);
    ClipVerdict v = verdict_of(&c);
    assert_int_equal(v.cause, VERDICT_MOMENT);
    assert_near(v.factor, 0.5 / verdict_limits.moment_long, 1e-9);
    assert_string_equal(v.why, "no force of the ground keeps the body's balance at 0.64 s");
    clip_free(&c);
}

/* To and fro about the vertical at 4 Hz: over 0.3 s the moments cancel, over 0.1 s they do not, and need no path. */
TEST(body_that_turns_to_and_fro_fails_balance)
{
    Clip c = at_rest();
    double unit = HINGE_MASS * GRAVITY * 1.75 / 2, size = 1.1;
    for (int f = 0; f < FRAMES; f++) {
        c.dynamics.residual_torque[f] = vec3(0, size * unit * sin(2 * PI * 4 * f / HINGE_FPS), 0);
        c.trust.reason[f] = TRUST_NO_ROOT_PATH;
    }
    ClipVerdict v = verdict_of(&c);
    assert_int_equal(v.verdict, VERDICT_IMPOSSIBLE);
    assert_int_equal(v.cause, VERDICT_MOMENT);
    assert_near(v.factor, size * sin(0.4 * PI) / (0.4 * PI) / verdict_limits.yaw, 0.05);
    for (int f = 0; f < FRAMES; f++)
        c.dynamics.residual_torque[f].y *= 0.3;
    assert_int_equal(verdict_of(&c).verdict, VERDICT_POSSIBLE);
    clip_free(&c);
}

/* 5 mm of white noise in the path at 100 Hz, whose accelerations no ground explains. */
TEST(noise_of_the_recording_widens_the_band_of_the_ground)
{
    Clip c = at_rest();
    pull(&c, 2, BURST);
    ClipVerdict clean = verdict_of(&c);
    assert_int_equal(clean.verdict, VERDICT_IMPOSSIBLE);
    assert_int_equal(clip_add_history(&c, "smooth --method butterworth --cutoff 8 --noise 7e-4", NULL), STATUS_OK);
    ClipVerdict noisy = verdict_of(&c);
    double sd = cutoff_mean_noise(7e-4, 8, HINGE_FPS, 0.1) / GRAVITY, largest = sd * sqrt(2 * log(200));
    assert_near(noisy.factor, clean.factor, 1e-9);
    assert_near(noisy.band, sqrt(clean.band * clean.band + largest * largest), 1e-6);
    assert_int_equal(clip_add_history(&c, "smooth --method butterworth --cutoff 8 --noise 7e-3", NULL), STATUS_OK);
    assert_int_equal(verdict_of(&c).verdict, VERDICT_HARD);
    clip_free(&c);
}

TEST(fast_joint_of_the_unfiltered_motion_is_found)
{
    Clip c = at_rest();
    RawSpeed raw = {KNEE, 30, 2, 0};
    ClipVerdict v;
    assert_int_equal(clip_verdict_find(&c, &raw, NULL, &v, NULL), STATUS_OK);
    assert_int_equal(v.verdict, VERDICT_IMPOSSIBLE);
    assert_int_equal(v.frame, 30);
    assert_string_equal(v.why, "speed of LeftLeg 2 ± 0.1 times the fastest people's at 0.30 s");
    raw.factor = 1.04; /* within its band */
    assert_int_equal(clip_verdict_find(&c, &raw, NULL, &v, NULL), STATUS_OK);
    assert_int_equal(v.verdict, VERDICT_HARD);
    clip_free(&c);
}

TEST(body_faster_than_the_fastest_subjects_is_impossible)
{
    Clip c = at_rest();
    c.kinematics.com = calloc(FRAMES, sizeof *c.kinematics.com);
    assert_non_null(c.kinematics.com);
    for (int f = 0; f < FRAMES; f++)
        c.kinematics.com[f] = vec3(1.1 * verdict_limits.run_speed * f / HINGE_FPS, 1, 0);
    ClipVerdict v = verdict_of(&c);
    assert_int_equal(v.cause, VERDICT_PACE);
    assert_int_equal(v.verdict, VERDICT_IMPOSSIBLE);
    assert_near(v.factor, 1.1, 1e-9);
    clip_free(&c);
}

/* A clip whose arm swings by 60 degrees to either side at a frequency. */
static RawSpeed raw_of_swing(double hertz, double degrees)
{
    Clip c = hinge_clip(FRAMES, 0);
    Skeleton s;
    assert_int_equal(skeleton_init(&s, 3, 0, NULL), STATUS_OK);
    s.parent[1] = 0;
    s.parent[2] = 1;
    s.role[1] = ROLE_LEFT_SHOULDER;
    s.role[2] = ROLE_LEFT_ELBOW;
    s.offset[2] = vec3(0.3, 0, 0);
    skeleton_free(&c.skeleton);
    c.skeleton = s;
    motion_free(&c.motion);
    assert_int_equal(motion_init(&c.motion, FRAMES, 3, 1 / HINGE_FPS, 0, NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        double angle = degrees * PI / 180 * elementary_sin(2 * PI * hertz * f / HINGE_FPS);
        for (int j = 0; j < 3; j++)
            c.motion.rotation[3 * f + j] = QUAT_IDENTITY;
        c.motion.rotation[3 * f + 1] = quat_from_axis_angle(vec3(0, 0, 1), angle);
    }
    RawSpeed raw = raw_speed_find(&c);
    clip_free(&c);
    return raw;
}

/* Amplitude times the square of the angular frequency, 1,000 rad/s2; noise is fast, but small. */
TEST(swing_of_the_arm_is_found_by_its_acceleration)
{
    RawSpeed raw = raw_of_swing(6, 60);
    double acceleration = PI / 3 * 144 * PI * PI;
    assert_int_equal(raw.joint, 1);
    assert_near(raw.factor, acceleration / verdict_limits.swing, 0.1 * raw.factor);
    assert_true(raw_of_swing(2, 60).factor < 0.3);
    assert_true(raw_of_swing(40, 3).factor < 0.01);
}

/* A clip of joints with roles at rest, but for noise of so many degrees in the first `noisy` of them. */
static RawSpeed raw_of_noise(int noisy, double degrees)
{
    enum { JOINTS = 6 };
    unsigned seed = 1;
    Clip c = hinge_clip(FRAMES, 0);
    skeleton_free(&c.skeleton);
    motion_free(&c.motion);
    assert_int_equal(skeleton_init(&c.skeleton, JOINTS, 0, NULL), STATUS_OK);
    assert_int_equal(motion_init(&c.motion, FRAMES, JOINTS, 1 / HINGE_FPS, 0, NULL), STATUS_OK);
    for (int j = 0; j < JOINTS; j++) {
        c.skeleton.parent[j] = j - 1;
        c.skeleton.role[j] = (Role)(ROLE_LEFT_SHOULDER + j);
        c.skeleton.offset[j] = vec3(0.3, 0, 0);
        for (int f = 0; f < FRAMES; f++) {
            double angle = j < noisy ? degrees * PI / 180 * random_between(-2, 2, &seed) : 0;
            c.motion.rotation[motion_index(&c.motion, f, j)] = quat_from_axis_angle(vec3(0, 0, 1), angle);
        }
    }
    RawSpeed raw = raw_speed_find(&c);
    clip_free(&c);
    return raw;
}

/* Noise of 5 degrees turns an arm by 12 rad/s, back and forth. */
TEST(jitter_is_no_speed_and_in_the_majority_of_joints_noise)
{
    assert_true(raw_of_noise(6, 5).factor == 0);
    assert_int_equal(raw_of_noise(6, 5).is_noise, 1);
    assert_int_equal(raw_of_noise(2, 5).is_noise, 0);
    assert_int_equal(raw_of_noise(6, 0.3).is_noise, 0);
}

TEST(noise_is_no_finding_about_the_body)
{
    RawSpeed raw = {-1, -1, 0, 1};
    ClipVerdict v;
    Clip c = at_rest();
    pull(&c, 2, BURST);
    assert_int_equal(clip_verdict_find(&c, NULL, NULL, &v, NULL), STATUS_OK);
    assert_int_equal(v.verdict, VERDICT_IMPOSSIBLE);
    assert_int_equal(clip_verdict_find(&c, &raw, NULL, &v, NULL), STATUS_OK);
    assert_int_equal(v.verdict, VERDICT_UNKNOWN);
    assert_non_null(strstr(v.why, "noise"));
    clip_free(&c);
}
