/* analysis/sim/island: contact states against the complementarity problem of ten rows, separate piles, exact against
 * automatic, energy and penetration. */
#include "tests/support/test.h"

#include <stdio.h>

#include "analysis/math/block_lu.h"
#include "analysis/math/dense_factor.h"
#include "analysis/sim/contact_rows.h"
#include "analysis/sim/hold.h"
#include "analysis/sim/scene.h"
#include "analysis/solve/lcp.h"
#include "tests/support/scene_case.h"

typedef struct One {
    const double *mobility;
    const Hold *hold;
} One;

/* Column j of N M^-1 N' + C of a single contact. */
static void one_column(const void *context, int j, double *out)
{
    const One *one = context;
    double row[CONE_CONTACT_ROWS][3] = {{1, 0, 0}};
    int slip = CONE_CONTACT_ROWS - 1;
    for (int k = 0; k < CONE_DIRECTIONS; k++)
        for (int i = 0; i < 2; i++)
            row[1 + k][1 + i] = cone_direction(k, i);
    for (int i = 0; i < CONE_CONTACT_ROWS; i++) {
        out[i] = i == j && i < slip ? one->hold->soft[i > 0] : 0;
        for (int k = 0; k < 9; k++)
            out[i] += row[i][k / 3] * one->mobility[k] * row[j][k % 3];
    }
    for (int k = 1; k < slip && j == slip; k++)
        out[k] += 1;
    out[slip] += j == 0 ? one->hold->friction : j == slip ? 0 : -1;
}

/* 400 contacts with random mobilities and velocities: the impulse of the consistent state equals that of Lemke's
 * method. */
TEST(single_contact_equals_lemke)
{
    LcpSolver solver = {0};
    LcpDef def = lcp_default_def();
    int slides = 0;
    assert_int_equal(lcp_solver_init(&solver, CONE_CONTACT_ROWS, NULL), STATUS_OK);
    srand(7);
    for (int run = 0; run < 400; run++) {
        double a[9], mobility[9] = {0}, before[3], q[CONE_CONTACT_ROWS] = {0}, z[CONE_CONTACT_ROWS] = {0};
        Hold h = {.kind = HOLD_CONTACT, .friction = 0.1 + 0.002 * run, .soft = {1e-7, 1e-7}};
        HoldTolerance zero = {1e-12, 1e-12};
        for (int i = 0; i < 9; i++)
            a[i] = 2.0 * rand() / RAND_MAX - 1;
        for (int i = 0; i < 9; i++)
            for (int k = 0; k < 3; k++)
                mobility[i] += a[i / 3 * 3 + k] * a[i % 3 * 3 + k] + (i % 4 == 0) * 0.1;
        for (int i = 0; i < 3; i++)
            before[i] = 2.0 * rand() / RAND_MAX - 1;
        q[0] = before[0];
        for (int k = 0; k < CONE_DIRECTIONS; k++)
            q[1 + k] = cone_along(k, before + 1);
        One one = {mobility, &h};
        assert_int_equal(hold_solve_alone(&h, mobility, before, &zero), 1);
        assert_int_equal(lcp_solve(&solver, &(Lcp){CONE_CONTACT_ROWS, q, one_column, &one}, &def, z, NULL, NULL),
                         STATUS_OK);
        double sum[3] = {z[0]};
        for (int k = 0; k < CONE_DIRECTIONS; k++)
            for (int i = 0; i < 2; i++)
                sum[1 + i] += z[1 + k] * cone_direction(k, i);
        for (int i = 0; i < 3; i++)
            assert_near(h.impulse[i], sum[i], 1e-6);
        slides += h.state == HOLD_SLIDES;
    }
    assert_true(slides > 50);
    lcp_solver_free(&solver);
}

/* Five blocks of six, four and one in a ring, against LU of the full matrix. */
TEST(block_lu_equals_lu)
{
    enum { BLOCKS = 5, TOTAL = 6 + 4 + 1 + 6 + 6 };
    static const int size[BLOCKS] = {6, 4, 1, 6, 6};
    char linked[BLOCKS * BLOCKS] = {0};
    double whole[TOTAL * TOTAL] = {0}, b[TOTAL], x[TOTAL];
    int exchange[TOTAL];
    Arena memory = {0};
    BlockLu lu;
    for (int i = 0; i < BLOCKS; i++)
        linked[i * BLOCKS + (i + 1) % BLOCKS] = linked[(i + 1) % BLOCKS * BLOCKS + i] = 1;
    assert_int_equal(block_lu_init(&lu, BLOCKS, size, linked, &memory, NULL), STATUS_OK);
    assert_int_equal(lu.total, TOTAL);
    srand(3);
    for (int i = 0; i < BLOCKS; i++)
        for (int k = 0; k < BLOCKS; k++) {
            int ring = k == i || k == (i + 1) % BLOCKS || i == (k + 1) % BLOCKS;
            for (int r = 0; ring && r < size[i]; r++)
                for (int c = 0; c < size[k]; c++) {
                    double value = 1.0 * rand() / RAND_MAX + (i == k && r == c ? 9 : 0);
                    block_lu_at(&lu, i, k)[r * size[k] + c] = value;
                    whole[(lu.place[i] + r) * TOTAL + lu.place[k] + c] = value;
                }
        }
    for (int i = 0; i < TOTAL; i++)
        b[i] = x[i] = i - 7.5;
    assert_int_equal(block_lu_factor(&lu), 1);
    block_lu_solve(&lu, b);
    assert_int_equal(lu_factor(whole, TOTAL, exchange), TOTAL);
    lu_solve(whole, exchange, TOTAL, x);
    for (int i = 0; i < TOTAL; i++)
        assert_near(b[i], x[i], 1e-12);
    arena_free(&memory);
}

static void add_pyramid(char *text, int rows, double y, double gap)
{
    for (int row = 0; row < rows; row++)
        for (int k = 0; k < rows - row; k++)
            sprintf(text + strlen(text), "<body pos=\"%g %g %g\"><freejoint/><geom/></body>",
                    0.22 * (k - 0.5 * (rows - row - 1)), y, 0.1 + gap + (0.2 + gap) * row);
}

static SceneCase pyramids(int rows, int count, int exact, double gap)
{
    static char text[16384];
    SceneDef def = scene_default_def();
    def.exact = exact;
    strcpy(text, "<mujoco><option timestep=\"0.005\"/><default><geom type=\"box\" size=\"0.1 0.1 0.1\" mass=\"1\"/>"
                 "</default><worldbody><geom type=\"plane\" size=\"0 0 1\"/>");
    for (int i = 0; i < count; i++)
        add_pyramid(text, rows, i, gap);
    strcat(text, "</worldbody></mujoco>");
    return scene_case(text, &def);
}

/* Two separate pyramids give the same result as one, to the last digit. */
TEST(islands_are_independent)
{
    SceneCase one = pyramids(3, 1, 0, 5e-4), two = pyramids(3, 2, 0, 5e-4);
    scene_case_run(&one, 0.3);
    scene_case_run(&two, 0.3);
    int count = one.model->q_count;
    for (int i = 0; i < 2 * count; i++)
        assert_near(scene_q(two.scene)[i], scene_q(one.scene)[i % count] + (i % 7 == 1 && i >= count), 1e-12);
    assert_true(scene_solves(two.scene).islands == 2 * scene_solves(one.scene).islands);
    scene_case_free(&one);
    scene_case_free(&two);
}

static double energy_of(Scene *s)
{
    SceneEnergy e = scene_energy(s);
    return e.kinetic + e.potential;
}

/* Ten boxes landing on each other: energy never increases, no penetration, few pivots, no sweeps; exact or not. */
TEST(pyramid_comes_to_rest)
{
    for (int exact = 0; exact < 2; exact++) {
        SceneCase c = pyramids(4, 1, exact, 5e-4);
        double before = energy_of(c.scene);
        SceneOverlap o;
        for (int i = 0; i < 200; i++) {
            assert_int_equal(scene_step(c.scene, NULL), STATUS_OK);
            double now = energy_of(c.scene);
            assert_true(now <= before + 1e-9);
            before = now;
        }
        for (int i = 0; i < c.model->v_count; i++)
            assert_near(scene_v(c.scene)[i], 0, 1e-3);
        SceneSolves solves = scene_solves(c.scene);
        assert_true(solves.swept == 0 && solves.pivots < 3 * solves.islands);
        assert_int_equal(scene_part_overlaps(c.scene, &o, NULL), STATUS_OK);
        assert_true(o.deepest <= 5e-4);
        scene_case_free(&c);
    }
}

/* Rows 1 mm above each other fall together; the impact of the lowest one stops all of them within a step. None overlaps
 * by more than the slop, which would have to be pushed out against gravity. */
TEST(high_pyramid_lands_without_gaining_energy)
{
    SceneCase c = pyramids(6, 1, 0, 1e-3);
    double before = energy_of(c.scene);
    SceneOverlap o;
    for (int i = 0; i < 60; i++) {
        assert_int_equal(scene_step(c.scene, NULL), STATUS_OK);
        double now = energy_of(c.scene);
        assert_true(now <= before + 1e-9);
        before = now;
    }
    assert_int_equal(scene_part_overlaps(c.scene, &o, NULL), STATUS_OK);
    assert_true(o.deepest <= 5e-4);
    scene_case_free(&c);
}

/* Eight rotated boxes fall into a bin and come to rest, many nearly flat on each other. No step gains energy. */
TEST(bin_of_boxes_gains_no_energy)
{
    static char text[4096] =
        "<mujoco><option timestep=\"0.005\"/><default><geom type=\"box\" size=\".1 .1 .1\" mass=\"1\"/></default>"
        "<worldbody><geom type=\"plane\" size=\"0 0 1\"/><geom pos=\".32 0 .3\" size=\".02 .34 .3\"/>"
        "<geom pos=\"-.32 0 .3\" size=\".02 .34 .3\"/><geom pos=\"0 .32 .3\" size=\".34 .02 .3\"/>"
        "<geom pos=\"0 -.32 .3\" size=\".34 .02 .3\"/>";
    size_t at = strlen(text);
    for (int k = 0; k < 8; k++)
        at += (size_t)snprintf(text + at, sizeof text - at, "<body pos=\"%g %g %g\" euler=\"%d %d %d\">"
                               "<freejoint/><geom/></body>", k & 1 ? 0.12 : -0.13, k & 2 ? 0.14 : -0.12,
                               0.2 + 0.3 * k, 17 * k, 29 * k + 5, 11 * k);
    snprintf(text + at, sizeof text - at, "</worldbody></mujoco>");
    SceneCase c = scene_case(text, NULL);
    double before = energy_of(c.scene), first = before;
    for (int i = 0; i < 400; i++) {
        assert_int_equal(scene_step(c.scene, NULL), STATUS_OK);
        double now = energy_of(c.scene);
        assert_true(now <= before + 1e-9);
        before = now;
    }
    assert_true(before < 0.2 * first);
    scene_case_free(&c);
}
