/* analysis/stats: a hinge whose torque, power and motion are known in closed form, and clips with nothing to trust. */
#include "tests/assert_near.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/stats/clip_stats.h"
#include "analysis/stats/percentile.h"
#include "tests/hinge_clip.h"

#define AMPLITUDE 30.0 /* Nm */

static void sine_gives_its_peak_rms_and_work(void **state)
{
    (void)state;
    Clip c = hinge_clip(201, AMPLITUDE); /* two periods */
    ClipStats s;
    assert_int_equal(clip_stats_init(&s, &c, NULL), STATUS_OK);
    JointPeaks p = s.joint[1].peaks;
    assert_near(p.torque_peak_nm, AMPLITUDE, 1e-12);
    assert_near(p.torque_peak_nm_kg, AMPLITUDE / HINGE_MASS, 1e-12);
    assert_int_equal(p.torque_peak_frame % 50, 25);
    assert_near(p.torque_peak_t, p.torque_peak_frame / HINGE_FPS, 1e-12);
    assert_near(p.torque_rms_nm, AMPLITUDE * sqrt(0.5 * 200 / 201), 1e-12); /* sum of sin^2 over 200 of 201 samples */
    /* |sin| stays below sin(0.95 pi/2) for 95 % of the time */
    assert_near(p.torque_p95_nm, AMPLITUDE * elementary_sin(0.95 * PI / 2), 0.01 * AMPLITUDE);
    /* integral of 100 sin over a half period of 0.5 s: 100 / pi; trapezoids miss it by (2 pi dt)^2 / 12 */
    assert_near(p.work_pos_j, 2 * 100 / PI, 2 * 100 / PI * 4e-4);
    assert_near(p.work_neg_j, -2 * 100 / PI, 2 * 100 / PI * 4e-4);
    assert_near(p.power_peak_w, 100, 1e-12);
    assert_near(p.power_min_w, -100, 1e-12);
    assert_near(p.speed_peak, HINGE_SWING * 2 * PI, 1e-12);
    assert_near(p.accel_peak, HINGE_SWING * 4 * PI * PI, 1e-12);
    assert_near(p.rom_rad, 2 * HINGE_SWING, 1e-12);
    assert_near(s.joint[0].peaks.rom_rad, 0, 0);
    assert_near(s.figures.residual_force_rms_bw, 5 / (HINGE_MASS * 9.80665), 1e-12);
    assert_near(s.figures.residual_torque_rms_nm_kg, 3 / HINGE_MASS, 1e-12);
    assert_near(s.figures.fps, 100, 0);
    assert_int_equal(s.figures.hardest_joint, 1);
    assert_true(isnan(s.figures.flight_s));
    clip_stats_free(&s);
    clip_free(&c);
}

static void frames_not_to_trust_do_not_count(void **state)
{
    (void)state;
    Clip c = hinge_clip(101, AMPLITUDE);
    ClipStats s;
    c.kinematics.valid[25] = 0; /* the positive peak */
    c.dynamics.torque[75 * 2 + 1].x = NAN; /* the negative one */
    assert_int_equal(clip_stats_init(&s, &c, NULL), STATUS_OK);
    assert_int_equal(s.figures.valid_frames, 99);
    assert_near(s.joint[1].peaks.torque_peak_nm, AMPLITUDE * elementary_sin(2 * PI * 0.24), 1e-12);
    assert_int_equal(s.joint[1].peaks.torque_peak_frame, 24);
    clip_stats_free(&s);
    memset(c.kinematics.valid, 0, 101);
    assert_int_equal(clip_stats_init(&s, &c, NULL), STATUS_OK);
    assert_true(isnan(s.joint[1].peaks.torque_peak_nm) && isnan(s.joint[1].peaks.rom_rad));
    assert_true(isnan(s.figures.residual_force_rms_bw));
    assert_int_equal(s.joint[1].peaks.torque_peak_frame, -1);
    assert_int_equal(s.figures.hardest_joint, -1);
    assert_int_equal(s.windows.stat_count + s.events.count + s.profile_count, 0);
    clip_stats_free(&s);
    clip_free(&c);
}

static void short_and_bare_clips_are_fine(void **state)
{
    (void)state;
    ClipStats s;
    Clip c = hinge_clip(1, AMPLITUDE);
    assert_int_equal(clip_stats_init(&s, &c, NULL), STATUS_OK);
    assert_int_equal(s.figures.valid_frames, 1);
    assert_near(s.joint[1].peaks.work_pos_j, 0, 0);
    assert_near(s.joint[1].peaks.torque_p95_nm, 0, 0);
    assert_int_equal(s.profile_count, 1);
    clip_stats_free(&s);
    clip_drop(&c, CLIP_BODY);
    assert_int_equal(clip_stats_init(&s, &c, NULL), STATUS_OK);
    assert_true(isnan(s.figures.mass_kg) && isnan(s.joint[1].mass_kg) && isnan(s.joint[1].peaks.speed_peak));
    clip_stats_free(&s);
    clip_free(&c);
}

static void hips_below_a_root_without_mass_carry_the_residual(void **state)
{
    (void)state;
    Clip c = hinge_clip(100, AMPLITUDE);
    ClipStats s;
    c.body.mass[0] = 0;
    c.body.mass[1] = HINGE_MASS; /* all of it below the knee: the hinge holds nothing up but the residual */
    assert_int_equal(clip_stats_init(&s, &c, NULL), STATUS_OK);
    assert_near(s.joint[1].peaks.torque_peak_nm, AMPLITUDE, 1e-12);
    assert_int_equal(s.figures.hardest_joint, -1);
    assert_int_equal(s.events.count + s.profile_count, 0);
    clip_stats_free(&s);
    clip_free(&c);
}

static void windows_tile_the_clip(void **state)
{
    (void)state;
    Clip c = hinge_clip(130, AMPLITUDE);
    ClipStats s;
    assert_int_equal(clip_stats_init(&s, &c, NULL), STATUS_OK);
    const Windows *w = &s.windows;
    assert_int_equal(w->window_count, 3);
    assert_int_equal(w->window[0].frame0, 0);
    for (int k = 0; k + 1 < w->window_count; k++) {
        assert_int_equal(w->window[k].frame1 + 1, w->window[k + 1].frame0);
        assert_near(w->window[k].t1, w->window[k + 1].t0, 1e-12);
    }
    assert_int_equal(w->window[1].frame0, 50);
    assert_near(w->window[2].t1, 1.30, 1e-12);
    assert_int_equal(w->stat_count, 6); /* hips and knee in each */
    assert_int_equal(w->stat[1].role, ROLE_LEFT_KNEE);
    /* 50 samples of a half period */
    assert_near(w->stat[1].torque_rms_nm_kg, AMPLITUDE / HINGE_MASS * sqrt(0.5), 1e-12);
    assert_near(w->stat[1].power_min_w, 0, 1e-12);
    assert_near(w->stat[3].power_min_w, -100, 1e-12);
    clip_stats_free(&s);
    clip_free(&c);
}

static void peaks_steps_and_flights_become_events(void **state)
{
    (void)state;
    Clip c = hinge_clip(200, AMPLITUDE);
    assert_int_equal(contact_init(&c.contact, 200, 1, 0, NULL), STATUS_OK);
    c.has_contact = 1;
    c.contact.point_joint[0] = 1;
    c.skeleton.segment[1] = ROLE_LEFT_TOE;
    for (int f = 0; f < 200; f++) {
        c.contact.state[f] = f < 80 || f >= 120;
        c.contact.foot_force[(size_t)f * FOOT_COUNT].y = f == 10 ? 2 * HINGE_MASS * 9.80665 : 1;
        c.contact.confidence[f] = 0.5;
    }
    ClipStats s;
    assert_int_equal(clip_stats_init(&s, &c, NULL), STATUS_OK);
    const Event *e = s.events.event;
    assert_int_equal(s.events.count, 4 + 2 + 1);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(e[i].kind, EVENT_TORQUE_PEAK);
        assert_near(e[i].t0, 0.25 + 0.5 * i, 1e-12);
        assert_near(e[i].value, AMPLITUDE / HINGE_MASS, 1e-12);
    }
    assert_int_equal(e[4].kind, EVENT_FOOT_CONTACT);
    assert_int_equal(e[4].role, ROLE_LEFT_ANKLE);
    assert_int_equal(e[4].frame1, 79);
    assert_near(e[4].value, 2, 1e-12);
    assert_int_equal(e[5].frame0, 120);
    assert_int_equal(e[6].kind, EVENT_FLIGHT);
    assert_int_equal(e[6].frame0, 80);
    assert_near(e[6].value, 0.4, 1e-12);
    assert_near(s.figures.flight_s, 0.4, 1e-12);
    assert_near(s.figures.contact_confidence, 0.5, 1e-12);
    clip_stats_free(&s);
    clip_free(&c);
}

static void profile_does_not_depend_on_the_frame_rate(void **state)
{
    (void)state;
    Profile profile[2];
    int counts[2] = {51, 1001};
    for (int k = 0; k < 2; k++) {
        int n = counts[k], *frame = calloc((size_t)n, sizeof *frame);
        double *torque = calloc((size_t)n, sizeof *torque);
        for (int i = 0; i < n; i++) {
            frame[i] = i;
            torque[i] = 10.0 * i / (n - 1);
        }
        JointSeries s = {.count = n, .stride = n, .joint_count = 1, .has_load = 1, .frame = frame, .torque = torque};
        profile[k].role = ROLE_NECK;
        profile_compute(&s, 0, 2, profile[k].nm_kg);
        free(frame);
        free(torque);
    }
    for (int p = 0; p < PROFILE_POINTS; p++)
        assert_near(profile[0].nm_kg[p], 5 * (p + 0.5) / PROFILE_POINTS, 1e-6); /* the ramp's mean in each part */
    assert_near(profile_distance(&profile[0], 1, &profile[1], 1), 0, 1e-6);
    for (int p = 0; p < PROFILE_POINTS; p++)
        profile[1].nm_kg[p] += 0.25f;
    assert_near(profile_distance(&profile[0], 1, &profile[1], 1), 0.25, 1e-6);
    profile[1].role = ROLE_HEAD;
    assert_true(isnan(profile_distance(&profile[0], 1, &profile[1], 1)));
}

static void percentile_is_the_nearest_rank(void **state)
{
    (void)state;
    double value[1000];
    for (int i = 0; i < 1000; i++)
        value[i] = (i * 7919) % 1000; /* 0..999 in another order */
    assert_near(percentile(value, 1000, 0.95), 949, 0);
    assert_near(percentile(value, 1000, 0), 0, 0);
    assert_near(percentile(value, 1000, 1), 999, 0);
    for (int i = 0; i < 1000; i++)
        value[i] = 4;
    assert_near(percentile(value, 1000, 0.5), 4, 0);
}

static void pack_and_unpack_agree_and_cut_bytes_are_refused(void **state)
{
    (void)state;
    Clip c = hinge_clip(90, AMPLITUDE);
    ClipStats s, back;
    unsigned char *bytes, *again;
    size_t size, again_size;
    assert_int_equal(clip_stats_init(&s, &c, NULL), STATUS_OK);
    assert_int_equal(clip_stats_pack(&s, &bytes, &size, NULL), STATUS_OK);
    assert_int_equal(clip_stats_unpack(bytes, size, &back, NULL), STATUS_OK);
    assert_int_equal(clip_stats_pack(&back, &again, &again_size, NULL), STATUS_OK);
    assert_int_equal(size, again_size);
    assert_memory_equal(bytes, again, size);
    assert_string_equal(clip_stats_text(&back, back.source), "hinge.bvh");
    assert_string_equal(clip_stats_text(&back, back.options), "import --up Y");
    assert_string_equal(clip_stats_text(&back, back.joint[1].name), "LeftLeg");
    clip_stats_free(&back);
    for (size_t cut = 0; cut < size; cut += 97)
        assert_int_equal(clip_stats_unpack(bytes, cut, &back, NULL), STATUS_BAD_INPUT);
    free(bytes);
    free(again);
    clip_stats_free(&s);
    clip_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sine_gives_its_peak_rms_and_work),
        cmocka_unit_test(frames_not_to_trust_do_not_count),
        cmocka_unit_test(short_and_bare_clips_are_fine),
        cmocka_unit_test(hips_below_a_root_without_mass_carry_the_residual),
        cmocka_unit_test(windows_tile_the_clip),
        cmocka_unit_test(peaks_steps_and_flights_become_events),
        cmocka_unit_test(profile_does_not_depend_on_the_frame_rate),
        cmocka_unit_test(percentile_is_the_nearest_rank),
        cmocka_unit_test(pack_and_unpack_agree_and_cut_bytes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
