/* analysis/body/anthropometry: each model has a name and builds its own body; auto selects one; tables are used
 * unchanged. */
#include "tests/support/test.h"

#include <string.h>

#include "analysis/body/anthropometry.h"
#include "analysis/body/roles.h"
#include "tests/support/skeleton_rows.h"

static void figure(Skeleton *s)
{
    skeleton_from_rows(s, figure_rows, FIGURE_JOINTS);
    assert_int_equal(roles_assign(s, NULL), STATUS_OK);
}

TEST(a_body_knows_its_model)
{
    Skeleton s;
    figure(&s);
    for (BodyModel m = BODY_DELEVA; m <= BODY_CAPSULES; m++) {
        Body b;
        assert_int_equal(body_from_skeleton(&s, &(BodyDef){.mass = 60, .model = m}, &b, NULL), STATUS_OK);
        assert_int_equal(body_model_of(&b), m);
        assert_near(b.total_mass, 60, 0);
        body_free(&b);
    }
    assert_null(body_model_names[BODY_MODEL_COUNT]);
    assert_int_equal(body_model_of(&(Body){.model = "clay"}), BODY_AUTO);
    skeleton_free(&s);
}

TEST(auto_is_a_human_where_the_roles_are)
{
    Skeleton s;
    Body b;
    BodyDef def = body_default_def();
    figure(&s);
    assert_int_equal(body_from_skeleton(&s, &def, &b, NULL), STATUS_OK);
    assert_int_equal(body_model_of(&b), BODY_DELEVA);
    assert_near(b.total_mass, BODY_HUMAN_MASS, 0);
    body_free(&b);
    for (int j = 0; j < s.joint_count; j++)
        s.role[j] = ROLE_NONE;
    assert_int_equal(body_from_skeleton(&s, &def, &b, NULL), STATUS_OK);
    assert_int_equal(body_model_of(&b), BODY_CAPSULES);
    body_free(&b);
    skeleton_free(&s);
}

TEST(a_table_is_copied)
{
    Skeleton s;
    Body table, b, small;
    Error err;
    figure(&s);
    assert_int_equal(body_init(&table, s.joint_count, NULL), STATUS_OK);
    strcpy(table.model, "segments");
    for (int j = 0; j < s.joint_count; j++) {
        table.mass[j] = 1 + j;
        table.com[j] = vec3(j, 2, 3);
        table.inertia[j] = (Sym3){1, 2, j, 0, 0.5, 0};
        table.total_mass += table.mass[j];
    }
    BodyDef def = {.model = BODY_SEGMENTS, .segments = &table};
    assert_int_equal(body_from_skeleton(&s, &def, &b, NULL), STATUS_OK);
    assert_int_equal(body_model_of(&b), BODY_SEGMENTS);
    assert_near(b.total_mass, table.total_mass, 0);
    assert_ptr_not_equal(b.mass, table.mass);
    assert_memory_equal(b.inertia, table.inertia, (size_t)s.joint_count * sizeof *b.inertia);
    assert_vec3_near(b.com[3], vec3(3, 2, 3), 0);
    body_free(&b);
    assert_int_equal(body_init(&small, 2, NULL), STATUS_OK);
    def.segments = &small;
    assert_int_equal(body_from_skeleton(&s, &def, &b, &err), STATUS_USAGE);
    def.segments = NULL;
    assert_int_equal(body_from_skeleton(&s, &def, &b, &err), STATUS_USAGE);
    assert_null(b.mass);
    body_free(&small);
    body_free(&table);
    skeleton_free(&s);
}
