/* analysis/clip/dofs: rows of degrees of freedom; inconsistent ones are rejected. */
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/clip/clip.h"

enum { JOINTS = 3, ROWS = 5 };

/* A hinge on joint 1, a slide and a ball on joint 2. */
static Dofs arm(void)
{
    static const DofKind kind[ROWS] = {DOF_HINGE, DOF_SLIDE, DOF_BALL, DOF_BALL, DOF_BALL};
    static const char *const names[ROWS] = {"elbow", "rail", "wrist_x", "wrist_y", "wrist_z"};
    Dofs d;
    assert_int_equal(dofs_init(&d, 4, ROWS, NULL), STATUS_OK);
    for (int i = 0; i < ROWS; i++) {
        d.joint[i] = i ? 2 : 1;
        d.kind[i] = kind[i];
        d.axis[i] = vec3(0, 1, 0);
        assert_int_equal(dofs_set_name(&d, i, names[i], NULL), STATUS_OK);
    }
    return d;
}

TEST(fraction_of_a_limit_follows_its_form)
{
    Dofs d;
    assert_int_equal(dofs_init(&d, 1, 2, NULL), STATUS_OK);
    for (int l = 0; l < DOF_LIMIT_COUNT; l++)
        assert_true(isnan(dofs_limit_fraction(&d, l, 1, 1)));
    d.range[2] = -1;
    d.range[3] = 3;
    d.speed_limit[1] = 4;
    d.effort_limit[2] = -8;
    d.effort_limit[3] = 16;
    assert_ptr_equal(dofs_limit(&d, DOF_LIMIT_effort_limit, 1), d.effort_limit + 2);
    assert_near(dofs_limit_fraction(&d, DOF_LIMIT_range, 1, 1), 0, 0);
    assert_near(dofs_limit_fraction(&d, DOF_LIMIT_range, 1, -2), 1.5, 0);
    assert_near(dofs_limit_fraction(&d, DOF_LIMIT_speed_limit, 1, -3), 0.75, 0);
    assert_near(dofs_limit_fraction(&d, DOF_LIMIT_effort_limit, 1, -6), 0.75, 0);
    assert_near(dofs_limit_fraction(&d, DOF_LIMIT_effort_limit, 1, 4), 0.25, 0);
    d.effort_limit[2] = 0;
    assert_true(isnan(dofs_limit_fraction(&d, DOF_LIMIT_effort_limit, 1, -6)));
    assert_true(isnan(dofs_limit_fraction(&d, DOF_LIMIT_range, 1, NAN)));
    dofs_free(&d);
}

TEST(new_dofs_have_no_limits)
{
    Dofs d;
    assert_int_equal(dofs_init(&d, 4, 2, NULL), STATUS_OK);
    assert_int_equal(d.frame_count, 4);
    assert_int_equal(d.kind[1], DOF_UNKNOWN);
    assert_int_equal(d.coupled_to[1], -1);
    assert_near(d.rest_rotation[1].w, 1, 0);
    assert_true(isnan(d.range[3]) && isnan(d.effort_limit[2]) && isnan(d.speed_limit[1]));
    assert_null(d.position);
    assert_null(d.effort);
    dofs_free(&d);
    assert_memory_equal(&d, &(Dofs){0}, sizeof d);
}

TEST(dof_kinds_have_names)
{
    DofKind kind = DOF_UNKNOWN;
    for (int k = 0; k < DOF_KIND_COUNT; k++) {
        assert_int_equal(dof_kind_from_name(dof_kind_name((DofKind)k), &kind), 1);
        assert_int_equal(kind, k);
    }
    assert_string_equal(dof_kind_name(DOF_CUSTOM), "custom");
    assert_int_equal(dof_kind_from_name("coupled", &kind), 0);
    assert_string_equal(dof_kind_name((DofKind)99), "");
}

TEST(dofs_of_a_joint_are_found)
{
    Dofs d = arm();
    assert_int_equal(dofs_check(&d, JOINTS, NULL), STATUS_OK);
    assert_int_equal(dofs_first(&d, 3), 1);
    assert_int_equal(dofs_end(&d, 3), 5);
    assert_int_equal(dofs_end(&d, 0), 1);
    assert_true(dofs_is_rotation(&d, 0) && !dofs_is_rotation(&d, 1) && dofs_is_rotation(&d, 4));
    dofs_free(&d);
}

typedef void Spoil(Dofs *d);
static void joint_beyond(Dofs *d) { d->joint[0] = 3; }
static void apart(Dofs *d)
{
    for (int i = 0; i < ROWS; i++)
        d->kind[i] = DOF_HINGE;
    d->joint[4] = 1;
}
static void half_a_ball(Dofs *d) { d->kind[4] = DOF_HINGE; }
static void free_with_others(Dofs *d) { d->kind[0] = DOF_FREE; }
static void no_kind(Dofs *d) { d->kind[0] = (DofKind)17; }
static void mixed(Dofs *d) { d->kind[1] = DOF_UNKNOWN; }
static void long_axis(Dofs *d) { d->axis[1] = vec3(0, 2, 0); }
static void no_rest(Dofs *d) { d->rest_rotation[0] = (Quat){0, 0, 0, 0}; }
static void other_rest(Dofs *d) { d->rest_rotation[3] = (Quat){0, 1, 0, 0}; }
static void still_axis(Dofs *d) { d->kind[0] = DOF_CUSTOM; }
static void couples_to_none(Dofs *d) { d->coupled_to[0] = 5; }
static void couples_on(Dofs *d) { d->coupled_to[0] = 1, d->coupled_to[1] = 2; }
static void follows_itself(Dofs *d) { d->coupled_to[0] = 0; }

TEST(inconsistent_dofs_are_reported)
{
    static const struct {
        Spoil *spoil;
        const char *text;
    } cases[] = {
        {joint_beyond, "/dof: \"elbow\" (row 0) moves no joint of the clip"},
        {apart, "/dof: \"wrist_z\" (row 4) does not stand beside the others of its joint"},
        {half_a_ball, "is one of a ball, which has three rows"},
        {free_with_others, "/dof: \"elbow\" (row 0) is one of a free joint, which has six rows and no others"},
        {no_kind, "/dof: \"elbow\" (row 0) is of no kind"},
        {mixed, "/dof: \"rail\" (row 1) has another kind on the same joint"},
        {long_axis, "/dof: \"rail\" (row 1) has an axis that is not of unit length"},
        {no_rest, "/dof: \"elbow\" (row 0) has a rest rotation that is no unit quaternion"},
        {other_rest, "/dof: \"wrist_y\" (row 3) has another rest rotation than the first of its joint"},
        {still_axis, "/dof: \"elbow\" (row 0) is custom and has no moving axis"},
        {couples_to_none, "/dof: \"elbow\" (row 0) is coupled to a row that is not there"},
        {couples_on, "/dof: \"elbow\" (row 0) is coupled to one that is coupled itself"},
        {follows_itself, "/dof: \"elbow\" (row 0) is coupled to one that is coupled itself"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Dofs d = arm();
        Error err = {0};
        cases[i].spoil(&d);
        assert_int_equal(dofs_check(&d, JOINTS, &err), STATUS_BAD_INPUT);
        if (!strstr(err.text, cases[i].text))
            fail_msg("\"%s\", expected \"%s\"", err.text, cases[i].text);
        dofs_free(&d);
    }
}
