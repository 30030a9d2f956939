/* analysis/stats/clip_stats: a hinge with torque, power and motion in closed form, and clips without trusted frames;
 * ranges, peaks and limit fractions of degrees of freedom. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/clip/clip_schema.h"
#include "analysis/stats/clip_stats.h"
#include "analysis/stats/joint_peaks.h"
#include "analysis/stats/joint_series.h"
#include "tests/support/hinge_clip.h"

#define AMPLITUDE 30.0 /* N m */

TEST(sine_gives_its_peak_rms_and_work)
{
    Clip c = hinge_clip(201, AMPLITUDE); /* two periods */
    ClipStats s;
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    JointPeaks p = s.joint[1].peaks;
    assert_near(p.torque_peak_nm, AMPLITUDE, 1e-12);
    assert_near(p.torque_peak_nm_kg, AMPLITUDE / HINGE_MASS, 1e-12);
    assert_int_equal(p.torque_peak_frame % 50, 25);
    assert_near(p.torque_peak_t, p.torque_peak_frame / HINGE_FPS, 1e-12);
    /* sum of sin^2 over 200 of 201 samples */
    assert_near(p.torque_rms_nm_kg * HINGE_MASS, AMPLITUDE * sqrt(0.5 * 200 / 201), 1e-12);
    /* |sin| stays below sin(0.95 pi/2) for 95 % of the time */
    assert_near(p.torque_p95_nm_kg * HINGE_MASS, AMPLITUDE * elementary_sin(0.95 * PI / 2), 0.01 * AMPLITUDE);
    /* integral of 100 sin over a half period of 0.5 s: 100 / pi; the trapezoidal rule errs by (2 pi dt)^2 / 12 */
    assert_near(p.work_pos_j, 2 * 100 / PI, 2 * 100 / PI * 4e-4);
    assert_near(p.work_neg_j, -2 * 100 / PI, 2 * 100 / PI * 4e-4);
    assert_near(p.power_peak_w, 100, 1e-12);
    assert_near(p.power_min_w, -100, 1e-12);
    assert_near(p.speed_peak, HINGE_SWING * 2 * PI, 1e-12);
    assert_near(p.accel_peak, HINGE_SWING * 4 * PI * PI, 1e-12);
    assert_near(p.rom_rad, 2 * HINGE_SWING, 1e-12);
    assert_near(s.joint[0].peaks.rom_rad, 0, 0);
    assert_near(s.metrics.residual_force_rms_bw, 5 / (HINGE_MASS * 9.80665), 1e-12);
    assert_near(s.metrics.residual_torque_rms_nm_kg, 3 / HINGE_MASS, 1e-12);
    assert_near(s.metrics.fps, 100, 0);
    assert_int_equal(s.metrics.hardest_joint, 1);
    assert_true(isnan(s.metrics.flight_s));
    clip_stats_free(&s);
    clip_free(&c);
}

/* Over the joint's coordinates, in trusted frames; unknown values are skipped. */
TEST(peak_strength_fraction_has_its_time)
{
    Clip c = hinge_clip(101, AMPLITUDE);
    ClipStats s;
    assert_int_equal(joint_angles_init(&c.angles, 101, 3, 0, NULL), STATUS_OK);
    assert_int_equal(joint_angles_add_strength(&c.angles, NULL), STATUS_OK);
    c.has_angles = 1;
    for (int i = 0; i < 3 * 101; i++)
        c.angles.utilization[i] = i % 3 == 0 ? 0.1 : NAN;
    for (int i = 0; i < 3; i++)
        c.angles.joint[i] = 1;
    c.angles.utilization[3 * 40 + 2] = 0.7;
    c.angles.utilization[3 * 60] = 0.9;
    c.kinematics.valid[60] = 0;
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_near(s.joint[1].peaks.utilization_peak, 0.7, 0);
    assert_near(s.joint[1].peaks.utilization_peak_t, c.motion.time[40], 0);
    assert_true(isnan(s.joint[0].peaks.utilization_peak));
    clip_stats_free(&s);
    clip_free(&c);
}

TEST(untrusted_frames_are_excluded)
{
    Clip c = hinge_clip(101, AMPLITUDE);
    ClipStats s;
    c.kinematics.valid[25] = 0; /* the positive peak */
    c.dynamics.torque[75 * 2 + 1].x = NAN; /* the negative peak */
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_int_equal(s.metrics.valid_frames, 99);
    assert_near(s.joint[1].peaks.torque_peak_nm, AMPLITUDE * elementary_sin(2 * PI * 0.24), 1e-12);
    assert_int_equal(s.joint[1].peaks.torque_peak_frame, 24);
    clip_stats_free(&s);
    memset(c.kinematics.valid, 0, 101);
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_true(isnan(s.joint[1].peaks.torque_peak_nm) && isnan(s.joint[1].peaks.rom_rad));
    assert_true(isnan(s.metrics.residual_force_rms_bw));
    assert_int_equal(s.joint[1].peaks.torque_peak_frame, -1);
    assert_int_equal(s.metrics.hardest_joint, -1);
    assert_int_equal(s.windows.stat_count + s.events.count + s.profile_count, 0);
    clip_stats_free(&s);
    clip_free(&c);
}

static Clip doubted_hinge(int frames, const int span[][2], int spans)
{
    Clip c = hinge_clip(frames, AMPLITUDE);
    assert_int_equal(trust_init(&c.trust, frames, 2, 1, NULL), STATUS_OK);
    c.has_trust = 1;
    for (int i = 0; i < spans; i++)
        for (int f = span[i][0]; f <= span[i][1]; f++)
            c.trust.joint_reason[2 * f + 1] = TRUST_FLIP;
    trust_settle(&c.trust);
    return c;
}

/* 40 of 100 frames are on the plates, 10 of these are flagged: the trusted fraction is of the 40. */
TEST(trusted_fraction_is_over_plate_frames)
{
    Clip c = doubted_hinge(100, NULL, 0);
    ClipStats s;
    for (int f = 0; f < 100; f++)
        c.trust.reason[f] = f >= 40 ? TRUST_OFF_PLATES | TRUST_EDGE : f < 10 ? TRUST_PLATES_DOUBTED : 0;
    trust_settle(&c.trust);
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_near(s.metrics.trusted_fraction, 0.75, 1e-12);
    assert_near(s.metrics.off_plates_s, 60 / HINGE_FPS, 1e-12);
    assert_string_equal(s.metrics.untrusted_reason, "plates_doubted");
    clip_stats_free(&s);
    for (int f = 0; f < 40; f++)
        c.trust.reason[f] = TRUST_OFF_PLATES;
    trust_settle(&c.trust);
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_near(s.metrics.trusted_fraction, 0, 0);
    assert_string_equal(s.metrics.untrusted_reason, "off_plates");
    clip_stats_free(&s);
    clip_free(&c);
}

/* A frame in which only the knee is flagged is excluded from the knee's statistics: peak, RMS, percentile and range are
 * those of the other frames, work uses linear interpolation. The root keeps the frame. */
TEST(frames_of_a_flagged_joint_are_excluded_for_that_joint)
{
    const int span[][2] = {{20, 32}, {60, 90}};
    Clip c = doubted_hinge(101, span, 2);
    ClipStats s;
    double kept[101], squares = 0, work = 0, power[101];
    int count = 0;
    for (int f = 0; f < 101; f++) {
        double sine = elementary_sin(2 * PI * f / HINGE_FPS);
        power[f] = 100 * sine;
        if ((f >= 20 && f <= 32) || (f >= 60 && f <= 90))
            continue;
        kept[count++] = fabs(AMPLITUDE * sine);
        squares += AMPLITUDE * sine * AMPLITUDE * sine;
    }
    for (int f = 20; f <= 32; f++)
        power[f] = power[19] + (power[33] - power[19]) * (f - 19) / 14;
    for (int f = 1; f <= 50; f++)
        work += 0.5 / HINGE_FPS * (power[f - 1] + power[f]);
    c.kinematics.angular_velocity[2 * 25] = vec3(0, 0, 5); /* of the root, in the frame where the knee is flagged */
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    JointPeaks p = s.joint[1].peaks;
    assert_int_equal(s.metrics.valid_frames, 101);
    assert_int_equal(p.torque_peak_frame, 19);
    assert_near(p.torque_peak_nm, AMPLITUDE * elementary_sin(2 * PI * 0.19), 1e-12);
    assert_near(p.torque_peak_all_nm_kg, AMPLITUDE / HINGE_MASS, 1e-12);
    assert_near(p.torque_rms_nm_kg * HINGE_MASS, sqrt(squares / count), 1e-12);
    assert_near(p.torque_p95_nm_kg * HINGE_MASS, percentile(kept, count, 0.95), 1e-12);
    assert_near(p.power_peak_w, 100 * elementary_sin(2 * PI * 0.19), 1e-12);
    assert_near(p.work_pos_j, work, 1e-9);
    assert_near(p.rom_rad, HINGE_SWING * (elementary_sin(2 * PI * 0.19) + elementary_sin(2 * PI * 0.09)), 1e-9);
    assert_near(p.speed_peak, HINGE_SWING * 2 * PI, 1e-12);
    assert_near(s.joint[0].peaks.speed_peak, 5, 1e-12);
    clip_stats_free(&s);
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_VALID, NULL), STATUS_OK);
    assert_near(s.joint[1].peaks.torque_peak_nm, AMPLITUDE, 1e-12);
    clip_stats_free(&s);
    clip_free(&c);
}

/* The peak is in a counted frame, although the row begins with excluded frames. */
TEST(peak_frame_follows_excluded_frames)
{
    const int span[][2] = {{0, 30}, {56, 100}};
    Clip c = doubted_hinge(101, span, 2);
    ClipStats s;
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_int_equal(s.joint[1].peaks.torque_peak_frame, 31);
    assert_near(s.joint[1].peaks.torque_peak_t, 0.31, 1e-12);
    clip_stats_free(&s);
    clip_free(&c);
}

/* Without a trusted frame of the joint only the peak over all frames is known. */
TEST(joint_without_trusted_frame_has_no_statistics)
{
    const int span[][2] = {{0, 100}};
    Clip c = doubted_hinge(101, span, 1);
    ClipStats s;
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    JointPeaks p = s.joint[1].peaks;
    assert_true(isnan(p.torque_peak_nm) && isnan(p.torque_rms_nm_kg) && isnan(p.work_pos_j) && isnan(p.speed_peak));
    assert_int_equal(p.torque_peak_frame, -1);
    assert_near(p.torque_peak_all_nm_kg, AMPLITUDE / HINGE_MASS, 1e-12);
    assert_in_range(p.torque_peak_all_frame, 0, 100);
    clip_stats_free(&s);
    memset(c.kinematics.valid, 0, 101);
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_true(isnan(s.joint[1].peaks.torque_peak_all_nm_kg) && s.joint[1].peaks.torque_peak_all_frame == -1);
    clip_stats_free(&s);
    clip_free(&c);
}

TEST(clips_of_one_frame_or_without_groups_have_statistics)
{
    ClipStats s;
    Clip c = hinge_clip(1, AMPLITUDE);
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_int_equal(s.metrics.valid_frames, 1);
    assert_near(s.joint[1].peaks.work_pos_j, 0, 0);
    assert_near(s.joint[1].peaks.torque_p95_nm_kg, 0, 0);
    assert_int_equal(s.profile_count, 1);
    clip_stats_free(&s);
    clip_drop(&c, CLIP_BODY);
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_true(isnan(s.metrics.mass_kg) && isnan(s.joint[1].mass_kg) && isnan(s.joint[1].peaks.speed_peak));
    clip_stats_free(&s);
    clip_free(&c);
}

TEST(hips_below_a_massless_root_have_the_residual)
{
    Clip c = hinge_clip(100, AMPLITUDE);
    ClipStats s;
    c.body.mass[0] = 0;
    c.body.mass[1] = HINGE_MASS; /* all mass is below the knee: the hinge torque is the residual */
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_true(isnan(s.joint[1].peaks.torque_peak_nm) && isnan(s.joint[1].peaks.power_peak_w));
    assert_near(s.joint[1].peaks.rom_rad, 2 * HINGE_SWING, 1e-6);
    assert_int_equal(s.metrics.hardest_joint, -1);
    assert_int_equal(s.events.count + s.profile_count, 0);
    clip_stats_free(&s);
    clip_free(&c);
}

/* Legs and spine are children of a massless root: the hips are the floating base. */
TEST(hips_beside_the_spine_have_no_torque)
{
    Clip c = {.has_body = 1};
    assert_int_equal(skeleton_init(&c.skeleton, 3, 0, NULL), STATUS_OK);
    assert_int_equal(body_init(&c.body, 3, NULL), STATUS_OK);
    c.skeleton.parent[1] = c.skeleton.parent[2] = 0;
    c.skeleton.role[1] = ROLE_HIPS;
    c.skeleton.role[2] = ROLE_SPINE;
    c.body.mass[1] = c.body.mass[2] = 10;
    assert_true(joint_carries_residual(&c, 1));
    assert_false(joint_carries_residual(&c, 2));
    c.body.mass[0] = 1; /* with a massive trunk above them, hips are an ordinary joint */
    assert_false(joint_carries_residual(&c, 1));
    clip_free(&c);
}

TEST(packed_statistics_round_trip_and_cut_bytes_fail)
{
    Clip c = hinge_clip(90, AMPLITUDE);
    ClipStats s, back;
    unsigned char *bytes, *again;
    size_t size, again_size;
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_int_equal(clip_stats_pack(&s, &bytes, &size, NULL), STATUS_OK);
    assert_int_equal(clip_stats_unpack(bytes, size, &back, NULL), STATUS_OK);
    assert_int_equal(clip_stats_pack(&back, &again, &again_size, NULL), STATUS_OK);
    assert_int_equal(size, again_size);
    assert_memory_equal(bytes, again, size);
    assert_string_equal(clip_stats_text(&back, back.source), "hinge.bvh");
    assert_string_equal(clip_stats_text(&back, back.history), "import --up Y");
    assert_string_equal(clip_stats_text(&back, back.joint[1].name), "LeftLeg");
    clip_stats_free(&back);
    for (size_t cut = 0; cut < size; cut += 97)
        assert_int_equal(clip_stats_unpack(bytes, cut, &back, NULL), STATUS_BAD_INPUT);
    free(bytes);
    free(again);
    clip_stats_free(&s);
    clip_free(&c);
}

/* ---- Degrees of freedom ---- */

enum { FRAMES = 4 };

static const char *const moving[] = {"position", "velocity", "acceleration", "effort"};

/* A wheel of one joint with limits; the last frame is not valid. */
static Clip wheel(void)
{
    static const double position[FRAMES] = {-0.5, 1.5, 0.25, 9}, velocity[FRAMES] = {2, -3, 1, 99};
    static const double effort[FRAMES] = {4, -6, 1, 99};
    Clip c = {0};
    assert_int_equal(skeleton_init(&c.skeleton, 1, 0, NULL), STATUS_OK);
    assert_int_equal(skeleton_set_name(&c.skeleton, 0, "hub", NULL), STATUS_OK);
    assert_int_equal(motion_init(&c.motion, FRAMES, 1, 0.5, 0, NULL), STATUS_OK);
    assert_int_equal(kinematics_init(&c.kinematics, FRAMES, 1, 0, NULL), STATUS_OK);
    assert_int_equal(dofs_init(&c.dof, FRAMES, 1, NULL), STATUS_OK);
    assert_int_equal(dofs_set_name(&c.dof, 0, "axle", NULL), STATUS_OK);
    for (size_t i = 0; i < sizeof moving / sizeof *moving; i++)
        assert_int_equal(group_add(GROUP_DOF, &c.dof, moving[i], NULL), STATUS_OK);
    for (int f = 0; f < FRAMES; f++) {
        c.motion.rotation[f] = c.kinematics.orientation[f] = QUAT_IDENTITY;
        c.kinematics.valid[f] = f < FRAMES - 1;
        c.dof.position[f] = position[f];
        c.dof.velocity[f] = velocity[f];
        c.dof.effort[f] = effort[f];
    }
    c.dof.kind[0] = DOF_HINGE;
    c.dof.axis[0] = vec3(0, 0, 1);
    c.dof.range[0] = -1;
    c.dof.range[1] = 2;
    c.dof.effort_limit[0] = -8;
    c.dof.effort_limit[1] = 16;
    c.has_kinematics = c.has_dof = 1;
    return c;
}

TEST(dof_statistics_are_over_valid_frames)
{
    Clip c = wheel();
    ClipStats s;
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_VALID, NULL), STATUS_OK);
    assert_int_equal(s.dof_count, 1);
    const DofStat *d = s.dof;
    assert_string_equal(clip_stats_text(&s, d->name), "axle");
    assert_string_equal(d->kind, "hinge");
    assert_int_equal(d->joint, 0);
    assert_near(d->position_min, -0.5, 0);
    assert_near(d->position_max, 1.5, 0);
    assert_near(d->speed_peak, 3, 0);
    assert_near(d->effort_peak, 6, 0);
    assert_near(d->effort_rms, sqrt((16 + 36 + 1) / 3.0), 1e-15);
    assert_near(d->power_peak_w, 18, 0);
    assert_near(d->work_pos_j, 0.5 * (8 + 18 + 1), 1e-12);
    assert_near(d->limit_fraction[DOF_LIMIT_range], 2 / 3.0, 1e-15);
    assert_near(d->limit_fraction[DOF_LIMIT_effort_limit], 0.75, 0);
    assert_true(isnan(d->limit_fraction[DOF_LIMIT_speed_limit]));
    clip_stats_free(&s);
    clip_free(&c);
}

TEST(dof_statistics_are_packed)
{
    Clip c = wheel();
    ClipStats s, back;
    unsigned char *bytes;
    size_t size;
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_VALID, NULL), STATUS_OK);
    assert_int_equal(clip_stats_pack(&s, &bytes, &size, NULL), STATUS_OK);
    assert_int_equal(clip_stats_unpack(bytes, size, &back, NULL), STATUS_OK);
    assert_int_equal(back.dof_count, 1);
    assert_memory_equal(back.dof, s.dof, sizeof *s.dof);
    assert_string_equal(clip_stats_text(&back, back.dof->name), "axle");
    clip_stats_free(&back);
    free(bytes);
    s.dof->joint = 1; /* not in the clip */
    assert_int_equal(clip_stats_pack(&s, &bytes, &size, NULL), STATUS_OK);
    assert_int_equal(clip_stats_unpack(bytes, size, &back, NULL), STATUS_BAD_INPUT);
    free(bytes);
    clip_stats_free(&s);
    clip_free(&c);
}
