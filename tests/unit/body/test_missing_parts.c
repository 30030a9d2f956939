/* analysis/body/missing_parts and the human template without them. */
#include "tests/support/test.h"

#include "analysis/body/body_model.h"
#include "analysis/body/missing_parts.h"
#include "analysis/body/roles.h"
#include "tests/support/skeleton_rows.h"

/* The figure without the joints whose names contain one of the words; roles are assigned. */
static void figure_without(const char *const words[], int count, Skeleton *s)
{
    JointRow rows[HUMANOID_JOINTS];
    int kept = 0;
    for (int i = 0; i < HUMANOID_JOINTS; i++) {
        int is_cut = 0;
        for (int w = 0; w < count; w++)
            is_cut |= strstr(humanoid_rows[i].name, words[w]) != NULL;
        if (!is_cut)
            rows[kept++] = humanoid_rows[i];
    }
    skeleton_from_rows(s, rows, kept);
    assert_int_equal(roles_assign(s, &(RoleSigns){0}, NULL), STATUS_OK);
}

static double mass_of(const Skeleton *s, const Body *b, const char *name) { return b->mass[skeleton_find(s, name)]; }

static void build(const Skeleton *s, Body *b)
{
    BodyDef def = body_default_def();
    assert_int_equal(body_from_skeleton(s, &def, b, NULL), STATUS_OK);
    assert_int_equal(body_model_find(b), BODY_DELEVA);
    assert_near(b->total_mass, 70, 1e-12);
}

TEST(whole_figure_lacks_nothing)
{
    MissingPart part[MISSING_PARTS_MAX];
    Skeleton s;
    figure_without(NULL, 0, &s);
    assert_int_equal(missing_parts_list(&s, part), 0);
    skeleton_free(&s);
}

/* Legs alone have the masses of a person's legs; the rest moves with the hips, above them. */
TEST(legs_alone_support_the_trunk)
{
    static const char *const upper[] = {"Spine", "Neck", "Head", "Shoulder", "Arm", "Hand"};
    MissingPart part[MISSING_PARTS_MAX];
    Skeleton s, whole;
    Body b, all;
    figure_without(upper, 6, &s);
    figure_without(NULL, 0, &whole);
    build(&s, &b);
    build(&whole, &all);
    assert_int_equal(missing_parts_list(&s, part), 4);
    assert_string_equal(part[0].name, "trunk");
    assert_int_equal(part[0].carrier, skeleton_find(&s, "Hips"));
    assert_near(mass_of(&s, &b, "LeftUpLeg"), mass_of(&whole, &all, "LeftUpLeg"), 1e-9);
    assert_near(mass_of(&s, &b, "RightLeg"), mass_of(&whole, &all, "RightLeg"), 1e-9);
    assert_true(b.com[0].y > 0.15 && b.com[0].y < 0.5);
    assert_true(b.stature > 1.6 && b.stature < 1.9);
    body_free(&b);
    body_free(&all);
    skeleton_free(&s);
    skeleton_free(&whole);
}

TEST(missing_shank_and_forearm_stay_with_thigh_and_upper_arm)
{
    static const char *const cut[] = {"RightLeg", "RightFoot", "RightToe", "RightForeArm", "RightHand"};
    MissingPart part[MISSING_PARTS_MAX];
    Skeleton s;
    Body b;
    figure_without(cut, 5, &s);
    build(&s, &b);
    assert_int_equal(missing_parts_list(&s, part), 2);
    assert_string_equal(part[0].name, "right forearm");
    assert_string_equal(part[1].name, "right shank");
    double left_leg = mass_of(&s, &b, "LeftUpLeg") + mass_of(&s, &b, "LeftLeg") + mass_of(&s, &b, "LeftFoot") +
                      mass_of(&s, &b, "LeftToeBase");
    assert_near(mass_of(&s, &b, "RightUpLeg"), left_leg, 1e-9);
    assert_true(mass_of(&s, &b, "RightArm") > mass_of(&s, &b, "LeftArm"));
    body_free(&b);
    skeleton_free(&s);
}
