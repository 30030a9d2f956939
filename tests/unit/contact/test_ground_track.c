/* analysis/contact/ground_track: paths of groups, their lower envelope, percentiles. */
#include "tests/support/test.h"

#include "analysis/base/standard_gravity.h"
#include "analysis/contact/contact_points.h"
#include "analysis/contact/ground_track.h"
#include "tests/support/random_number.h"

enum { FRAMES = 200 };
#define LEG 0.8

TEST(percentiles_lie_between_the_sorted_values)
{
    double values[] = {5, 1, 4, 2, 3};
    assert_near(track_percentile(values, 5, 0), 1, 0);
    assert_near(track_percentile(values, 5, 0.5), 3, 0);
    assert_near(track_percentile(values, 5, 0.6), 3.4, 1e-12);
    assert_near(track_percentile(values, 5, 1), 5, 0);
    assert_near(track_percentile(values, 1, 0.3), 1, 0);
}

/* Rests at 0.04 m with noise of 2 mm for a third of the clip, swings otherwise, and dips once. */
TEST(envelope_is_the_height_of_resting_soles)
{
    Arena arena = {0};
    unsigned seed = 5;
    double share, unit = sqrt(GRAVITY * LEG);
    Track t = track_new(FRAMES, 1, &arena);
    for (int f = 0; f < FRAMES; f++) {
        int rests = f % 60 < 20;
        t.height[f] = 0.04 + (rests ? 0.0035 * random_number(&seed) : 0.1 + 0.001 * (f % 60));
        t.speed[f] = rests ? 0.1 : 2;
    }
    t.height[45] = -0.05;
    assert_near(track_envelope(&t, 0, LEG, unit, &share), 0.04, 0.002);
    assert_near(share, 0.4, 0.01);
    for (int f = 0; f < FRAMES; f++)
        t.speed[f] = 2 + f; /* never at rest: slightly above the lowest */
    double lowest = track_envelope(&t, 0, LEG, unit, &share);
    assert_true(lowest > 0.03 && lowest < 0.05);
    arena_free(&arena);
}

/* A group of two points of a rotating body: the mean of r and of omega x r. */
TEST(groups_move_with_their_bodies)
{
    Kinematics k;
    Arena arena = {0};
    ContactPoint point[2] = {{.probe = {1, 0, 0}, .is_gauge = 1}, {.probe = {1, 0, 2}, .is_gauge = 1}};
    ContactGroup group[1] = {{.is_sole = 1}};
    ContactPoints points = {.count = 2, .limb_count = 1, .group_count = 1, .point = point, .group = group};
    assert_int_equal(kinematics_init(&k, 1, 1, 0, NULL), STATUS_OK);
    Track t = track_new(1, 1, &arena);
    k.orientation[0] = QUAT_IDENTITY;
    k.position[0] = vec3(0, 5, 0);
    k.velocity[0] = vec3(0, 0, 3);
    k.angular_velocity[0] = vec3(0, 2, 0);
    track_follow(&points, &k, &t);
    track_measure_heights(&t, vec3(0, 1, 0));
    assert_vec3_near(t.position[0], vec3(1, 5, 1), 1e-15);
    assert_vec3_near(t.velocity[0], vec3(2, 0, 1), 1e-15); /* v + omega x r */
    assert_near(t.speed[0], sqrt(5), 1e-15);
    assert_near(t.height[0], 5, 1e-15);
    arena_free(&arena);
    kinematics_free(&k);
}
