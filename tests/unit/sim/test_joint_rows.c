/* analysis/sim/joint_rows: joints between two bodies. */
#include "tests/support/test.h"

#include "analysis/math/elementary.h"
#include "analysis/sim/joint_rows.h"
#include "tests/support/random_clip.h"

/* Rows against finite differences, also with drift. */

#define STEP 1e-6

/* A body with anchor and axis in body axes, and a velocity. */
typedef struct Body6 {
    Vec3 position, anchor, axis, velocity, omega;
    Quat orientation;
} Body6;

static Body6 random_side(Random *r)
{
    return (Body6){random_vec3(r, 1), random_vec3(r, 0.5), vec3_normalize(random_vec3(r, 1)), random_vec3(r, 2),
                   random_vec3(r, 3), random_quat(r)};
}

static JointSide side(const Body6 *b)
{
    return (JointSide){b->position, b->orientation, quat_rotate(b->orientation, b->anchor),
                       quat_rotate(b->orientation, b->axis)};
}

static Body6 moved(Body6 b, double h)
{
    b.position = vec3_mad(b.position, h, b.velocity);
    b.orientation = quat_mul(quat_exp(vec3_scale(b.omega, 0.5 * h)), b.orientation);
    return b;
}

static double row_speed(const double *row, const Body6 *b)
{
    return vec3_dot(vec3(row[0], row[1], row[2]), b->velocity) + vec3_dot(vec3(row[3], row[4], row[5]), b->omega);
}

TEST(joint_rows_are_the_rate_of_the_error)
{
    Random r = {1};
    for (int trial = 0; trial < 60; trial++) {
        JointKind kind = (JointKind)(JOINT_SPHERICAL + trial % 3);
        Body6 p = random_side(&r), c = random_side(&r);
        JointSide ps = side(&p), cs = side(&c);
        JointRows rows;
        double ahead[JOINT_ROWS], behind[JOINT_ROWS];
        joint_rows(kind, &ps, &cs, &rows);
        assert_int_equal(rows.count, kind == JOINT_SPHERICAL ? 3 : kind == JOINT_HINGE ? 5 : 6);
        Body6 p1 = moved(p, STEP), c1 = moved(c, STEP), p0 = moved(p, -STEP), c0 = moved(c, -STEP);
        ps = side(&p1), cs = side(&c1);
        joint_error(kind, &ps, &cs, ahead);
        ps = side(&p0), cs = side(&c0);
        joint_error(kind, &ps, &cs, behind);
        for (int i = 0; i < rows.count; i++)
            assert_near(row_speed(rows.parent[i], &p) + row_speed(rows.child[i], &c),
                        (ahead[i] - behind[i]) / (2 * STEP), 2e-8);
    }
}

TEST(hinge_rotates_about_its_axis_only)
{
    Vec3 axis = vec3_normalize(vec3(1, 2, -1)), aside = vec3_normalize(vec3_cross(axis, vec3(0, 0, 1)));
    JointSide parent = {.orientation = QUAT_IDENTITY, .axis = axis}, child = parent;
    double phi[JOINT_ROWS];
    child.orientation = quat_from_axis_angle(axis, 1.1);
    child.axis = quat_rotate(child.orientation, axis);
    joint_error(JOINT_HINGE, &parent, &child, phi);
    for (int i = 0; i < 5; i++)
        assert_near(phi[i], 0, 1e-14);
    child.orientation = quat_from_axis_angle(aside, 0.01);
    child.axis = quat_rotate(child.orientation, axis);
    joint_error(JOINT_HINGE, &parent, &child, phi);
    assert_near(sqrt(phi[3] * phi[3] + phi[4] * phi[4]), 0.01, 1e-6);
    joint_error(JOINT_FIXED, &parent, &child, phi);
    assert_near(vec3_norm(vec3(phi[3], phi[4], phi[5])), 0.01, 1e-6);
    JointRows none;
    joint_rows(JOINT_FREE, &parent, &child, &none);
    assert_int_equal(none.count, 0);
}
