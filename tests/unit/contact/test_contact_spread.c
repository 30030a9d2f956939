/* analysis/contact/contact_constants: the between-subject standard deviation of each constant. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/contact/contact_constants.h"

enum { MOST = 32 };

static int find(const ConstantName *list, int count, const char *name)
{
    int at = 0;
    while (at < count && strcmp(list[at].name, name))
        at++;
    return at;
}

static double value(const void *of, const ConstantName *name)
{
    return *(const double *)((const char *)of + name->offset);
}

/* One standard deviation changes that constant and no other; the share is not a constant. */
TEST(each_moves_its_own_constant)
{
    assert_true(contact_spread_count <= MOST);
    for (int i = 0; i < contact_spread_count; i++) {
        double deviate[MOST] = {0};
        ContactConstants varied;
        const ConstantName *name = &contact_spread_list[i];
        deviate[i] = 1;
        contact_constants_vary(&contact_constants, deviate, &varied);
        int own = find(contact_constants_list, contact_constants_count, name->name);
        assert_int_equal(own == contact_constants_count, !strcmp(name->name, "share"));
        for (int k = 0; k < contact_constants_count; k++) {
            const ConstantName *constant = &contact_constants_list[k];
            double moved = value(&varied, constant) - value(&contact_constants, constant);
            assert_near(moved, k == own ? value(&contact_spread, name) : 0, 1e-15);
        }
    }
}

TEST(nobody_lies_anywhere_else)
{
    double none[MOST] = {0};
    ContactConstants varied;
    (void)state;
    contact_constants_vary(&contact_constants, none, &varied);
    assert_memory_equal(&varied, &contact_constants, sizeof varied);
}

/* From docs/decisions.md: over 33 double supports the share deviates by 0.05 from the line; lean is 0.65 to 0.82 for 13
 * walkers. Such a range is about three standard deviations. The push of three subjects is 0.13 to 0.14. */
TEST(spreads_are_those_of_the_ranges)
{
    assert_near(contact_spread.share, 0.05, 0.01);
    assert_near(contact_spread.walk_lean, 0.17 / 3, 0.02);
    assert_near(contact_spread.stand_push, 0.01 / 2, 0.002);
    assert_true(contact_spread.pass_time > 0 && contact_spread.pass_time < 0.5 * contact_constants.pass_time);
}
