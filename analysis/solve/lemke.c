/* See lemke.h. Variables by number: w_i is i, z_i is n + i, z0 is 2n. The scratch of the solver holds the inverse of
 * the basis (factor), the variable of each row (exchange) and the basic values (value). */
#include "analysis/solve/lemke.h"

#include <math.h>
#include <string.h>

/* Below this share of the column's largest entry a pivot is rounding. */
#define PIVOT_TOLERANCE 1e-10
#define TIE_TOLERANCE 1e-12
/* z0 is out when this share of its first value is left: friction rows that repeat each other leave it that
 * uncertain. */
#define ARTIFICIAL_TOLERANCE 1e-7

static double *inverse_row(const LcpSolver *s, int n, int i) { return s->factor + (size_t)i * (size_t)n; }

/* entering = B^-1 a: the rates of the basic values when variable v grows is -entering. */
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

/* Whether row a of (value, B^-1) / entering comes before row b. */
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

/* Row of z0, which is basic until the end. */
static int artificial_row(const LcpSolver *s, int n)
{
    int row = 0;
    while (s->exchange[row] != 2 * n)
        row++;
    return row;
}

/* The basic variable that reaches zero first, z0 where that is as good as zero then; -1 when none does. */
static int find_blocking(const LcpSolver *s, int n, double artificial)
{
    double most = 0;
    int best = -1, z0 = artificial_row(s, n);
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(s->entering[i]));
    for (int i = 0; i < n; i++)
        if (s->entering[i] > PIVOT_TOLERANCE * most && (best < 0 || precedes(s, n, i, best)))
            best = i;
    if (best < 0 || best == z0)
        return best;
    double left = s->value[z0] - s->entering[z0] * s->value[best] / s->entering[best];
    return s->entering[z0] > 0 && left <= ARTIFICIAL_TOLERANCE * artificial ? z0 : best;
}

/* Variable v takes the place of the one in row r. */
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

/* B = I, and z0 enters where q is least; returns the variable that left, or -1 when q >= 0. */
static int enter_artificial(LcpSolver *s, const Lcp *lcp)
{
    int n = lcp->size, least = 0;
    memset(s->factor, 0, (size_t)n * (size_t)n * sizeof *s->factor);
    for (int i = 0; i < n; i++) {
        inverse_row(s, n, i)[i] = 1;
        s->value[i] = lcp->q[i];
        s->exchange[i] = i;
        if (lcp->q[i] < lcp->q[least])
            least = i;
    }
    if (n == 0 || lcp->q[least] >= 0)
        return -1;
    price_column(s, lcp, 2 * n);
    pivot_row(s, n, least, 2 * n);
    return least;
}

Status lemke_solve(LcpSolver *s, const Lcp *lcp, int *pivots, Error *err)
{
    int n = lcp->size, most = 50 + 20 * n, left = enter_artificial(s, lcp);
    double artificial = left < 0 ? 0 : -lcp->q[left]; /* z0 at first */
    for (*pivots = 1; left >= 0 && left != 2 * n; ++*pivots) {
        int entering = left < n ? left + n : left - n;
        price_column(s, lcp, entering);
        int row = find_blocking(s, n, artificial);
        if (row < 0)
            return error_set(err, STATUS_NO_RESULT, "complementarity problem has no solution");
        if (*pivots > most)
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
