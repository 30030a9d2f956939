/* analysis/solve/limb_qp: single-point limbs must agree with tridiagonal_qp; feet must satisfy the optimality
 * conditions, computed here from the definition. */
#include "analysis/solve/limb_cone.h"
#include "tests/support/test.h"
#include "tests/support/tridiagonal_entry.h"
#include "tests/support/random_number.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/solve/limb_qp.h"
#include "analysis/solve/tridiagonal_qp.h"

enum { FRAMES = 40, RANK = 9 };

static double vertical_tie = 0.1, horizontal_tie = 0.6;

/* A chain in which `feet` limbs of five points and `singles` limbs of one point appear and disappear, with RANK
 * equations per frame. */
static void make_chain(LimbQp *qp, int feet, int singles, LaneWidth lanes, unsigned seed)
{
    int all = feet + singles, max = limb_qp_padded(feet, singles);
    const LimbQpSize size = {FRAMES, (size_t)(FRAMES * all), (size_t)(FRAMES * max), (size_t)(FRAMES * max * max),
                             max};
    assert_int_equal(limb_qp_init(qp, &size, lanes, NULL), STATUS_OK);
    for (int t = 0; t < FRAMES; t++) {
        int n = 0;
        for (int s = 0; s < all; s++) {
            int points = s < feet ? LIMB_POINTS : 1;
            unsigned open = s < feet ? 1u << (t / 3 + s) % 5 | 1u << (t / 5 + 2 * s) % 5 | 1u << s % 5 : 1;
            int is_alone = !(open & (open - 1));
            if (t % 11 == 10 || random_number(&seed) < -0.7)
                continue;
            QpLimb *limb = &qp->limb[qp->first[t] + n++];
            *limb = (QpLimb){
                .slot = s, .points = points,
                .open = (uint8_t)(open | 3u << points | (s < feet && !is_alone ? 1u << (points + 2) : 0))};
            for (int i = 0; i < points; i++) {
                limb->part[i] = open >> i & 1 ? points > 1 ? 0.5 + 0.1 * (t % 7 - i) : 1 : 0;
                limb->turn[0][i] = is_alone ? 0 : limb->part[i] * (0.2 - 0.1 * i);
                limb->turn[1][i] = is_alone ? 0 : limb->part[i] * (0.1 * (i % 2) - 0.05);
            }
        }
        limb_qp_begin_frame(qp, t, n);
        for (int k = 0; n > 0 && k < RANK; k++) {
            double *entry = limb_qp_next_row(qp, t, qp->first[t], qp->first[t + 1], 1 + 0.1 * k, random_number(&seed));
            for (int l = 0; l < n; l++)
                for (int i = 0; i < limb_unknowns(&qp->limb[qp->first[t] + l]); i++)
                    if (qp->limb[qp->first[t] + l].open >> i & 1)
                        entry[qp->limb[qp->first[t] + l].at + i] = random_number(&seed);
        }
        limb_qp_end_frame(qp, t);
        for (int l = qp->first[t]; l < qp->first[t + 1]; l++)
            for (int i = 0; i < limb_unknowns(&qp->limb[l]); i++)
                if (qp->limb[l].open >> i & 1)
                    qp->hessian[qp->block[t] + (size_t)((qp->limb[l].at + i) * (limb_qp_size(qp, t) + 1))] += 1e-2;
    }
    for (int t = 1; t < FRAMES; t++)
        limb_qp_tie(qp, t, vertical_tie, horizontal_tie);
}

static Status solve(const LimbQp *qp, double *x, TridiagonalQpResult *result, Error *err)
{
    LimbQpSolver *solver;
    TridiagonalQpDef def = tridiagonal_qp_default_def();
    assert_int_equal(limb_qp_solver_create(&solver, NULL), STATUS_OK);
    Status status = limb_qp_solve(solver, qp, &def, x, result, err);
    limb_qp_solver_destroy(solver);
    return status;
}

static double *new_start(const LimbQp *qp) { return calloc(qp->unknown[FRAMES] + 1, sizeof(double)); }

/* The limb of a slot in a frame; NULL if it is not a candidate. */
static const QpLimb *find(const LimbQp *qp, int t, int slot)
{
    for (int l = qp->first[t]; l < qp->first[t + 1]; l++)
        if (qp->limb[l].slot == slot)
            return &qp->limb[l];
    return NULL;
}

/* The gradient from Q, D (in the Hessian), c and the coupling terms, one unknown at a time. */
static double limb_gradient(const LimbQp *qp, const double *x, int t, const QpLimb *limb, int i)
{
    int n = limb_qp_size(qp, t), at = limb->at + i;
    double sum = qp->linear[qp->unknown[t] + (size_t)at];
    for (int j = 0; j < n; j++)
        sum += qp->hessian[qp->block[t] + (size_t)(at * n + j)] * x[qp->unknown[t] + (size_t)j];
    for (int side = -1; side <= 1; side += 2) {
        const QpLimb *other = t + side < 0 || t + side >= FRAMES ? NULL : find(qp, t + side, limb->slot);
        if (!other || !(other->open >> i & 1))
            continue;
        int k = i - limb->points;
        double w = k < 0 ? vertical_tie : 0;
        for (int p = 0; k >= 0 && p < LIMB_POINTS; p++)
            w += horizontal_tie * (k < 2 ? limb->part[p] * other->part[p] : limb->turn[0][p] * other->turn[0][p] +
                                                                               limb->turn[1][p] * other->turn[1][p]);
        sum -= w * x[qp->unknown[t + side] + (size_t)(other->at + i)];
    }
    return sum;
}

/* Complementarity over the generators of the constraint set: the derivative is nonnegative along each ray and zero
 * along the solution. */
static void check_limb(const LimbQp *qp, const double *x, int t, const QpLimb *limb, double tolerance)
{
    double g[LIMB_UNKNOWNS], sum = 0, along = 0;
    const double *own = x + qp->unknown[t] + limb->at, *f = own + limb->points;
    LimbOctagon o;
    limb_octagon_init(&o, 0.8);
    for (int i = 0; i < limb_unknowns(limb); i++)
        g[i] = limb->open >> i & 1 ? limb_gradient(qp, x, t, limb, i) : 0;
    for (int i = 0; i < limb->points + 2; i++)
        along += g[i] * own[i];
    assert_near(along, 0, tolerance);
    if (limb->points > 1)
        assert_near(g[limb->points + 2], 0, tolerance);
    for (int i = 0; i < limb->points; i++) {
        assert_true(own[i] >= 0);
        sum += own[i];
        for (int k = 0; k < CONE_SIDES && limb->open >> i & 1; k++)
            assert_true(g[i] + 0.8 * (o.corner[k][0] * g[limb->points] + o.corner[k][1] * g[limb->points + 1]) >=
                        -tolerance);
    }
    for (int k = 0; k < CONE_SIDES; k++)
        assert_true(o.side[k][0] * f[0] + o.side[k][1] * f[1] <= o.inner * sum + tolerance);
}

TEST(minimum_satisfies_kkt_conditions)
{
    for (unsigned seed = 1; seed <= 40; seed++) {
        LimbQp qp = {0};
        TridiagonalQpResult result;
        make_chain(&qp, (int)(seed % 3), 1 + (int)(seed % 4), LANES_AUTO, seed);
        double *x = new_start(&qp);
        assert_int_equal(solve(&qp, x, &result, NULL), STATUS_OK);
        for (int t = 0; t < FRAMES; t++)
            for (int l = qp.first[t]; l < qp.first[t + 1]; l++)
                check_limb(&qp, x, t, &qp.limb[l], 1e-9);
        free(x);
        limb_qp_free(&qp);
    }
}

/* The same program as contacts with one cone each. */
static void copy_to_contacts(const LimbQp *qp, TridiagonalQp *out, int slots)
{
    size_t entries = 0;
    for (int t = 0; t < FRAMES; t++)
        entries += tridiagonal_entries(qp->first[t + 1] - qp->first[t]);
    assert_int_equal(tridiagonal_qp_init(out, FRAMES, slots, (size_t)qp->first[FRAMES], entries, NULL), STATUS_OK);
    out->smooth = vec3(horizontal_tie, vertical_tie, horizontal_tie);
    static const int of[LIMB_SINGLE] = {1, 0, 2}; /* y, X, Z as a component of a force */
    for (int t = 0; t < FRAMES; t++) {
        int first = qp->first[t], contacts = qp->first[t + 1] - first, n = limb_qp_size(qp, t);
        int ties = (t > 0) + (t + 1 < FRAMES);
        out->first[t + 1] = qp->first[t + 1];
        out->block[t + 1] = out->block[t] + tridiagonal_entries(contacts);
        for (int i = 0; i < 3 * contacts; i++) {
            int row = 3 * (i / 3) + of[i % 3];
            const double *from = qp->hessian + qp->block[t] + (size_t)(i * n);
            double *linear = &out->linear[first + i / 3].x;
            linear[of[i % 3]] = qp->linear[qp->unknown[t] + (size_t)i];
            out->slot[first + i / 3] = qp->limb[first + i / 3].slot;
            for (int j = 0; j < 3 * contacts; j++)
                *tridiagonal_entry(out, t, row, 3 * (j / 3) + of[j % 3]) =
                    from[j] - (i == j ? ties * (i % 3 ? horizontal_tie : vertical_tie) : 0);
        }
    }
}

TEST(limbs_of_one_point_agree_with_points)
{
    for (unsigned seed = 1; seed <= 20; seed++) {
        LimbQp qp = {0};
        TridiagonalQp points = {0};
        TridiagonalQpSolver *solver;
        TridiagonalQpDef def = tridiagonal_qp_default_def();
        make_chain(&qp, 0, 5, LANES_AUTO, seed);
        copy_to_contacts(&qp, &points, 5);
        double *x = new_start(&qp);
        Vec3 *force = calloc((size_t)qp.first[FRAMES] + 1, sizeof *force);
        assert_int_equal(solve(&qp, x, NULL, NULL), STATUS_OK);
        assert_int_equal(tridiagonal_qp_solver_create(&solver, NULL), STATUS_OK);
        def.acceptance = 1e-8; /* some of these programs end at 1.2e-9 */
        assert_int_equal(tridiagonal_qp_solve(solver, &points, &def, force, NULL, NULL), STATUS_OK);
        for (int t = 0; t < FRAMES; t++)
            for (int l = qp.first[t]; l < qp.first[t + 1]; l++) {
                const double *own = x + qp.unknown[t] + qp.limb[l].at;
                assert_vec3_near(vec3(own[1], own[0], own[2]), force[l], 1e-8);
            }
        tridiagonal_qp_solver_destroy(solver);
        tridiagonal_qp_free(&points);
        limb_qp_free(&qp);
        free(force);
        free(x);
    }
}

TEST(all_lane_widths_give_same_bits)
{
    const LaneWidth widths[] = {LANES_SCALAR, LANES_PAIR, LANES_AVX2, LANES_AVX512};
    double *reference = NULL;
    for (int i = 0; i < 4; i++) {
        LimbQp qp = {0};
        make_chain(&qp, 2, 3, widths[i], 99);
        double *x = new_start(&qp);
        assert_int_equal(solve(&qp, x, NULL, NULL), STATUS_OK);
        if (reference) {
            assert_memory_equal(x, reference, qp.unknown[FRAMES] * sizeof *x);
            free(x);
        } else {
            reference = x;
        }
        limb_qp_free(&qp);
    }
    free(reference);
}

/* With the leading frames fixed at the minimum the others are unchanged; fixed elsewhere they stay there. */
TEST(fixed_frames_are_unchanged_and_constrain_others)
{
    enum { HELD = 2 };
    LimbQp qp = {0};
    make_chain(&qp, 2, 1, LANES_AUTO, 5);
    size_t held = qp.unknown[HELD], all = qp.unknown[FRAMES];
    double *free_x = new_start(&qp), *x = new_start(&qp), moved = 0;
    assert_int_equal(solve(&qp, free_x, NULL, NULL), STATUS_OK);
    qp.held_count = HELD;
    memcpy(x, free_x, held * sizeof *x);
    assert_int_equal(solve(&qp, x, NULL, NULL), STATUS_OK);
    for (size_t i = 0; i < all; i++)
        assert_near(x[i], free_x[i], 1e-9);
    for (size_t i = 0; i < held; i++)
        x[i] = 2 * free_x[i];
    assert_int_equal(solve(&qp, x, NULL, NULL), STATUS_OK);
    for (size_t i = 0; i < held; i++)
        assert_near(x[i], 2 * free_x[i], 0);
    for (size_t i = held; i < qp.unknown[HELD + 1]; i++)
        moved = fmax(moved, fabs(x[i] - free_x[i]));
    assert_true(moved > 1e-3);
    free(free_x);
    free(x);
    limb_qp_free(&qp);
}

/* Gripping limbs can also pull: if all limbs grip, one factorisation gives the minimum without cones. */
TEST(grip_has_no_cone)
{
    LimbQp qp = {0};
    TridiagonalQpResult result;
    int pulls = 0;
    make_chain(&qp, 0, 4, LANES_AUTO, 3);
    for (int l = 0; l < qp.first[FRAMES]; l++)
        qp.limb[l].grip = 1;
    double *x = new_start(&qp);
    assert_int_equal(solve(&qp, x, &result, NULL), STATUS_OK);
    assert_near(result.steps, 1, 0);
    for (int t = 0; t < FRAMES; t++)
        for (int l = qp.first[t]; l < qp.first[t + 1]; l++) {
            pulls += x[qp.unknown[t] + (size_t)qp.limb[l].at] < 0;
            for (int i = 0; i < LIMB_SINGLE; i++)
                assert_near(limb_gradient(&qp, x, t, &qp.limb[l], i), 0, 1e-9);
        }
    assert_true(pulls > 0);
    free(x);
    limb_qp_free(&qp);
}

TEST(indefinite_problem_is_refused)
{
    LimbQp qp = {0};
    Error err;
    make_chain(&qp, 1, 1, LANES_AUTO, 3);
    for (size_t i = 0; i < qp.block[FRAMES]; i++)
        qp.hessian[i] = -qp.hessian[i];
    double *x = new_start(&qp);
    assert_int_equal(solve(&qp, x, NULL, &err), STATUS_NO_RESULT);
    assert_string_equal(err.text, "contact problem is not positive definite");
    free(x);
    limb_qp_free(&qp);
}

static double distance_to(const double *a, const double *b, double ratio)
{
    double sum = 0;
    for (int i = 0; i < LIMB_POINTS + 2; i++)
        sum += (i < LIMB_POINTS ? 1 : ratio) * (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

/* No point of the set is nearer: a projection p of x satisfies (x - p) . (q - p) <= 0 in the metric for each q of the
 * set, which is spanned by its rays. */
TEST(projection_is_the_nearest_point)
{
    const QpLimb limb = {.points = LIMB_POINTS, .open = 0xfb}; /* the third point is not a candidate */
    LimbOctagon o;
    unsigned seed = 1;
    int cones[FACE_COUNT] = {0};
    limb_octagon_init(&o, 0.8);
    for (int n = 0; n < 4000; n++) {
        double x[LIMB_UNKNOWNS], p[LIMB_UNKNOWNS], ratio = 0.1 + fabs(3 * random_number(&seed)), self = 0;
        for (int i = 0; i < LIMB_UNKNOWNS; i++)
            x[i] = p[i] = random_number(&seed) + (n % 3 ? 0.3 : -0.5) * (i < LIMB_POINTS);
        LimbFace face = limb_project(&o, &limb, ratio, p);
        cones[face.cone]++;
        assert_near(p[2], 0, 0);
        assert_near(p[LIMB_UNKNOWNS - 1], x[LIMB_UNKNOWNS - 1], 0);
        x[2] = 0;
        for (int i = 0; i < LIMB_POINTS + 2; i++)
            self += (i < LIMB_POINTS ? 1 : ratio) * (x[i] - p[i]) * p[i];
        assert_near(self, 0, 1e-12);
        for (int i = 0; i < LIMB_POINTS; i++)
            for (int k = 0; k < CONE_SIDES && i != 2; k++) {
                double ray = x[i] - p[i] + 0.8 * ratio * ((x[LIMB_POINTS] - p[LIMB_POINTS]) * o.corner[k][0] +
                                                          (x[LIMB_POINTS + 1] - p[LIMB_POINTS + 1]) * o.corner[k][1]);
                assert_true(ray <= 1e-12);
            }
        double again[LIMB_UNKNOWNS];
        memcpy(again, p, sizeof p);
        limb_project(&o, &limb, ratio, again);
        assert_true(distance_to(again, p, ratio) < 1e-24);
    }
    for (int k = 0; k < FACE_COUNT; k++)
        assert_true(cones[k] > 20);
}
