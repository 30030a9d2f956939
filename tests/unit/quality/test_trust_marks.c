/* analysis/quality/trust_marks: what the forces leave to the floating base speaks against the frames around, and
 * against short stretches between. */
#include "tests/support/test.h"

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/quality/trust_marks.h"
#include "tests/support/sample_clip.h"

enum { FRAMES = 200, JOINTS = 5, REACH = 6 /* 0.05 s at 120 Hz */ };

/* 0.4 of the weight are left in frames a and b alone; first and last of a run of unexplained frames from a on. */
static void leave_at(int a, int b, int *first, int *last)
{
    Clip c;
    assert_int_equal(sample_clip(&c, FRAMES, JOINTS, 2), 0);
    assert_int_equal(trust_init(&c.trust, FRAMES, JOINTS, 0, NULL), STATUS_OK);
    c.has_trust = 1;
    c.dynamics.residual_force[a] = c.dynamics.residual_force[b] = vec3(0, 0.4 * c.body.total_mass * GRAVITY, 0);
    assert_int_equal(trust_judge(&c, CLIP_DYNAMICS, NULL), STATUS_OK);
    for (*first = 0; !(c.trust.reason[*first] & TRUST_UNEXPLAINED); ++*first)
        ;
    for (*last = *first; c.trust.reason[*last + 1] & TRUST_UNEXPLAINED; ++*last)
        ;
    for (int f = 0; f < *first; f++)
        assert_int_equal(c.trust.reason[f] & TRUST_UNEXPLAINED, 0);
    clip_free(&c);
}

TEST(a_residual_speaks_against_the_frames_around)
{
    int first, last;
    leave_at(50, 150, &first, &last);
    assert_int_equal(first, 50 - REACH);
    assert_int_equal(last, 50 + REACH);
}

/* 14 frames are 0.117 s, 15 are 0.125 s. */
TEST(an_island_of_less_than_a_period_is_not_trusted)
{
    int first, last;
    leave_at(50, 50 + 2 * REACH + 1 + 14, &first, &last);
    assert_int_equal(last, 50 + 2 * REACH + 1 + 14 + REACH);
    leave_at(50, 50 + 2 * REACH + 1 + 15, &first, &last);
    assert_int_equal(last, 50 + REACH);
}

/* A loaded point half a metre above the other: a step where it stands, air where it moves. The other joint moves in all
 * other frames. */
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
