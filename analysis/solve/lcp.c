/* See lcp.h. alpha: rows in the basis (w = 0); beta: the other rows (z = 0). */
#include "analysis/solve/lcp.h"

#include <math.h>
#include <string.h>

/* Lower bound of a row's scale, as a fraction of the largest: a row with smaller terms may consist of rounding error of
 * other rows. */
#define MIN_SCALE 1e-6
/* Lemke's method. An artificial variable z0 makes the start feasible, w = M z + d z0 + q with d = 1, and complementary
 * pivots drive it to zero (Cottle, Pang, Stone, The Linear Complementarity Problem, 4.4). For M positive semi-definite,
 * or copositive with q >= 0 on its critical cone, it ends in a solution or in a ray that proves that there is none.
 * Ties are broken lexicographically, so that degenerate problems terminate too. The inverse of the basis is updated:
 * n^2 operations per pivot.
 *
 * Variables by number: w_i is i, z_i is n + i, z0 is 2n. The solver's scratch contains the inverse of the basis
 * (inverse), the variable of each row (exchange) and the basic values (value).
 *
 * A pivot below this fraction of the column's largest entry is rounding error. */
#define PIVOT_TOLERANCE 1e-10
#define TIE_TOLERANCE 1e-12
/* z0 counts as zero below this fraction of its first value: linearly dependent friction rows leave it that
 * uncertain. */
#define ARTIFICIAL_TOLERANCE 1e-7

enum { BLOCK_PATIENCE = 10 }; /* block steps without fewer wrong rows before single exchanges */

#define MAX_RESIDUAL 1e-9  /* largest accepted residual, as a fraction of the terms of each row */

LcpDef lcp_default_def(void) { return (LcpDef){.tolerance = 1e-11}; }

Status lcp_solver_init(LcpSolver *s, int capacity, Error *err)
{
    size_t n = capacity > 0 ? (size_t)capacity : 0;
    Arena memory = {0};
    *s = (LcpSolver){.capacity = (int)n,
                     .columns = arena_array(&memory, n, n, sizeof *s->columns),
                     .made = arena_array(&memory, n, 1, sizeof *s->made),
                     .factor = basis_factor_make((int)n, &memory),
                     .inverse = arena_array(&memory, n, n, sizeof *s->inverse),
                     .exchange = arena_array(&memory, n, 1, sizeof *s->exchange),
                     .in_basis = arena_array(&memory, n, 1, sizeof *s->in_basis),
                     .value = arena_array(&memory, n, 1, sizeof *s->value),
                     .scale = arena_array(&memory, n, 1, sizeof *s->scale),
                     .entering = arena_array(&memory, n, 1, sizeof *s->entering),
                     .w = arena_array(&memory, n, 1, sizeof *s->w)};
    s->memory = memory;
    if (!memory.failed)
        return STATUS_OK;
    lcp_solver_free(s);
    return error_no_memory(err);
}

void lcp_solver_free(LcpSolver *s)
{
    if (!s)
        return;
    arena_free(&s->memory);
    *s = (LcpSolver){0};
}

/* Column j of M, computed at its first use. */
static const double *lcp_column(LcpSolver *s, const Lcp *lcp, int j)
{
    double *column = s->columns + (size_t)j * (size_t)lcp->size;
    if (!s->made[j]) {
        lcp->column(lcp->context, j, column);
        s->made[j] = 1;
    }
    return column;
}

/* Adds the terms of a column and their magnitudes, four at a time. */
static void add_terms(const double *restrict column, double z, int n, double *restrict sum, double *restrict magnitude)
{
    int k = 0;
    for (; k + 4 <= n; k += 4)
        for (int i = 0; i < 4; i++) {
            sum[k + i] += column[k + i] * z;
            magnitude[k + i] += fabs(column[k + i] * z);
        }
    for (; k < n; k++) {
        sum[k] += column[k] * z;
        magnitude[k] += fabs(column[k] * z);
    }
}

/* Computes w = M z + q, and as scale the sum of the magnitudes of its terms, to which tolerances are relative. */
static void evaluate_rows(LcpSolver *s, const Lcp *lcp)
{
    for (int i = 0; i < lcp->size; i++) {
        s->w[i] = lcp->q[i];
        s->scale[i] = fabs(lcp->q[i]);
    }
    for (int j = 0; j < lcp->size; j++) {
        if (!s->in_basis[j])
            continue;
        const double *column = lcp_column(s, lcp, j);
        add_terms(column, s->value[j], lcp->size, s->w, s->scale);
    }
    double min = 0;
    for (int i = 0; i < lcp->size; i++)
        min = s->scale[i] * MIN_SCALE > min ? s->scale[i] * MIN_SCALE : min;
    for (int i = 0; i < lcp->size; i++)
        s->scale[i] = s->scale[i] > min ? s->scale[i] : min;
}

/* Largest violation of w = 0 on the basis, as a fraction of the terms. */
static double basis_residual(const LcpSolver *s, int size)
{
    double residual = 0;
    for (int i = 0; i < size; i++)
        if (s->in_basis[i] && s->scale[i] > 0)
            residual = fmax(residual, fabs(s->w[i]) / s->scale[i]);
    return residual;
}

/* (0.4): q'_a = -M_aa^-1 q_a, q'_b = q_b + M_ba q'_a; then one step of iterative refinement. */
static void solve_factored(LcpSolver *s, const Lcp *lcp)
{
    for (int i = 0; i < lcp->size; i++)
        s->value[i] = -lcp->q[i];
    basis_factor_solve(&s->factor, s->value);
    evaluate_rows(s, lcp);
    memcpy(s->entering, s->w, (size_t)lcp->size * sizeof *s->w);
    basis_factor_solve(&s->factor, s->entering);
    for (int i = 0; i < lcp->size; i++)
        s->value[i] -= s->entering[i];
    evaluate_rows(s, lcp);
}

/* Solves on the present basis with updated factors, or with new factors if the residual is too large. Returns 0 if M_aa
 * is singular. */
static int solve_basis(LcpSolver *s, const Lcp *lcp)
{
    for (int j = 0; j < lcp->size; j++)
        if (s->in_basis[j])
            lcp_column(s, lcp, j);
    if (!basis_factor_move(&s->factor, s->in_basis))
        return 0;
    solve_factored(s, lcp);
    if (s->factor.changes == 0 || basis_residual(s, lcp->size) <= MAX_RESIDUAL)
        return 1;
    if (!basis_factor_anew(&s->factor, s->in_basis))
        return 0;
    solve_factored(s, lcp);
    return 1;
}

static double largest_value(const LcpSolver *s, int size)
{
    double max = 0;
    for (int i = 0; i < size; i++)
        max = fmax(max, fabs(s->value[i]));
    return max;
}

/* Largest violation of the conditions on the present basis, each as a fraction of its terms. */
static double lcp_residual(const LcpSolver *s, int size)
{
    double residual = basis_residual(s, size), max = largest_value(s, size);
    for (int i = 0; i < size; i++) {
        if (s->value[i] < 0)
            residual = fmax(residual, -s->value[i] / max);
        if (s->scale[i] > 0 && !s->in_basis[i] && s->w[i] < 0)
            residual = fmax(residual, -s->w[i] / s->scale[i]);
    }
    return residual;
}

/* Lists the rows of wrong sign in exchange[]; returns their number. */
static int find_wrong(LcpSolver *s, int size, double tolerance)
{
    int wrong = 0;
    double min = -tolerance * largest_value(s, size);
    for (int i = 0; i < size; i++)
        if (s->in_basis[i] ? s->value[i] < min : s->w[i] < -tolerance * s->scale[i])
            s->exchange[wrong++] = i;
    return wrong;
}

/* Exchanges all wrong rows, or only the first, which has the least index. */
static void exchange_wrong(LcpSolver *s, int wrong, int single)
{
    for (int k = 0; k < (single ? 1 : wrong); k++)
        s->in_basis[s->exchange[k]] ^= 1;
}

/* 1: all signs are right; 0: pivoting failed. */
static int pivot_blocks(LcpSolver *s, const Lcp *lcp, const LcpDef *def, LcpResult *result)
{
    int max = def->max_pivots > 0 ? def->max_pivots : 20 + 4 * lcp->size;
    int fewest = lcp->size + 1, patience = BLOCK_PATIENCE;
    while (result->pivots < max) {
        result->pivots++;
        if (!solve_basis(s, lcp))
            return 0;
        int wrong = find_wrong(s, lcp->size, def->tolerance);
        if (wrong == 0)
            return 1;
        if (wrong < fewest) {
            fewest = wrong;
            patience = BLOCK_PATIENCE;
        } else if (patience > 0) {
            patience--;
        }
        exchange_wrong(s, wrong, patience == 0);
    }
    return 0;
}

static void write_solution(const LcpSolver *s, int size, double *z, double *w)
{
    for (int i = 0; i < size; i++)
        z[i] = s->in_basis[i] ? fmax(0, s->value[i]) : 0;
    for (int i = 0; w && i < size; i++)
        w[i] = s->in_basis[i] ? 0 : fmax(0, s->w[i]);
}

/* Sets the first basis to the rows with z > 0. */
static Status start_basis(LcpSolver *s, const Lcp *lcp, const double *z, Error *err)
{
    if (lcp->size > s->capacity)
        return error_set(err, STATUS_USAGE, "complementarity problem has %d rows, room is for %d", lcp->size,
                         s->capacity);
    for (int i = 0; i < lcp->size; i++) {
        s->made[i] = 0;
        s->in_basis[i] = z[i] > 0;
        if (!isfinite(lcp->q[i]))
            return error_set(err, STATUS_NO_RESULT, "complementarity problem has no number in row %d", i);
    }
    return STATUS_OK;
}

static double *inverse_row(const LcpSolver *s, int n, int i) { return s->inverse + (size_t)i * (size_t)n; }

/* entering = B^-1 a. As variable v grows, the basic values change at the rate -entering. */
static void price_column(LcpSolver *s, const Lcp *lcp, int v)
{
    int n = lcp->size;
    const double *m = v >= n && v < 2 * n ? lcp_column(s, lcp, v - n) : NULL;
    for (int i = 0; i < n; i++) {
        const double *row = inverse_row(s, n, i);
        double sum = 0;
        if (m) {
            for (int k = 0; k < n; k++)
                sum -= row[k] * m[k];
        } else if (v < n) {
            sum = row[v];
        } else {
            for (int k = 0; k < n; k++)
                sum -= row[k];
        }
        s->entering[i] = sum;
    }
}

/* Whether row a of (value, B^-1) / entering precedes row b lexicographically. */
static int precedes(const LcpSolver *s, int n, int a, int b)
{
    double ra = s->value[a] / s->entering[a], rb = s->value[b] / s->entering[b];
    double tie = TIE_TOLERANCE * (fabs(ra) + fabs(rb));
    if (fabs(ra - rb) > tie)
        return ra < rb;
    if (s->exchange[a] == 2 * n || s->exchange[b] == 2 * n)
        return s->exchange[a] == 2 * n;
    const double *row_a = inverse_row(s, n, a), *row_b = inverse_row(s, n, b);
    for (int k = 0; k < n; k++) {
        double x = row_a[k] / s->entering[a], y = row_b[k] / s->entering[b];
        if (fabs(x - y) > TIE_TOLERANCE * (fabs(x) + fabs(y)))
            return x < y;
    }
    return 0;
}

/* Row of z0, which is basic until the last pivot. */
static int artificial_row(const LcpSolver *s, int n)
{
    int row = 0;
    while (s->exchange[row] != 2 * n)
        row++;
    return row;
}

/* Row of the basic variable that reaches zero first, or of z0 if it counts as zero there; -1: none. */
static int find_blocking(const LcpSolver *s, int n, double artificial)
{
    double max = 0;
    int best = -1, z0 = artificial_row(s, n);
    for (int i = 0; i < n; i++)
        max = fmax(max, fabs(s->entering[i]));
    for (int i = 0; i < n; i++)
        if (s->entering[i] > PIVOT_TOLERANCE * max && (best < 0 || precedes(s, n, i, best)))
            best = i;
    if (best < 0 || best == z0)
        return best;
    double left = s->value[z0] - s->entering[z0] * s->value[best] / s->entering[best];
    return s->entering[z0] > 0 && left <= ARTIFICIAL_TOLERANCE * artificial ? z0 : best;
}

/* Makes variable v basic in row r. */
static void pivot_row(LcpSolver *s, int n, int r, int v)
{
    double *row = inverse_row(s, n, r), inverse = 1 / s->entering[r];
    for (int k = 0; k < n; k++)
        row[k] *= inverse;
    s->value[r] *= inverse;
    for (int i = 0; i < n; i++) {
        double factor = s->entering[i], *other = inverse_row(s, n, i);
        if (i == r || factor == 0)
            continue;
        for (int k = 0; k < n; k++)
            other[k] -= factor * row[k];
        double change = factor * s->value[r];
        s->value[i] -= change;
        if (fabs(s->value[i]) < TIE_TOLERANCE * fabs(change))
            s->value[i] = 0;
    }
    s->exchange[r] = v;
}

/* Sets B = I and lets z0 enter in the row of the least q. Returns the variable that left, or -1 if q >= 0. */
static int enter_artificial(LcpSolver *s, const Lcp *lcp)
{
    int n = lcp->size, min = 0;
    memset(s->inverse, 0, (size_t)n * (size_t)n * sizeof *s->inverse);
    for (int i = 0; i < n; i++) {
        inverse_row(s, n, i)[i] = 1;
        s->value[i] = lcp->q[i];
        s->exchange[i] = i;
        if (lcp->q[i] < lcp->q[min])
            min = i;
    }
    if (n == 0 || lcp->q[min] >= 0)
        return -1;
    price_column(s, lcp, 2 * n);
    pivot_row(s, n, min, 2 * n);
    return min;
}

/* Writes the basis of the solution to in_basis. Where rows are linearly dependent, as in friction cones, rounding may
 * leave a few with a slightly wrong sign; principal pivoting then corrects them. */
static Status solve_by_lemke(LcpSolver *s, const Lcp *lcp, int *pivots, Error *err)
{
    int n = lcp->size, max = 50 + 20 * n, left = enter_artificial(s, lcp);
    double artificial = left < 0 ? 0 : -lcp->q[left]; /* initial z0 */
    for (*pivots = 1; left >= 0 && left != 2 * n; ++*pivots) {
        int entering = left < n ? left + n : left - n;
        price_column(s, lcp, entering);
        int row = find_blocking(s, n, artificial);
        if (row < 0)
            return error_set(err, STATUS_NO_RESULT, "complementarity problem has no solution");
        if (*pivots > max)
            return error_set(err, STATUS_NO_RESULT, "complementarity problem is not solved after %d pivots", *pivots);
        left = s->exchange[row];
        pivot_row(s, n, row, entering);
    }
    memset(s->in_basis, 0, (size_t)n);
    for (int i = 0; left >= 0 && i < n; i++)
        if (s->exchange[i] >= n)
            s->in_basis[s->exchange[i] - n] = 1;
    return STATUS_OK;
}

/* Runs Lemke's method, then principal pivoting from its basis. */
static Status pivot_after_lemke(LcpSolver *s, const Lcp *lcp, const LcpDef *def, LcpResult *result, Error *err)
{
    LcpResult after = {0};
    Status status = solve_by_lemke(s, lcp, &result->lemke, err);
    int solved = !status && pivot_blocks(s, lcp, def, &after);
    result->pivots += after.pivots;
    if (!status && !solved)
        return error_set(err, STATUS_NO_RESULT, "complementarity problem is too ill-conditioned to be solved");
    return status;
}

Status lcp_solve(LcpSolver *s, const Lcp *lcp, const LcpDef *def, double *z, double *w, Error *err)
{
    LcpResult result = {0};
    if (lcp->size == 0) { /* arrays may be NULL */
        s->result = result;
        return STATUS_OK;
    }
    Status status = start_basis(s, lcp, z, err);
    if (status)
        return status;
    basis_factor_begin(&s->factor, s->columns, lcp->size);
    if (!pivot_blocks(s, lcp, def, &result))
        status = pivot_after_lemke(s, lcp, def, &result, err);
    if (status)
        return status;
    for (int i = 0; i < lcp->size; i++)
        result.columns += s->made[i];
    result.factored = s->factor.factored;
    result.residual = lcp_residual(s, lcp->size);
    if (!(result.residual <= MAX_RESIDUAL))
        return error_set(err, STATUS_NO_RESULT, "complementarity problem is too ill-conditioned: residual %.2g",
                         result.residual);
    write_solution(s, lcp->size, z, w);
    s->result = result;
    return STATUS_OK;
}
