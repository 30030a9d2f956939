/* analysis/contact/contact_prior: position of the centre of pressure along a foot as it rolls over. */
#include "tests/support/test.h"

#include <math.h>

#include "analysis/contact/contact_constants.h"

static double at(double com, double pitch, double run)
{
    return roll_over_position(&roll_over, (RollOverPose){.com = com, .pitch = pitch, .length = 0.2, .run = run});
}

/* From behind the ankle at landing to past the toe joint at push-off; a foot extends from -0.2 L to 0.25 L. */
TEST(pressure_goes_from_heel_to_toe)
{
    (void)state;
    assert_true(at(-0.45, -0.3, 0) < -0.12);
    assert_true(at(0.35, 0.7, 0) > 0.01 && at(0.35, 0.7, 0) < 0.15);
    assert_true(at(0.4, 0.8, 1) > at(-0.3, 0, 1) + 0.1);
    for (double com = -0.4; com < 0.15; com += 0.05)
        assert_true(at(com + 0.05, 0, 0) > at(com, 0, 0));
}

TEST(place_is_the_polynomial)
{
    RollOver table = {.walk = {1, 2, 3, 4, 5, 6, 7}, .run = {.at = 9}, .foot_length = 10};
    double x = 0.3, p = 0.2;
    double walk = 1 + 2 * x + 3 * x * x + 4 * x * x * x + 5 * p + 6 * p * p + 7 * p * x;
    (void)state;
    assert_near(roll_over_position(&table, (RollOverPose){x, p, 0.2, 0}), walk + 2, 1e-12);
    assert_near(roll_over_position(&table, (RollOverPose){x, p, 0.2, 1}), 11, 1e-12);
    assert_near(roll_over_position(&table, (RollOverPose){x, p, 0.2, 0.25}), 0.75 * walk + 0.25 * 9 + 2, 1e-12);
}

/* No pose moves the centre of pressure off the foot. */
TEST(poses_beyond_the_fitted_ones_give_the_edge)
{
    (void)state;
    assert_near(at(2, 0, 0), at(0.5, 0, 0), 0);
    assert_near(at(0, 3, 1), at(0, 1, 1), 0);
    for (double com = -1; com <= 1; com += 0.1)
        for (double pitch = -1.5; pitch <= 1.5; pitch += 0.1)
            assert_true(fabs(at(com, pitch, 0)) < 0.6);
    assert_near(roll_over_position(&roll_over, (RollOverPose){0, 0, 0, 0}),
                roll_over_position(&roll_over, (RollOverPose){0, 0, 0.16, 0}), 0);
}
