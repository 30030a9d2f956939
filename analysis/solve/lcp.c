/* See lcp.h. alpha: rows in the basis (w = 0); beta: the others (z = 0). */
#include "analysis/solve/lcp.h"

#include <math.h>
#include <string.h>

#include "analysis/base/memory.h"
#include "analysis/math/dense_factor.h"
#include "analysis/solve/lemke.h"

enum { BLOCK_PATIENCE = 10 }; /* block steps without fewer wrong rows before single ones */

LcpDef lcp_default_def(void) { return (LcpDef){.tolerance = 1e-11}; }

Status lcp_solver_init(LcpSolver *s, int capacity, Error *err)
{
    size_t n = capacity > 0 ? (size_t)capacity : 0;
    *s = (LcpSolver){.capacity = (int)n};
    s->columns = array_new(n, n, sizeof *s->columns);
    s->made = array_new(n, 1, sizeof *s->made);
    s->factor = array_new(n, n, sizeof *s->factor);
    s->exchange = array_new(n, 1, sizeof *s->exchange);
    s->basis = array_new(n, 1, sizeof *s->basis);
    s->in_basis = array_new(n, 1, sizeof *s->in_basis);
    s->value = array_new(n, 1, sizeof *s->value);
    s->scale = array_new(n, 1, sizeof *s->scale);
    s->entering = array_new(n, 1, sizeof *s->entering);
    s->w = array_new(n, 1, sizeof *s->w);
    if (!s->columns || !s->made || !s->factor || !s->exchange || !s->basis || !s->in_basis || !s->value || !s->scale ||
        !s->entering || !s->w) {
        lcp_solver_free(s);
        return error_no_memory(err);
    }
    return STATUS_OK;
}

void lcp_solver_free(LcpSolver *s)
{
    if (!s)
        return;
    free(s->columns);
    free(s->made);
    free(s->factor);
    free(s->exchange);
    free(s->basis);
    free(s->in_basis);
    free(s->value);
    free(s->scale);
    free(s->entering);
    free(s->w);
    *s = (LcpSolver){0};
}

const double *lcp_column(LcpSolver *s, const Lcp *lcp, int j)
{
    double *column = s->columns + (size_t)j * (size_t)lcp->size;
    if (!s->made[j]) {
        lcp->column(lcp->context, j, column);
        s->made[j] = 1;
    }
    return column;
}

/* M_aa by rows. */
static void gather_basis(LcpSolver *s, const Lcp *lcp, int count)
{
    for (int j = 0; j < count; j++) {
        const double *column = lcp_column(s, lcp, s->basis[j]);
        for (int i = 0; i < count; i++)
            s->factor[(size_t)i * (size_t)count + (size_t)j] = column[s->basis[i]];
    }
}

/* A row whose terms are smaller than this share of the largest row's is measured against that: all it holds may be the
 * rounding of others. */
#define LEAST_SCALE 1e-6

/* w = M z + q, and the sum of its terms by magnitude, which says what a zero is. */
static void evaluate_rows(LcpSolver *s, const Lcp *lcp, int count)
{
    for (int i = 0; i < lcp->size; i++) {
        s->w[i] = lcp->q[i];
        s->scale[i] = fabs(lcp->q[i]);
    }
    for (int j = 0; j < count; j++) {
        const double *column = lcp_column(s, lcp, s->basis[j]);
        double z = s->value[j];
        for (int i = 0; i < lcp->size; i++) {
            double term = column[i] * z;
            s->w[i] += term;
            s->scale[i] += fabs(term);
        }
    }
    double largest = 0;
    for (int i = 0; i < lcp->size; i++)
        largest = fmax(largest, s->scale[i]);
    for (int i = 0; i < lcp->size; i++)
        s->scale[i] = fmax(s->scale[i], LEAST_SCALE * largest);
}

/* (0.4): q'_a = -M_aa^-1 q_a, q'_b = q_b + M_ba q'_a; then one step of refinement. 0 where M_aa is singular. */
static int solve_basis(LcpSolver *s, const Lcp *lcp, int count)
{
    gather_basis(s, lcp, count);
    if (lu_factor(s->factor, count, s->exchange) < count)
        return 0;
    for (int i = 0; i < count; i++)
        s->value[i] = -lcp->q[s->basis[i]];
    lu_solve(s->factor, s->exchange, count, s->value);
    evaluate_rows(s, lcp, count);
    for (int i = 0; i < count; i++)
        s->entering[i] = s->w[s->basis[i]];
    lu_solve(s->factor, s->exchange, count, s->entering);
    for (int i = 0; i < count; i++)
        s->value[i] -= s->entering[i];
    evaluate_rows(s, lcp, count);
    return 1;
}

static double largest_value(const LcpSolver *s, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(s->value[i]));
    return most;
}

/* Largest violation of the conditions on the present basis; each a share of the terms that made it. */
static double residual_of(const LcpSolver *s, const Lcp *lcp, int count)
{
    double residual = 0, most = largest_value(s, count);
    for (int i = 0; i < count; i++)
        if (s->value[i] < 0)
            residual = fmax(residual, -s->value[i] / most);
    for (int i = 0; i < lcp->size; i++)
        if (s->scale[i] > 0 && (s->in_basis[i] || s->w[i] < 0))
            residual = fmax(residual, fabs(s->w[i]) / s->scale[i]);
    return residual;
}

/* Marks the rows with a wrong sign in exchange[]; returns how many. */
static int find_wrong(LcpSolver *s, const Lcp *lcp, int count, double tolerance)
{
    int wrong = 0;
    double least = -tolerance * largest_value(s, count);
    for (int i = 0; i < count; i++)
        if (s->value[i] < least)
            s->exchange[wrong++] = s->basis[i];
    for (int i = 0; i < lcp->size; i++)
        if (!s->in_basis[i] && s->w[i] < -tolerance * s->scale[i])
            s->exchange[wrong++] = i;
    return wrong;
}

static int collect_basis(LcpSolver *s, int size)
{
    int count = 0;
    for (int i = 0; i < size; i++)
        if (s->in_basis[i])
            s->basis[count++] = i;
    return count;
}

/* All wrong rows change sides, or only the one of least index. */
static void exchange_wrong(LcpSolver *s, int wrong, int single)
{
    int least = 0;
    for (int k = 0; k < wrong; k++) {
        if (s->exchange[k] < s->exchange[least])
            least = k;
        if (!single)
            s->in_basis[s->exchange[k]] ^= 1;
    }
    if (single)
        s->in_basis[s->exchange[least]] ^= 1;
}

/* Rows in the basis when the signs are right, -1 when pivoting does not get there. */
static int pivot_blocks(LcpSolver *s, const Lcp *lcp, const LcpDef *def, LcpResult *result)
{
    int most = def->max_pivots > 0 ? def->max_pivots : 20 + 4 * lcp->size;
    int fewest = lcp->size + 1, patience = BLOCK_PATIENCE;
    while (result->pivots < most) {
        int count = collect_basis(s, lcp->size);
        result->pivots++;
        if (!solve_basis(s, lcp, count))
            return -1;
        int wrong = find_wrong(s, lcp, count, def->tolerance);
        if (wrong == 0)
            return count;
        if (wrong < fewest) {
            fewest = wrong;
            patience = BLOCK_PATIENCE;
        } else if (patience > 0) {
            patience--;
        }
        exchange_wrong(s, wrong, patience == 0);
    }
    return -1;
}

static void write_solution(const LcpSolver *s, const Lcp *lcp, int count, double *z, double *w)
{
    memset(z, 0, (size_t)lcp->size * sizeof *z);
    for (int i = 0; i < count; i++)
        z[s->basis[i]] = fmax(0, s->value[i]);
    for (int i = 0; w && i < lcp->size; i++)
        w[i] = s->in_basis[i] ? 0 : fmax(0, s->w[i]);
}

/* The first basis: the rows of the start that are not zero. */
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

/* Lemke's method, and pivoting from where its rounding ended; *count: rows in the basis. */
static Status pivot_after_lemke(LcpSolver *s, const Lcp *lcp, const LcpDef *def, LcpResult *result, int *count,
                                Error *err)
{
    LcpResult after = {0};
    Status status = lemke_solve(s, lcp, &result->lemke, err);
    *count = status ? -1 : pivot_blocks(s, lcp, def, &after);
    result->pivots += after.pivots;
    if (!status && *count < 0)
        return error_set(err, STATUS_NO_RESULT, "complementarity problem is too ill-conditioned to be solved");
    return status;
}

Status lcp_solve(LcpSolver *s, const Lcp *lcp, const LcpDef *def, double *z, double *w, LcpResult *out, Error *err)
{
    LcpResult result = {0};
    Status status = start_basis(s, lcp, z, err);
    if (status)
        return status;
    int count = pivot_blocks(s, lcp, def, &result);
    if (count < 0)
        status = pivot_after_lemke(s, lcp, def, &result, &count, err);
    if (status)
        return status;
    for (int i = 0; i < lcp->size; i++)
        result.columns += s->made[i];
    result.residual = residual_of(s, lcp, count);
    if (!(result.residual <= 1e-9))
        return error_set(err, STATUS_NO_RESULT, "complementarity problem is too ill-conditioned: residual %.2g",
                         result.residual);
    write_solution(s, lcp, count, z, w);
    if (out)
        *out = result;
    return STATUS_OK;
}
