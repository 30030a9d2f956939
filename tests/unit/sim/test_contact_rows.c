/* sim/contact_rows: gaps and normals of known pairs, and coincident shapes; a block on a plane sticks and slides by
 * Coulomb's law, with the cone and with the box. */
#include "analysis/solve/kkt.h"
#include "tests/support/test.h"

#include <string.h>

#include "analysis/sim/contact_rows.h"
#include "analysis/solve/mixed_lcp.h"
#include "tests/support/random_clip.h"

TEST(capsule_is_nearest_at_its_side_or_its_ends)
{
    Vec3 a = vec3(0, 0, 0), b = vec3(2, 0, 0);
    Collision side = collide_capsule_sphere(a, b, 0.1, vec3(0.7, 1, 0), 0.2);
    assert_near(side.gap, 0.7, 1e-15);
    assert_vec3_near(side.normal, vec3(0, 1, 0), 1e-15);
    assert_vec3_near(side.point, vec3(0.7, 0.45, 0), 1e-15);
    Collision end = collide_capsule_sphere(a, b, 0.1, vec3(5, 4, 0), 0.2);
    assert_near(end.gap, 4.7, 1e-14);
    assert_vec3_near(end.normal, vec3(0.6, 0.8, 0), 1e-15);
    Collision point = collide_capsule_sphere(a, a, 0.1, vec3(-1, 0, 0), 0.2);
    assert_near(point.gap, 0.7, 1e-15);
}

TEST(shapes_that_coincide_have_a_normal)
{
    Collision c = collide_spheres(vec3(1, 1, 1), 0.1, vec3(1, 1, 1), 0.2);
    assert_near(c.gap, -0.3, 1e-15);
    assert_near(vec3_norm(c.normal), 1, 1e-15);
}

#define MASS 3.0
#define MU 0.5
#define H 0.01
#define WEIGHT (MASS * 9.81 * H) /* N s per step */

static Kkt kkt;

/* A point-like block, so that it does not tip: 3 kg, also for rotation. */
static int make_block(void **state)
{
    (void)state;
    double mass[36] = {0};
    for (int i = 0; i < 6; i++)
        mass[7 * i] = MASS;
    return kkt_init(&kkt, 6, 0, NULL) || kkt_factor(&kkt, mass, NULL, NULL, NULL);
}

static int drop_block(void **state)
{
    (void)state;
    kkt_free(&kkt);
    return 0;
}

static void solve(const UnilateralRows *u, const double *f, double *v, double *z)
{
    MixedLcpSolver solver;
    MixedLcp problem = {.size = 6, .unilateral = u->count, .solve = kkt_solve, .context = &kkt, .rows = u->rows,
                        .added = u->added, .f = f, .g = NULL, .n = u->n};
    LcpDef def = lcp_default_def();
    assert_int_equal(mixed_lcp_solver_init(&solver, 6, u->count, NULL), STATUS_OK);
    memset(z, 0, (size_t)u->count * sizeof *z);
    assert_int_equal(mixed_lcp_solve(&solver, &problem, &def, &(MixedLcpSolution){.x = v, .z = z}, NULL), STATUS_OK);
    mixed_lcp_solver_free(&solver);
}

static const ContactPair sole = {.first = -1, .second = 0, .normal = {0, 1, 0}, .friction = MU};

/* Velocities after one step of the block with a sideways impulse. */
static void step(int cone, Vec3 push, double *v, double *z)
{
    UnilateralRows u = {0};
    double f[6] = {push.x, -WEIGHT + push.y, push.z, 0, 0, 0};
    assert_int_equal(unilateral_rows_reset(&u, cone ? CONE_CONTACT_ROWS : BOX_CONTACT_ROWS, 6, NULL), STATUS_OK);
    if (cone) {
        contact_cone_rows(&u, 0, &sole);
    } else {
        double max = MU * WEIGHT;
        contact_box_rows(&u, 0, &sole, max);
        for (int i = 0; i < 6; i++)
            f[i] -= max * (u.rows[6 + i] + u.rows[3 * 6 + i]);
    }
    solve(&u, f, v, z);
    unilateral_rows_free(&u);
}

TEST(contact_sticks_inside_the_cone)
{
    for (int cone = 0; cone < 2; cone++) {
        double v[6], z[CONE_CONTACT_ROWS];
        step(cone, vec3(0.4 * MU * WEIGHT, 0, -0.3 * MU * WEIGHT), v, z);
        for (int i = 0; i < 6; i++)
            assert_near(v[i], 0, 1e-12);
        assert_near(z[0], WEIGHT, 1e-12);
    }
}

/* Along an edge of the pyramid friction is exactly mu N against the motion; xi is the slip speed. */
TEST(contact_slides_outside_the_cone)
{
    const double push = 3 * MU * WEIGHT, speed = (push - MU * WEIGHT) / MASS;
    Vec3 tangent[2];
    contact_tangents(&sole, tangent);
    for (int cone = 0; cone < 2; cone++) {
        double v[6], z[CONE_CONTACT_ROWS];
        step(cone, vec3_scale(tangent[0], push), v, z);
        assert_vec3_near(vec3(v[0], v[1], v[2]), vec3_scale(tangent[0], speed), 1e-10);
        if (cone)
            assert_near(z[1 + CONE_DIRECTIONS], speed, 1e-10);
    }
}

/* In any direction the pyramid gives at least cos(pi/8) of mu N and at most mu N, and dissipates. */
TEST(friction_stays_in_the_pyramid)
{
    for (int k = 0; k < 16; k++) {
        double v[6], z[CONE_CONTACT_ROWS], a = 0.4 * k;
        Vec3 push = vec3(5 * WEIGHT * (1 - 0.25 * (k % 5)), 0, WEIGHT * a - 3 * WEIGHT);
        step(1, push, v, z);
        Vec3 friction = vec3_sub(vec3_scale(vec3(v[0], 0, v[2]), MASS), push);
        assert_true(vec3_norm(friction) <= MU * WEIGHT * (1 + 1e-9));
        if (vec3_norm(vec3(v[0], 0, v[2])) > 1e-9) {
            assert_true(vec3_norm(friction) >= 0.92 * MU * WEIGHT);
            assert_true(vec3_dot(friction, vec3(v[0], 0, v[2])) < 0);
        }
    }
}

TEST(lifted_sole_has_no_contact_force)
{
    double v[6], z[CONE_CONTACT_ROWS];
    step(1, vec3(0.1, 2 * WEIGHT, 0), v, z);
    for (int i = 0; i < CONE_CONTACT_ROWS - 1; i++)
        assert_near(z[i], 0, 1e-12);
    assert_near(v[1], WEIGHT / MASS, 1e-12);
    assert_near(v[0], 0.1 / MASS, 1e-12);
}

/* A sole on five points has many redundant friction rows, regularised by 1e-7 as in the World. Pivoting always finds
 * impulses. */
TEST(sole_on_many_points_is_solved)
{
    enum { POINTS = 5, TRIALS = 400 };
    Random r = {5};
    UnilateralRows u = {0};
    for (int trial = 0; trial < TRIALS; trial++) {
        double v[6], z[POINTS * CONE_CONTACT_ROWS], f[6];
        Vec3 push = random_vec3(&r, 2 * WEIGHT), turn = random_vec3(&r, 0.3 * WEIGHT);
        assert_int_equal(unilateral_rows_reset(&u, POINTS * CONE_CONTACT_ROWS, 6, NULL), STATUS_OK);
        for (int k = 0; k < POINTS; k++) {
            ContactPair c = sole;
            int at = k * CONE_CONTACT_ROWS;
            c.second_arm = vec3(0.1 * (k / 2) - 0.1, -0.05, 0.08 * (k % 2));
            c.min_speed = trial % 2 && k % 3 == 0 ? -0.02 : 0;
            contact_cone_rows(&u, at, &c);
            for (int i = at; i <= at + CONE_DIRECTIONS; i++)
                u.added[i * u.count + i] += 1e-7 / MASS;
        }
        f[0] = push.x, f[1] = push.y - WEIGHT, f[2] = push.z;
        f[3] = turn.x, f[4] = turn.y, f[5] = turn.z;
        solve(&u, f, v, z);
        for (int k = 0; k < POINTS; k++) { /* the normal row is first */
            const double *row = u.rows + (size_t)k * CONE_CONTACT_ROWS * 6;
            double speed = 0;
            for (int i = 0; i < 6; i++)
                speed += row[i] * v[i];
            assert_true(speed > u.n[k * CONE_CONTACT_ROWS] - 1e-6);
        }
    }
    unilateral_rows_free(&u);
}

TEST_GROUP(make_block, drop_block)
