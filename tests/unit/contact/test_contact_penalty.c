/* analysis/contact/contact_penalty: penalties, and the constants of persons. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/contact/contact_constants.h"
#include "analysis/contact/contact_penalty.h"
#include "analysis/contact/contact_points.h"
#include "analysis/contact/contact_spread.h"
#include "analysis/contact/ground.h"

/* The penalty grows with height and speed; that of a raised limb is high until the
 * body requires it; a body that requires support gets it. */

enum { POINTS = 3 };

/* One frame: two points on the ground 0.2 L apart, and one of another limb 0.5 L beside them. */
typedef struct Scene {
    ContactPoint point[POINTS];
    ContactGroup group[2];
    double clearance[POINTS], slide[POINTS], rise[POINTS], level[2], lift[1], penalty[POINTS];
    uint8_t raised[2];
    Vec3 lever[POINTS], pressure;
    double required;
    ContactPoints points;
    Ground ground;
} Scene;

static void make(Scene *s)
{
    *s = (Scene){.required = 1, .pressure = {0.1, 0, 0}, .lever = {{0, 0, 0}, {0.2, 0, 0}, {0.7, 0, 0}}};
    s->point[2].limb = s->point[2].group = 1;
    s->points = (ContactPoints){.count = POINTS, .limb_count = 2, .group_count = 2, .point = s->point,
                                .group = s->group, .leg_length = 0.8, .constants = &contact_constants};
    s->ground = (Ground){.frame_count = 1, .group_count = 2, .point_count = POINTS, .normal = {0, 1, 0},
                         .level = s->level, .lift = s->lift, .raised = s->raised, .clearance = s->clearance,
                         .slide = s->slide, .rise = s->rise};
}

static const double *penalties(Scene *s)
{
    contact_penalties(&s->points, &s->ground, s->lever, &s->pressure, &s->required, s->penalty);
    return s->penalty;
}

TEST(rest_has_low_and_swing_high_penalty)
{
    Scene s;
    make(&s);
    assert_near(penalties(&s)[0], contact_constants.rest_penalty, 1e-15);
    double before = 0;
    for (int i = 0; i < 12; i++) {
        s.clearance[1] = 0.002 * i;
        s.slide[1] = 0.1 * i;
        assert_true(penalties(&s)[1] > before);
        before = s.penalty[1];
    }
    s.clearance[1] = 0.1;
    assert_near(penalties(&s)[1], CONTACT_PENALTY_MAX, 0);
}

TEST(raised_limb_penalty_drops_without_other_support)
{
    Scene s;
    make(&s);
    s.raised[1] = 1;
    double rest = contact_constants.rest_penalty, dear = rest * contact_constants.raised_factor;
    assert_near(penalties(&s)[2], dear, 1e-12); /* the centre of pressure is between the others */
    s.pressure.x = 0.23;
    double edge = penalties(&s)[2];
    assert_true(edge < dear && edge > rest);
    s.pressure.x = 0.4;
    assert_near(penalties(&s)[2], rest, 1e-12);
    s.pressure.x = NAN; /* in flight */
    assert_near(penalties(&s)[2], dear, 1e-12);
}

TEST(required_support_lowers_the_penalty)
{
    Scene s;
    make(&s);
    for (int i = 0; i < POINTS; i++)
        s.slide[i] = 2.5 + 0.1 * i; /* all land fast */
    s.required = 0.1;
    double free_fall[2] = {penalties(&s)[0], s.penalty[1]};
    s.required = 1.5;
    assert_true(penalties(&s)[0] < 0.05 && free_fall[0] > 0.05);
    assert_near(s.penalty[1] / s.penalty[0], free_fall[1] / free_fall[0], 1e-9);
    for (int i = 0; i < POINTS; i++)
        s.clearance[i] = 0.3; /* nothing is near: no load */
    assert_near(penalties(&s)[0], CONTACT_PENALTY_MAX, 0);
}

/* The between-subject standard deviation of each constant. */

enum { MAX = 32 };

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

/* One standard deviation changes that constant and no other; the load fraction is not a constant. */
TEST(each_spread_changes_one_constant)
{
    assert_true(contact_spread_count <= MAX);
    for (int i = 0; i < contact_spread_count; i++) {
        double deviate[MAX] = {0};
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

TEST(zero_deviate_keeps_the_constants)
{
    double none[MAX] = {0};
    ContactConstants varied;
    (void)state;
    contact_constants_vary(&contact_constants, none, &varied);
    assert_memory_equal(&varied, &contact_constants, sizeof varied);
}

/* From docs/decisions.md: over 33 double supports the load fraction deviates by 0.05 from the line; lean is 0.65 to
 * 0.82 for 13 walkers. Such a range is about three standard deviations. The push of three subjects is 0.13 to 0.14. */
TEST(spreads_follow_the_published_ranges)
{
    assert_near(contact_spread.share, 0.05, 0.01);
    assert_near(contact_spread.walk_lean, 0.17 / 3, 0.02);
    assert_near(contact_spread.stand_push, 0.01 / 2, 0.002);
    assert_true(contact_spread.pass_time > 0 && contact_spread.pass_time < 0.5 * contact_constants.pass_time);
}
