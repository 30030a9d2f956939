/* analysis/contact/foot_level: sole orientation from flat stance, or else from the bones. */
#include "tests/support/test.h"

#include "analysis/contact/foot_level.h"
#include "analysis/math/elementary.h"

#define SLOPE 0.35  /* rad, mean of adult feet */
#define SPREAD 0.1  /* rad, their standard deviation */

enum { FRAMES = 100 };

static const double degree = PI / 180;

/* A foot of 15 cm along z with a level sole; its toe joint is below the ankle by `slope`. */
static FootFrame still_frame(double slope)
{
    return (FootFrame){.upright = 1, .up = {0, 1, 0}, .shank = {0, 1, 0}, .toe = QUAT_IDENTITY,
                       .reach = {0, -0.15 * elementary_sin(slope), 0.15 * elementary_cos(slope)}};
}

static FootLevel level_of(FootFrame *frame)
{
    double height[FRAMES];
    return foot_level(frame, FRAMES, 0.01, height);
}

static FootLevel steady(FootFrame frame)
{
    FootFrame all[FRAMES];
    for (int f = 0; f < FRAMES; f++)
        all[f] = frame;
    return level_of(all);
}

/* Direction of up in foot axes: toe up, and sideways. */
static double pitch_of(const FootLevel *l) { return elementary_atan2(l->up.z, l->up.y); }
static double roll_of(const FootLevel *l) { return elementary_atan2(l->up.x, l->up.y); }

TEST(stance_foot_has_its_own_level)
{
    FootLevel level[2] = {steady(still_frame(0.6)), steady(still_frame(0.1))};
    assert_near(level[0].flattest, 1, 0);
    assert_near(level[0].spread, 0, 1e-7);
    foot_levels_settle(level, 2);
    for (int side = 0; side < 2; side++)
        assert_vec3_near(level[side].up, vec3(0, 1, 0), 1e-12);
}

/* Rotation at 1 rad/s: sum 4, weight 1/17. The remainder is the prior of adult feet, or the other foot if that is at
 * rest. */
TEST(rotating_foot_has_the_prior_level)
{
    const double share = 1.0 / 17;
    FootFrame turning = still_frame(0.6);
    turning.angular_speed = 1;
    FootLevel both[2] = {steady(turning), steady(turning)}, one[2] = {steady(turning), steady(still_frame(0.3))};
    FootLevel alone = both[0];
    foot_levels_settle(&alone, 1);
    assert_near(both[0].flattest, share, 1e-12);
    assert_near(pitch_of(&alone), -(1 - share) * (SLOPE - 0.6), 1e-9);
    foot_levels_settle(both, 2);
    assert_near(pitch_of(&both[0]), -(1 - share) * (SLOPE + share * (0.6 - SLOPE) - 0.6), 1e-9);
    foot_levels_settle(one, 2);
    assert_near(pitch_of(&one[0]), -(1 - share) * (0.3 - 0.6), 1e-9);
    assert_near(pitch_of(&one[1]), 0, 1e-9);
}

/* Rolled by 0 and by 30 degrees in equal parts with an upright shank: mean 15, standard deviation 15. */
TEST(foot_with_varying_level_follows_the_shank)
{
    FootFrame frame[FRAMES];
    for (int f = 0; f < FRAMES; f++) {
        frame[f] = still_frame(SLOPE);
        if (f % 2)
            frame[f].up = vec3(elementary_sin(30 * degree), elementary_cos(30 * degree), 0);
    }
    FootLevel l = level_of(frame);
    double spread = sqrt(2 - 2 * elementary_cos(15 * degree)), share = 1 / (1 + spread * spread / (SPREAD * SPREAD));
    assert_near(l.spread, spread, 1e-12);
    assert_near(roll_of(&l), 15 * degree, 1e-12);
    foot_levels_settle(&l, 1);
    assert_near(roll_of(&l), share * 15 * degree, 0.1 * degree); /* partly pitch */
}

/* Independent of the axes of the file: rotated ankle axes rotate the level. */
TEST(level_does_not_depend_on_axes)
{
    Quat turn = quat_from_axis_angle(vec3_normalize(vec3(1, -2, 0.5)), 0.8);
    FootFrame plain = still_frame(0.5);
    plain.angular_speed = 0.4;
    plain.shank = vec3_normalize(vec3(0.2, 1, 0.1));
    FootFrame turned = plain;
    turned.up = quat_rotate(turn, plain.up);
    turned.shank = quat_rotate(turn, plain.shank);
    turned.reach = quat_rotate(turn, plain.reach);
    FootLevel a = steady(plain), b = steady(turned);
    foot_levels_settle(&a, 1);
    foot_levels_settle(&b, 1);
    assert_true(fabs(pitch_of(&a)) > 0.01 && fabs(roll_of(&a)) > 0.01);
    assert_vec3_near(b.up, quat_rotate(turn, a.up), 1e-12);
}

TEST(foot_without_toe_joint_is_unchanged)
{
    FootFrame frame = still_frame(0);
    frame.reach = vec3(0, 0, 0);
    frame.angular_speed = 2;
    FootLevel level[2] = {steady(frame), {.rest = 0}};
    foot_levels_settle(level, 2);
    assert_vec3_near(level[0].up, vec3(0, 1, 0), 0);
    assert_near(level[1].rest, 0, 0);
}
