/* analysis/solve/tridiagonal_qp: the minimum must satisfy its optimality conditions, computed here from the
 * definition. */
#include "tests/support/test.h"
#include "tests/support/chain_entry.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
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
    size_t most = (size_t)frames * (size_t)slots;
    assert_int_equal(tridiagonal_qp_init(qp, frames, slots, most, (size_t)frames * tridiagonal_entries(slots), NULL),
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

TEST(minimum_is_optimal)
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
TEST(a_grip_has_no_cone)
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
TEST(ill_conditioned_problems_end)
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

TEST(every_width_gives_the_same_bits)
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

TEST(a_start_at_the_minimum_needs_no_step)
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

TEST(an_indefinite_problem_is_refused)
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
