/* The contact problem of one frame in four formulations that must agree: pivoting on whole cone faces (tridiagonal_qp
 * with one frame), quadratic program over facets (qp), complementarity problem over edges (lcp), and Gauss-Seidel on
 * the edges. */
#include "tests/support/test.h"
#include "tests/support/chain_entry.h"
#include "tests/support/random_number.h"
#include "tests/support/sweep_lcp.h"

#include <string.h>

#include "analysis/solve/lcp.h"
#include "analysis/solve/mixed_lcp.h"
#include "analysis/solve/tridiagonal_qp.h"

enum { CONTACTS = 8, SIZE = 3 * CONTACTS, EDGES = CONE_SIDES * CONTACTS };

typedef struct Problem {
    TridiagonalQp qp;
    double hessian[SIZE * SIZE]; /* qp's */
    double edges[EDGES * EDGES]; /* E'H E for forces f = E c, c >= 0 */
    double linear[EDGES];        /* E'h */
} Problem;

static double component(Vec3 v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

/* Feet on the ground: H = wrench terms of rank 6 + penalties of the points; h from a body that requires support. */
static void make_problem(Problem *p, double lean, unsigned seed)
{
    assert_int_equal(tridiagonal_qp_init(&p->qp, 1, CONTACTS, CONTACTS, tridiagonal_entries(CONTACTS), NULL),
                     STATUS_OK);
    FrictionCone cone;
    friction_cone_init(&cone, 0.8);
    double wrench[6][SIZE];
    p->qp.first[1] = CONTACTS;
    p->qp.block[1] = tridiagonal_entries(CONTACTS);
    for (int c = 0; c < CONTACTS; c++) {
        Vec3 r = vec3(0.2 * random_number(&seed), -1, 0.3 * random_number(&seed));
        p->qp.slot[c] = c;
        for (int k = 0; k < 3; k++) {
            Vec3 f = vec3(k == 0, k == 1, k == 2), m = vec3_cross(r, f);
            for (int i = 0; i < 3; i++) {
                wrench[i][3 * c + k] = component(f, i);
                wrench[3 + i][3 * c + k] = 0.3 * component(m, i);
            }
        }
    }
    const double needed[6] = {lean, 1, 0.5 * lean, 0.05, 0, -0.02};
    for (int i = 0; i < SIZE; i++) {
        double sum = 0;
        for (int k = 0; k < 6; k++)
            sum -= wrench[k][i] * needed[k];
        p->qp.linear[i / 3] = vec3_add(p->qp.linear[i / 3], vec3_scale(vec3(i % 3 == 0, i % 3 == 1, i % 3 == 2), sum));
        for (int j = 0; j < SIZE; j++) {
            double h = i == j ? 0.01 * (1 + i / 6) : 0;
            for (int k = 0; k < 6; k++)
                h += wrench[k][i] * wrench[k][j];
            p->hessian[i * SIZE + j] = *tridiagonal_entry(&p->qp, 0, i, j) = h;
        }
    }
    for (int a = 0; a < EDGES; a++) {
        Vec3 ea = cone.edge[a % CONE_SIDES];
        p->linear[a] = vec3_dot(ea, p->qp.linear[a / CONE_SIDES]);
        for (int b = 0; b < EDGES; b++) {
            Vec3 eb = cone.edge[b % CONE_SIDES];
            double sum = 0;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    sum += component(ea, i) * component(eb, j) *
                           p->hessian[(3 * (a / CONE_SIDES) + i) * SIZE + 3 * (b / CONE_SIDES) + j];
            p->edges[a * EDGES + b] = sum;
        }
    }
}

static TridiagonalQpResult solve_on_faces(const Problem *p, Vec3 *force)
{
    TridiagonalQpSolver *solver;
    TridiagonalQpResult result;
    TridiagonalQpDef def = tridiagonal_qp_default_def();
    assert_int_equal(tridiagonal_qp_solver_create(&solver, NULL), STATUS_OK);
    assert_int_equal(tridiagonal_qp_solve(solver, &p->qp, &def, force, &result, NULL), STATUS_OK);
    tridiagonal_qp_solver_destroy(solver);
    return result;
}

static void add_edges(const double *along, Vec3 *force)
{
    FrictionCone cone;
    friction_cone_init(&cone, 0.8);
    memset(force, 0, CONTACTS * sizeof *force);
    for (int a = 0; a < EDGES; a++)
        force[a / CONE_SIDES] = vec3_mad(force[a / CONE_SIDES], along[a], cone.edge[a % CONE_SIDES]);
}

static void edge_column(const void *context, int j, double *out)
{
    for (int i = 0; i < EDGES; i++)
        out[i] = ((const double *)context)[i * EDGES + j];
}

/* Eight edges per contact for three unknowns: M of the edges is singular, but the forces are unique. */
TEST(edges_give_the_same_forces)
{
    LcpDef def = lcp_default_def();
    LcpSolver solver;
    assert_int_equal(lcp_solver_init(&solver, EDGES, NULL), STATUS_OK);
    for (unsigned seed = 1; seed <= 12; seed++) {
        static Problem p;
        Vec3 faces[CONTACTS] = {{0}}, force[CONTACTS];
        double along[EDGES] = {0};
        make_problem(&p, 0.1 * (seed % 9), seed);
        solve_on_faces(&p, faces);
        Lcp lcp = {EDGES, p.linear, edge_column, p.edges};
        assert_int_equal(lcp_solve(&solver, &lcp, &def, along, NULL, NULL), STATUS_OK);
        add_edges(along, force);
        for (int c = 0; c < CONTACTS; c++)
            assert_vec3_near(force[c], faces[c], 1e-9);
        tridiagonal_qp_free(&p.qp);
    }
    lcp_solver_free(&solver);
}

/* At the tip of the cone eight facets meet in a point, so the multipliers of the contact are not unique. */
TEST(facets_give_the_same_forces)
{
    LcpDef def = lcp_default_def();
    FrictionCone cone;
    friction_cone_init(&cone, 0.8);
    for (unsigned seed = 1; seed <= 6; seed++) {
        static Problem p;
        Vec3 faces[CONTACTS] = {{0}};
        double a[EDGES * SIZE] = {0}, b[EDGES] = {0}, x[SIZE], z[EDGES] = {0};
        make_problem(&p, 0.2 * (seed % 5), seed);
        solve_on_faces(&p, faces);
        for (int i = 0; i < EDGES; i++)
            for (int k = 0; k < 3; k++)
                a[i * SIZE + 3 * (i / CONE_SIDES) + k] = component(cone.inward[i % CONE_SIDES], k);
        Qp qp = {SIZE, EDGES, p.hessian, &p.qp.linear[0].x, a, b};
        assert_int_equal(qp_solve(&qp, &def, x, z, NULL), STATUS_OK);
        for (int c = 0; c < CONTACTS; c++)
            assert_vec3_near(vec3(x[3 * c], x[3 * c + 1], x[3 * c + 2]), faces[c], 1e-9);
        tridiagonal_qp_free(&p.qp);
    }
}

TEST(gauss_seidel_comes_near)
{
    static Problem p;
    Vec3 faces[CONTACTS] = {{0}}, force[CONTACTS];
    double along[EDGES] = {0};
    GaussSeidelDef def = {.max_sweeps = 20000, .tolerance = 1e-9};
    make_problem(&p, 0.3, 5);
    solve_on_faces(&p, faces);
    assert_int_equal(sweep_lcp(EDGES, p.edges, p.linear, &def, along, NULL), STATUS_OK);
    add_edges(along, force);
    for (int c = 0; c < CONTACTS; c++)
        assert_vec3_near(force[c], faces[c], 1e-5);
    tridiagonal_qp_free(&p.qp);
}

TEST(a_warm_start_takes_fewer_steps)
{
    static Problem p;
    Vec3 force[CONTACTS] = {{0}};
    make_problem(&p, 0.7, 3);
    TridiagonalQpResult cold = solve_on_faces(&p, force);
    for (int c = 0; c < CONTACTS; c++)
        p.qp.linear[c] = vec3_scale(p.qp.linear[c], 1 + 1e-4);
    TridiagonalQpResult warm = solve_on_faces(&p, force);
    assert_true(warm.steps < cold.steps);
    assert_near(warm.steps, 1, 0);
    assert_true(warm.residual <= 1e-9);
    tridiagonal_qp_free(&p.qp);
}
