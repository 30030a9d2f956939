/* analysis/stats/events: half-second windows tile a clip and have the statistics of their frames. */
#include "tests/support/test.h"

#include "analysis/stats/clip_stats.h"
#include "tests/support/hinge_clip.h"

#define AMPLITUDE 30.0 /* Nm */

TEST(windows_tile_the_clip)
{
    Clip c = hinge_clip(130, AMPLITUDE);
    ClipStats s;
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    const Windows *w = &s.windows;
    assert_int_equal(w->window_count, 3);
    assert_int_equal(w->window[0].frame0, 0);
    for (int k = 0; k + 1 < w->window_count; k++) {
        assert_int_equal(w->window[k].frame1 + 1, w->window[k + 1].frame0);
        assert_near(w->window[k].t1, w->window[k + 1].t0, 1e-12);
    }
    assert_int_equal(w->window[1].frame0, 50);
    assert_near(w->window[2].t1, 1.30, 1e-12);
    assert_int_equal(w->stat_count, 3); /* the knee in each; the hips only have the residual */
    assert_int_equal(w->stat[0].role, ROLE_LEFT_KNEE);
    /* 50 samples of a half period */
    assert_near(w->stat[0].torque_rms_mnm_kg, ceil(1000 * AMPLITUDE / HINGE_MASS * sqrt(0.5)), 0);
    assert_near(w->stat[0].power_min_mw_kg, 0, 0);
    assert_near(w->stat[1].power_min_mw_kg, floor(-1000 * 100 / HINGE_MASS), 0);
    clip_stats_free(&s);
    clip_free(&c);
}

/* A window without trusted frames is empty, its neighbours are not. */
TEST(windows_not_to_trust_have_no_figures)
{
    Clip c = hinge_clip(150, AMPLITUDE);
    JointSeries series;
    Windows w;
    for (int f = 50; f < 100; f++)
        c.kinematics.valid[f] = 0;
    assert_int_equal(joint_series_init(&series, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_int_equal(windows_init(&w, &c, &series, NULL), STATUS_OK);
    assert_int_equal(w.window_count, 3);
    assert_int_equal(w.stat_count, 2);
    for (int i = 0; i < w.stat_count; i++)
        assert_int_not_equal(w.stat[i].window, 1);
    windows_free(&w);
    joint_series_free(&series);
    clip_free(&c);
}
