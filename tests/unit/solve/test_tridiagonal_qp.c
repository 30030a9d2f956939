/* analysis/solve/tridiagonal_qp: the minimum must satisfy its optimality conditions, computed here from the
 * definition. The contact problem of one frame has the same solution in four formulations: pivoting on whole cone
 * faces, quadratic program over facets (qp), complementarity problem over edges (lcp), and Gauss-Seidel on the
 * edges. */
#include "analysis/solve/friction_cone.h"
#include "tests/support/test.h"
#include "tests/support/tridiagonal_entry.h"
#include "tests/support/random_number.h"
#include "tests/support/sweep_lcp.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/solve/lcp.h"
#include "analysis/solve/mixed_lcp.h"
#include "analysis/solve/tridiagonal_qp.h"

static Status solve(const TridiagonalQp *qp, const TridiagonalQpDef *def, Vec3 *force, TridiagonalQpResult *result,
                    Error *err)
{
    TridiagonalQpSolver *solver;
    assert_int_equal(tridiagonal_qp_solver_create(&solver, NULL), STATUS_OK);
    Status status = tridiagonal_qp_solve(solver, qp, def, force, result, err);
    tridiagonal_qp_solver_destroy(solver);
    return status;
}

static double pseudo_random(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)*seed / 4294967296.0 * 2 - 1;
}

/* A chain whose frames have 0..slots candidates, with low-rank Hessians R'R + ridge like contact problems. */
static void make_chain(TridiagonalQp *qp, int frames, int slots, double ridge, unsigned seed)
{
    int rank = 9;
    size_t max = (size_t)frames * (size_t)slots;
    assert_int_equal(tridiagonal_qp_init(qp, frames, slots, max, (size_t)frames * tridiagonal_entries(slots), NULL),
                     STATUS_OK);
    qp->smooth = vec3(0.6, 0.1, 0.6);
    double *rows = calloc((size_t)(rank * 3 * slots), sizeof *rows);
    for (int t = 0; t < frames; t++) {
        int n = 0;
        for (int s = 0; s < slots; s++)
            if (t % 7 != 6 && pseudo_random(&seed) > -0.5) {
                qp->slot[qp->first[t] + n] = s;
                qp->linear[qp->first[t] + n++] =
                    vec3(pseudo_random(&seed), pseudo_random(&seed) - 0.5, pseudo_random(&seed));
            }
        qp->first[t + 1] = qp->first[t] + n;
        int width = 3 * n;
        qp->block[t + 1] = qp->block[t] + tridiagonal_entries(n);
        for (int i = 0; i < rank * width; i++)
            rows[i] = pseudo_random(&seed);
        for (int i = 0; i < width; i++)
            for (int j = i - i % 3; j < width; j++) {
                double sum = i == j ? ridge : 0;
                for (int k = 0; k < rank; k++)
                    sum += rows[k * width + i] * rows[k * width + j];
                *tridiagonal_entry(qp, t, i, j) = sum;
            }
    }
    free(rows);
}

/* Contact of a slot in a frame, or -1. */
static int find(const TridiagonalQp *qp, int t, int slot)
{
    for (int c = qp->first[t]; t >= 0 && t < qp->frame_count && c < qp->first[t + 1]; c++)
        if (qp->slot[c] == slot)
            return c;
    return -1;
}

static double component(Vec3 v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

static double gradient_of(const TridiagonalQp *qp, const Vec3 *force, int t, int c, int k)
{
    int first = qp->first[t];
    double sum = component(qp->linear[c], k), smooth = component(qp->smooth, k);
    for (int b = first; b < qp->first[t + 1]; b++)
        for (int l = 0; l < 3; l++)
            sum += *tridiagonal_entry(qp, t, 3 * (c - first) + k, 3 * (b - first) + l) * component(force[b], l);
    for (int side = -1; side <= 1; side += 2) {
        if (t + side < 0 || t + side >= qp->frame_count)
            continue;
        int other = find(qp, t + side, qp->slot[c]);
        sum += smooth * (component(force[c], k) - (other < 0 ? 0 : component(force[other], k)));
    }
    return sum;
}

static void check_optimal(const TridiagonalQp *qp, const Vec3 *force, double tolerance)
{
    FrictionCone cone;
    friction_cone_init(&cone, 0.8);
    for (int t = 0; t < qp->frame_count; t++)
        for (int c = qp->first[t]; c < qp->first[t + 1]; c++) {
            Vec3 g = {gradient_of(qp, force, t, c, 0), gradient_of(qp, force, t, c, 1),
                      gradient_of(qp, force, t, c, 2)};
            assert_near(vec3_dot(force[c], g), 0, tolerance);
            for (int k = 0; k < CONE_SIDES; k++) {
                assert_true(vec3_dot(cone.inward[k], force[c]) >= -tolerance);
                assert_true(vec3_dot(cone.edge[k], g) >= -tolerance);
            }
        }
}

TEST(minimum_satisfies_kkt_conditions)
{
    TridiagonalQpDef def = tridiagonal_qp_default_def();
    for (unsigned seed = 1; seed <= 40; seed++) {
        TridiagonalQp qp = {0};
        make_chain(&qp, 30, 1 + (int)(seed % 9), seed % 2 ? 1e-3 : 1, seed);
        Vec3 *force = calloc((size_t)qp.first[30] + 1, sizeof *force);
        TridiagonalQpResult result;
        Error err;
        Status status = solve(&qp, &def, force, &result, &err);
        if (status)
            print_error("seed %u: %s\n", seed, err.text);
        assert_int_equal(status, STATUS_OK);
        check_optimal(&qp, force, 1e-9);
        free(force);
        tridiagonal_qp_free(&qp);
    }
}

/* Forces that slide along the facets of their cones and past their edges, with strong coupling in time: steps onto a
 * facet that end past its edge must not repeat forever. */
TEST(sliding_contacts_settle)
{
    TridiagonalQpDef def = tridiagonal_qp_default_def();
    for (unsigned seed = 1; seed <= 60; seed++) {
        TridiagonalQp qp = {0};
        make_chain(&qp, 80, 5, 1e-3, seed);
        qp.smooth = vec3(30, 1.5, 30);
        for (int t = 0; t < 80; t++)
            for (int c = qp.first[t]; c < qp.first[t + 1]; c++)
                qp.linear[c] = vec3(elementary_sin(0.1 * t + qp.slot[c]), -0.3, elementary_cos(0.1 * t + qp.slot[c]));
        Vec3 *force = calloc((size_t)qp.first[80] + 1, sizeof *force);
        TridiagonalQpResult result;
        assert_int_equal(solve(&qp, &def, force, &result, NULL), STATUS_OK);
        check_optimal(&qp, force, 1e-8);
        assert_true(result.steps < 10);
        free(force);
        tridiagonal_qp_free(&qp);
    }
}

/* Gripping contacts can also pull: if all contacts grip, the minimum is that of the program without cones. */
TEST(grip_has_no_cone)
{
    TridiagonalQpDef def = tridiagonal_qp_default_def();
    for (unsigned seed = 1; seed <= 10; seed++) {
        TridiagonalQp qp = {0};
        TridiagonalQpResult result;
        make_chain(&qp, 20, 4, 1e-2, seed);
        int count = qp.first[20], pulls = 0;
        Vec3 *force = calloc((size_t)count + 1, sizeof *force);
        memset(qp.grip, 1, (size_t)count);
        assert_int_equal(solve(&qp, &def, force, &result, NULL), STATUS_OK);
        assert_near(result.steps, 1, 0);
        for (int t = 0; t < 20; t++)
            for (int c = qp.first[t]; c < qp.first[t + 1]; c++) {
                pulls += force[c].y < 0;
                for (int k = 0; k < 3; k++)
                    assert_near(gradient_of(&qp, force, t, c, k), 0, 1e-9);
            }
        assert_true(pulls > 0);
        memset(qp.grip, 0, (size_t)count);
        memset(qp.grip, 1, (size_t)count / 2); /* the later contacts keep their cones */
        memset(force, 0, (size_t)count * sizeof *force);
        assert_int_equal(solve(&qp, &def, force, &result, NULL), STATUS_OK);
        for (int c = count / 2; c < count; c++)
            assert_true(vec3_norm(vec3(force[c].x, 0, force[c].z)) <= 0.8 * force[c].y + 1e-12);
        free(force);
        tridiagonal_qp_free(&qp);
    }
}

/* Ill-conditioned forces: a minimum or an error, never a wrong result. */
TEST(ill_conditioned_problems_terminate)
{
    TridiagonalQpDef def = tridiagonal_qp_default_def();
    int solved = 0;
    for (unsigned seed = 2740; seed < 2760; seed++) {
        TridiagonalQp qp = {0};
        make_chain(&qp, 1, 9, 1e-5, seed);
        Vec3 force[9] = {{0}};
        Status status = solve(&qp, &def, force, NULL, NULL);
        assert_true(status == STATUS_OK || status == STATUS_NO_RESULT);
        if (status == STATUS_OK)
            check_optimal(&qp, force, 1e-3); /* forces of up to 1e4, accurate to 1e-10 times the curvature */
        solved += status == STATUS_OK;
        tridiagonal_qp_free(&qp);
    }
    assert_true(solved >= 15);
}

TEST(all_lane_widths_give_same_bits)
{
    TridiagonalQp qp = {0};
    make_chain(&qp, 25, 6, 1e-2, 99);
    size_t size = (size_t)qp.first[25] * sizeof(Vec3);
    Vec3 *reference = calloc(1, size), *force = calloc(1, size);
    const LaneWidth widths[] = {LANES_SCALAR, LANES_PAIR, LANES_AVX2, LANES_AVX512};
    for (int i = 0; i < 4; i++) {
        TridiagonalQpDef def = tridiagonal_qp_default_def();
        def.lanes = widths[i];
        memset(force, 0, size);
        assert_int_equal(solve(&qp, &def, i ? force : reference, NULL, NULL), STATUS_OK);
        if (i)
            assert_memory_equal(force, reference, size);
    }
    free(reference);
    free(force);
    tridiagonal_qp_free(&qp);
}

TEST(start_at_the_minimum_takes_no_step)
{
    TridiagonalQp qp = {0};
    make_chain(&qp, 12, 4, 0.1, 7);
    Vec3 *force = calloc((size_t)qp.first[12], sizeof *force);
    TridiagonalQpDef def = tridiagonal_qp_default_def();
    TridiagonalQpResult result;
    assert_int_equal(solve(&qp, &def, force, NULL, NULL), STATUS_OK);
    assert_int_equal(solve(&qp, &def, force, &result, NULL), STATUS_OK);
    assert_near(result.steps, 0, 0);
    free(force);
    tridiagonal_qp_free(&qp);
}

TEST(indefinite_problem_is_refused)
{
    TridiagonalQp qp = {0};
    make_chain(&qp, 4, 2, 1, 3);
    for (size_t i = 0; i < qp.block[4]; i++)
        qp.hessian[i] = -qp.hessian[i];
    Vec3 *force = calloc((size_t)qp.first[4] + 1, sizeof *force);
    TridiagonalQpDef def = tridiagonal_qp_default_def();
    Error err;
    assert_int_equal(solve(&qp, &def, force, NULL, &err), STATUS_NO_RESULT);
    free(force);
    tridiagonal_qp_free(&qp);
}

/* ---- One frame in four formulations ---- */

enum { CONTACTS = 8, SIZE = 3 * CONTACTS, EDGES = CONE_SIDES * CONTACTS };

typedef struct Problem {
    TridiagonalQp qp;
    double hessian[SIZE * SIZE]; /* qp's */
    double edges[EDGES * EDGES]; /* E'H E for forces f = E c, c >= 0 */
    double linear[EDGES];        /* E'h */
} Problem;

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
TEST(pyramid_edges_give_equal_forces)
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
TEST(pyramid_facets_give_equal_forces)
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

TEST(gauss_seidel_is_within_tolerance)
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

TEST(warm_start_takes_fewer_steps)
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
