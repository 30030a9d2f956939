/* analysis/motion/dof_root: rows of a root that is moved. */
#include "analysis/clip/clip_schema.h"
#include "analysis/motion/dof_root.h"
#include "tests/support/assert_near.h"
#include "tests/support/test.h"

/* A root that turns about z and moves along two skew axes; the first row moves its centre, too. */
static void planar_root(Dofs *d)
{
    assert_int_equal(dofs_init(d, 2, 4, NULL), STATUS_OK);
    assert_int_equal(group_add(GROUP_DOF, d, "position", NULL), STATUS_OK);
    assert_int_equal(group_add(GROUP_DOF, d, "moving_axis", NULL), STATUS_OK);
    for (int i = 0; i < 4; i++) {
        d->kind[i] = DOF_CUSTOM;
        d->joint[i] = i < 3 ? 0 : 1;
    }
    size_t at = dofs_index(d, 1, 0);
    d->moving_axis[at] = vec3(0, 0, 1);
    d->moving_velocity[at] = vec3(.2, -.1, 0);
    d->moving_velocity[at + 1] = vec3(2, 0, 0);
    d->moving_velocity[at + 2] = vec3(1, 1, 0);
    d->moving_axis[at + 3] = vec3(0, 0, 1);
}

TEST(root_moves_without_turning_and_in_one_frame)
{
    Dofs d;
    planar_root(&d);
    for (int i = 0; i < 8; i++)
        d.position[i] = i;
    dofs_move_root(&d, 1, vec3(3, .5, 0)); /* .5 of the third row, and 1.25 of the second */
    for (int i = 0; i < 4; i++)
        assert_true(d.position[i] == i);
    assert_near(d.position[4], 4, 1e-10);
    assert_near(d.position[5], 6.25, 1e-10);
    assert_near(d.position[6], 6.5, 1e-10);
    assert_true(d.position[7] == 7);
    dofs_free(&d);
}

TEST(root_of_other_rows_stays)
{
    Dofs d;
    planar_root(&d);
    d.kind[0] = DOF_SLIDE;
    dofs_move_root(&d, 1, vec3(3, .5, 0));
    for (int i = 0; i < 8; i++)
        assert_true(d.position[i] == 0);
    dofs_free(&d);
}
