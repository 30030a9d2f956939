/* analysis/stats/travel: a path of known length, and feet that slide and sink by known distances. */
#include "tests/support/test.h"

#include <stdlib.h>

#include "analysis/stats/clip_stats.h"
#include "analysis/stats/travel.h"
#include "tests/support/hinge_clip.h"

enum { FRAMES = 201 };

/* A hinge clip whose body moves at 1.5 m/s along x, with one point of the knee on the ground. */
static Clip walking_clip(double slide, double depth)
{
    Clip c = hinge_clip(FRAMES, 30);
    assert_int_equal(contact_init(&c.contact, FRAMES, 1, 0, NULL), STATUS_OK);
    c.has_contact = 1;
    c.kinematics.com = calloc(FRAMES, sizeof *c.kinematics.com);
    assert_non_null(c.kinematics.com);
    c.contact.point_joint[0] = 1;
    c.contact.ground_height = 0.25;
    for (int f = 0; f < FRAMES; f++) {
        size_t row = (size_t)f * 2 + 1;
        c.kinematics.com[f] = vec3(1.5 * f / HINGE_FPS, 1 + 0.1 * (f % 2), 0); /* height is not part of the path */
        c.contact.state[f] = f < 100;
        c.kinematics.position[row] = vec3(0, 0.25 - depth * f / 99, 0);
        c.kinematics.velocity[row] = vec3(f < 100 ? slide : 9, 3, 0);
    }
    return c;
}

TEST(distance_speed_and_foot_slide_are_measured)
{
    Clip c = walking_clip(0.07, 0.03);
    ClipStats s;
    c.kinematics.valid[50] = 0; /* two steps fewer */
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    const Travel *t = &s.metrics.travel;
    assert_near(t->distance_m, 1.5 * (FRAMES - 3) / HINGE_FPS, 1e-9);
    assert_near(t->speed_mean_m_s, 1.5, 1e-9);
    assert_near(t->speed_peak_m_s, 1.5, 1e-9);
    assert_near(t->foot_slide_cm_s, 7, 1e-9);
    assert_near(t->foot_penetration_cm, 3, 1e-9);
    assert_near(s.metrics.positive_work_j_kg, s.joint[1].peaks.work_pos_j / HINGE_MASS, 1e-12);
    assert_near(s.metrics.positive_work_j_kg_m, s.metrics.positive_work_j_kg / t->distance_m, 1e-12);
    clip_stats_free(&s);
    clip_free(&c);
}

TEST(clip_without_contact_has_no_foot_slide)
{
    Clip c = hinge_clip(FRAMES, 30);
    ClipStats s;
    assert_int_equal(clip_stats_init(&s, &c, FRAMES_TRUSTED, NULL), STATUS_OK);
    assert_near(s.metrics.travel.distance_m, 0, 0);
    assert_true(isnan(s.metrics.travel.foot_slide_cm_s) && isnan(s.metrics.positive_work_j_kg_m));
    clip_stats_free(&s);
    clip_free(&c);
}
