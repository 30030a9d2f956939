/* analysis/sim/rigid_body: inertia, and joints between two bodies. */
#include "tests/support/test.h"

#include "analysis/math/elementary.h"
#include "analysis/sim/rigid_body.h"
#include "tests/support/random_clip.h"

/* Spatial inertia, kinetic energy and momentum, and the inverse of an inertia. */

static SpatialInertia random_body(Random *r)
{
    return (SpatialInertia){3 + random_signed(r), random_vec3(r, 0.4), random_inertia(r, 3)};
}

/* 1/2 v' M v is the energy of centre-of-mass motion plus rotation about it; M v is the momentum. */
TEST(it_is_the_inertia_of_the_body)
{
    Random r = {2};
    SpatialInertia s = random_body(&r);
    Vec3 v = random_vec3(&r, 2), omega = random_vec3(&r, 5), linear, angular;
    Vec3 of_com = vec3_add(v, vec3_cross(omega, s.com));
    double m[36], energy = 0, expected;
    spatial_inertia_matrix(&s, m);
    const double twist[6] = {v.x, v.y, v.z, omega.x, omega.y, omega.z};
    for (int i = 0; i < 36; i++)
        energy += 0.5 * twist[i / 6] * m[i] * twist[i % 6];
    expected = 0.5 * s.mass * vec3_dot(of_com, of_com) + 0.5 * vec3_dot(omega, sym3_mul(s.inertia, omega));
    assert_near(energy, expected, 1e-11);
    linear = vec3_scale(of_com, s.mass);
    angular = vec3_add(sym3_mul(s.inertia, omega), vec3_cross(s.com, linear));
    const double momentum[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (int i = 0; i < 6; i++) {
        double sum = 0;
        for (int k = 0; k < 6; k++)
            sum += m[6 * i + k] * twist[k];
        assert_near(sum, momentum[i], 1e-11);
    }
}

TEST(two_particles_make_a_dumbbell)
{
    SpatialInertia s = {0};
    spatial_inertia_add_particle(&s, 2, vec3(0, 0, 0));
    spatial_inertia_add_particle(&s, 6, vec3(4, 0, 0));
    assert_near(s.mass, 8, 0);
    assert_vec3_near(s.com, vec3(3, 0, 0), 1e-14);
    assert_near(s.inertia.yy, 2 * 9 + 6 * 1, 1e-12);
    assert_near(s.inertia.xx, 0, 1e-12);
}

TEST(an_inverse_undoes_what_it_inverts)
{
    Random r = {5};
    Sym3 s = random_inertia(&r, 3), inverse;
    Vec3 v = random_vec3(&r, 2);
    assert_true(sym3_inverse(s, &inverse));
    assert_vec3_near(sym3_mul(inverse, sym3_mul(s, v)), v, 1e-12);
    assert_false(sym3_inverse((Sym3){0, 0, 0, 0, 0, 0}, &inverse));
}

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

TEST(rows_are_the_rate_of_the_error)
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

/* A hinge allows rotation of its child about its axis only. */
TEST(a_hinge_turns_about_its_axis_alone)
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
